import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createKeyring } from '../../lib/keyring.ts'
import { keptResponse } from '../delivery/kept-response.ts'
import { basicAuthorization, credentialTexts, openCredentials, sealCredentials, splitUrl } from './basic-auth.ts'

// EVT-144.

const TEXT = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/\p{Cc}/u.test(text))
const USER = TEXT.filter((text) => !text.includes(':'))
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const failure = (body: string, headers: Record<string, string> = {}) => ({
  status: 500,
  headers,
  body,
  retryAfter: null,
})

describe('User name and password in the URL of an endpoint', () => {
  test('are taken out of it, whatever letters they have, and are what a receiver decodes', () => {
    fc.assert(
      fc.property(USER, TEXT, (user, password) => {
        fc.pre(user !== '' || password !== '')
        const found = splitUrl(`https://${encoded(user)}:${encoded(password)}@shop.example:8443/a?b=%40#c`)
        equal(found.refusal, null)
        equal(found.url, 'https://shop.example:8443/a?b=%40#c')
        const header = basicAuthorization(found.credentials ?? '')
        equal(Buffer.from(header.slice('Basic '.length), 'base64').toString(), `${user}:${password}`)
      }),
      { numRuns: 1_000 },
    )
  })

  test('are taken as browsers and command lines write them', () => {
    const written: [url: string, credentials: string | null][] = [
      ['https://shop.example/w', null],
      ['https://me@shop.example/w', 'me:'],
      ['https://me:@shop.example/w', 'me:'],
      ['https://:key@shop.example/w', ':key'],
      ['https://me:a:b@shop.example/w', 'me:a:b'],
      ['https://me:a@b@shop.example/w', 'me:a@b'],
      ['https:me:key@shop.example/w', 'me:key'],
      ['HTTPS:\\\\me:key@shop.example\\w', 'me:key'],
      ['https://zoë:100%@shop.example/w', 'zoë:100%'],
      ['https://zo%C3%AB:%e2%82%ac@shop.example/w', 'zoë:€'],
      ['https://shop.example/w?to=me:key@shop.example', null],
    ]
    for (const [text, credentials] of written) {
      const found = splitUrl(text)
      deepEqual([found.credentials, found.refusal], [credentials, null], text)
      if (credentials !== null) equal(found.url, 'https://shop.example/w', text)
    }
    deepEqual(splitUrl('no URL'), { url: 'no URL', credentials: null, refusal: null })
  })

  test('are refused where RFC 7617 has no way to send them', () => {
    const refused: [string, RegExp][] = [
      ['me%3Ahere:key', /without a colon/],
      ['me:%00', /control characters/],
      ['me%0d%0aX-Evil%3a 1:key', /colon|control/],
      ['me:%FF', /UTF-8/],
      [`me:${'x'.repeat(1_025)}`, /1024 characters/],
      [`${'é'.repeat(1_025)}:x`, /1024 characters/],
    ]
    for (const [before, why] of refused) match(splitUrl(`https://${before}@shop.example`).refusal ?? '', why, before)
    equal(splitUrl(`https://${'é'.repeat(1_024)}:${'x'.repeat(1_024)}@shop.example`).refusal, null)
  })

  test('open for their own endpoint and origin alone, also with an older master key', () => {
    const [old, current] = [randomBytes(32), randomBytes(32)]
    const endpoint = { businessId: randomUUID(), id: randomUUID(), url: 'https://shop.example/w' }
    const sealed = sealCredentials(createKeyring([old]), endpoint, 'me:key')
    const keyring = createKeyring([current, old])
    equal(openCredentials(keyring, { ...endpoint, url: 'https://shop.example:443/other?x' }, sealed), 'me:key')
    for (const other of [
      { url: 'https://evil.example/w' },
      { url: 'https://shop.example:8443/w' },
      { url: 'http://shop.example/w' },
      { id: randomUUID() },
      { businessId: randomUUID() },
    ])
      throws(() => openCredentials(keyring, { ...endpoint, ...other }, sealed))
  })
})

describe('A response that repeats user name and password', () => {
  /** Ways in which a receiver may write what it was sent. */
  const WRITTEN: Record<string, (text: string) => string> = {
    plain: (text) => text,
    base64: (text) => Buffer.from(text).toString('base64'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
    percent: (text) => encodeURIComponent(text),
    'lower-case percent': (text) => encodeURIComponent(text).replaceAll(/%../g, (one) => one.toLowerCase()),
    form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
    url: (text) => new URL(`https://x:${encodeURIComponent(text)}@h`).password,
    json: (text) => JSON.stringify(text).slice(1, -1),
    html: (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ascii: (text) =>
      JSON.stringify(text).replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }
  const SECRET = fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 6, maxLength: 60 }), fc.uuid())
    .map(([text, rare]) => text.replaceAll(/\p{Cc}/gu, '') + rare)

  for (const [spelling, write] of Object.entries(WRITTEN))
    test(`is kept without them: ${spelling}`, () => {
      fc.assert(
        fc.property(SECRET, SECRET, fc.string(), (user, password, around) => {
          const credentials = `${user.replaceAll(':', '')}:${password}`
          const repeated = [credentials, password].map(write)
          const text = repeated.join(around)
          const kept = keptResponse(failure(around + text + around, { 'x-echo': text }), credentialTexts(credentials))
          for (const shown of [kept.body, kept.headers['x-echo'] ?? ''])
            for (const one of repeated) ok(!shown.includes(one), `${shown} has ${one}`)
        }),
        { numRuns: 200 },
      )
    })

  test('has no part of them where it was cut', () => {
    const password = `canary${'k'.repeat(400)}`
    const secrets = credentialTexts(`me-and-you:${password}`)
    for (let before = 0; before < 300; before++) {
      const body = ('x'.repeat(before) + password).slice(0, 400)
      const kept = keptResponse(failure(body, { 'x-echo': 'x'.repeat(before) + password }), secrets)
      ok(!JSON.stringify(kept).includes('cana'), `${before}`)
    }
    ok(!keptResponse(failure(password.repeat(41).slice(0, 16_384)), secrets).body.includes('canary'))
  })
})
