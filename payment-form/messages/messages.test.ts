import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fill, plural } from '../../contract/text.ts'
import { CATALOGUE } from './catalogue.ts'

const LOCALES = Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[]
const INTERVALS = /^(today_then|later)_/

const placesOf = (text: unknown) => (JSON.stringify(text).match(/\{\w+\}/g) ?? []).sort()
const uniquePlacesOf = (text: unknown) => [...new Set(placesOf(text))]

test('every language has the keys and the placeholders of English, and no empty text', () => {
  for (const locale of LOCALES)
    for (const part of ['page', 'script'] as const) {
      const [texts, english] = [CATALOGUE[locale][part], CATALOGUE.en[part]]
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), locale)
      for (const [key, text] of Object.entries(texts)) {
        assert.notEqual(JSON.stringify(text), '""', key)
        assert.deepEqual(uniquePlacesOf(text), uniquePlacesOf(english[key as keyof typeof english]), `${locale} ${key}`)
      }
    }
})

test('every text is used', async () => {
  const root = new URL('..', import.meta.url)
  const files = await Array.fromAsync(glob('**/*.ts', { cwd: root, exclude: ['messages/**', '**/*.test.ts'] }))
  const sources = (await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')))).join('\n')
  const keys = [...Object.keys(CATALOGUE.en.page), ...Object.keys(CATALOGUE.en.script)]
  const unused = keys.filter((key) => !INTERVALS.test(key) && !new RegExp(`\\b${key}\\b`).test(sources))
  assert.deepEqual(unused, [])
})

test('PAG-16: the texts of results are exact', () => {
  const { en, 'fr-CA': fr, es } = CATALOGUE
  assert.equal(en.script.declined, 'Your card was declined. Check the details or use a different card.')
  assert.equal(
    fr.script.declined,
    'Votre carte a été refusée. Vérifiez les renseignements ou utilisez une autre carte.',
  )
  assert.equal(es.script.declined, 'Su tarjeta fue rechazada. Revise los datos o use otra tarjeta.')
  assert.equal(
    en.script.declined_verification,
    'The security code or postal code does not match your bank’s records. Check both and try again.',
  )
  assert.equal(
    fr.script.checking,
    'Nous n’avons pas pu confirmer votre paiement. Ne payez pas de nouveau\u00a0: nous vérifions auprès de votre banque.',
  )
  assert.equal(es.script.max_attempts, 'Este pago fue rechazado 3 veces y ya está cerrado. No se le ha cobrado.')
  assert.equal(plural(fr.script.attempts_left, 1, 'fr-CA'), 'Il vous reste 1 essai.')
  assert.equal(plural(es.script.attempts_left, 2, 'es'), 'Le quedan 2 intentos.')
})

test('French of Quebec has no-break spaces before its colons', () => {
  const texts = JSON.stringify(CATALOGUE['fr-CA'])
  assert.doesNotMatch(texts.replaceAll('":', ''), / :/)
})

test('a missing value leaves its placeholder, and a value is not expanded again', () => {
  assert.equal(fill('{a} and {b}', { a: '{b}' }), '{b} and {b}')
})

test('PAG-44: one language is at most 3 KB for the script', () => {
  for (const locale of LOCALES) assert.ok(gzipSync(JSON.stringify(CATALOGUE[locale].script)).byteLength <= 3 * 1024)
})
