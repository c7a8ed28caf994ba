import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { contrast, DARK_SURFACE, parseHex, type Rgb, WHITE } from '../../../contract/brand-color.ts'
import { letterSamples } from '../../../test/support/letter-samples.ts'
import { letterBrand } from './letter-brand.ts'
import { letterWords } from './letter-words.ts'
import { LETTER_TEXTS } from './texts/catalogue.ts'

const placesOf = (text: unknown) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort()
const LANGUAGES = Object.entries(LETTER_TEXTS)

describe('the texts of letters', () => {
  test('have the same places in every language, and are not empty', () => {
    for (const [locale, texts] of LANGUAGES)
      for (const [key, text] of Object.entries(texts)) {
        deepEqual(placesOf(text), placesOf(LETTER_TEXTS.en[key as keyof typeof texts]), `${locale} ${key}`)
        ok(JSON.stringify(text).length > 2, `${locale} ${key}`)
      }
  })

  test('are all used', async () => {
    const files = await Array.fromAsync(glob('*.ts', { cwd: import.meta.dirname }))
    const sources = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')))
    const all = sources.join('\n')
    // Keys that are composed from the name of a letter, a setting or a recipient.
    const built =
      /^(?:(?:paid|failed|exhausted|ended)(?:_merchant)?_(?:subject|heading|keep|pause|cancel)|why_\w+|refund_(?:whole|rest|part))$/
    const unused = Object.keys(LETTER_TEXTS.en).filter((key) => !built.test(key) && !all.includes(`'${key}'`))
    deepEqual(unused, [])
  })

  test('in the French of Quebec have no-break spaces before their colons', () => {
    doesNotMatch(JSON.stringify(LETTER_TEXTS['fr-CA']).replaceAll('":', ''), / [:;!?\u00bb]/)
  })

  test('in French elide the article before a vowel', () => {
    const wordsFor = (name: string) => letterWords('fr-CA', { name, country: 'CA', timeZone: 'America/Toronto' })
    const { say } = wordsFor('Érablière Roy')
    equal(say('expiring_preheader', { month: 'avril 2027' }), 'Elle expire à la fin d’avril 2027.')
    equal(say('expiring_preheader', { month: 'mars 2027' }), 'Elle expire à la fin de mars 2027.')
    const paid = (customer: string) => say('paid_merchant_subject', { amount: '5,00 $', customer })
    deepEqual(['Ana', 'Yves', 'Yann', 'Hugo', '{amount}'].map(paid), [
      'Paiement de 5,00 $ d’Ana',
      'Paiement de 5,00 $ d’Yves',
      'Paiement de 5,00 $ de Yann',
      'Paiement de 5,00 $ de Hugo',
      'Paiement de 5,00 $ de {amount}',
    ])
    match(wordsFor('Érablière Roy').say('why_merchant'), /les avis d’Érablière Roy/)
  })
})

describe('every letter in every language', () => {
  test('is complete: each place has its value, in the subject, the HTML and the text', async () => {
    for (const { name, locale, subject, html, text, content } of await letterSamples()) {
      for (const part of [subject, content.preheader, text, html.replace(/<style[\s\S]*?<\/style>/g, '')])
        doesNotMatch(part, /[{}]|undefined|null|NaN|Invalid Date/, `${locale} ${name}`)
      match(html, new RegExp(`<html lang="${locale}"`))
      match(html, /<meta name="color-scheme" content="light dark"/)
      const read = text.replaceAll('\u2060', '')
      for (const { label, value } of content.rows) ok(read.includes(label) && read.includes(value), `${locale} ${name}`)
      if (content.button) ok(text.includes(content.button.url), `${locale} ${name}`)
      ok(html.length < 40_000 && [...subject].length <= 160, `${locale} ${name}`)
      ok(html.split('\n').every((line) => line.length < 998))
    }
  })

  test('loads nothing from elsewhere but the logo', async () => {
    const logoUrl = 'https://pay.studio.example/logos/1?v=2'
    for (const { html } of await letterSamples({}, { logoUrl })) {
      deepEqual(
        [...html.matchAll(/\ssrc="([^"]*)"/g)].map(([, src]) => src),
        [logoUrl.replace('=', '&#x3D;')],
      )
      doesNotMatch(html, /@import|<link|<script|url\(/)
    }
  })

  test('LTR-4: names the address of an N7, not the postal code alone', async () => {
    const failed = (await letterSamples()).filter(({ name }) => name === 'customer.payment_failed_at_last')
    deepEqual(
      failed.map(({ text }) => /(?:security code or|sécurité ou|seguridad o) (?:the |l’|la )?\p{L}+/u.exec(text)?.[0]),
      ['security code or address', 'sécurité ou l’adresse', 'seguridad o la dirección'],
    )
  })

  test('writes money and dates as its language does', async () => {
    const paid = (await letterSamples()).filter(({ name }) => name === 'customer.payment_succeeded')
    deepEqual(
      paid.map(({ content: { amount, rows } }) => [amount, rows[2]?.value, rows[3]?.value]),
      [
        ['$87.12', 'Visa ending in 4242', 'January 31, 2027'],
        ['87,12\u00a0$', 'Visa se terminant par 4242', '31 janvier 2027'],
        ['CAD\u00a087.12', 'Visa terminada en 4242', '31 de enero de 2027'],
      ],
    )
  })
})

describe('LTR-13: what others write', () => {
  const MARKUP = `<img src=x onerror=alert(1)>"'&{{subject}}</td></table><a href="https://evil.example">`
  const LINES = 'Shop\r\nBcc: victim@example.com\u2028\u202egnp.exe, <a@b.example>'

  test('is text in the HTML, wherever it stands', async () => {
    const given = { business: MARKUP, customer: MARKUP, email: MARKUP, description: MARKUP, message: MARKUP }
    for (const { name, html } of await letterSamples({ ...given, supportPhone: MARKUP })) {
      doesNotMatch(html, /<img src=x|onerror=alert\(1\)>|<a href="https:\/\/evil/, name)
      equal([...html.matchAll(/<img\b/g)].length, 0, name)
      match(html, /&lt;img src&#x3D;x/, name)
    }
  })

  test('adds no line to a subject or to the text, and turns no direction', async () => {
    const ordinary = await letterSamples()
    const given = { business: LINES, customer: LINES, email: LINES, description: LINES, message: LINES }
    const hostile = await letterSamples({ ...given, supportPhone: LINES })
    for (const [index, { name, subject, text }] of hostile.entries()) {
      doesNotMatch(subject, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u, name)
      doesNotMatch(text, /[\r\u2028\u202e]|^Bcc/m, name)
      equal(text.split('\n').length, ordinary[index]?.text.split('\n').length, name)
    }
  })
})

test('the colours of a letter have the contrasts of WCAG 2.2, whatever the brand is', () => {
  const of = (color: string) => parseHex(color) as Rgb
  for (const brand of ['#ffffff', '#000000', '#ffd400', '#1f4e8c', '#ff0000', '#7f7f7f', null, 'red']) {
    const { color, onColor, accent, accentDark, edge } = letterBrand(brand)
    ok(contrast(of(color), of(onColor)) >= 4.5, `${brand} button`)
    ok(contrast(of(accent), WHITE) >= 4.5, `${brand} links`)
    ok(contrast(of(accentDark), DARK_SURFACE) >= 4.5, `${brand} links in the dark`)
    ok(contrast(of(edge), WHITE) >= 3, `${brand} edge`)
  }
})
