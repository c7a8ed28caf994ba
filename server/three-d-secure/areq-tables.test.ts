import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { request } from '../../test/support/areq-request.ts'
import { buildAreq } from './areq.ts'
import { checkAreq } from './simulator/check-areq.ts'
import { MESSAGE_VERSIONS } from './three-ds-server.ts'

test('TDS-111: whatever people write, an AReq fits the field tables of its version (TDS-20)', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest(), async (change) => {
      const areq = await buildAreq(request(change))
      equal(checkAreq(areq), null, JSON.stringify(areq))
      match(JSON.stringify(areq), /^[\x20-\x7e]+$/)
    }),
    { numRuns: 1_000 },
  )
})

/**
 * Generates requests with texts of every script, any combination of known values, and every reason, in every version.
 */
function anyRequest() {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  const digits = (max: number) => fc.nat({ max }).map(String)
  const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
  const place = fc.record({
    line1: text,
    line2: text,
    city: text,
    state: fc.oneof(text, fc.constantFrom('QC', 'California')),
    postalCode: text,
    country: fc.constantFrom('CA', 'US', 'FR', 'XK', ''),
  })
  return fc.record({
    messageVersion: fc.constantFrom(...MESSAGE_VERSIONS),
    reason: fc.constantFrom('payment', 'recurring', 'installment', 'add_card'),
    recurring: orNull(
      fc.record({
        frequencyDays: fc.integer({ min: 1, max: 20_000 }),
        next: orNull(fc.constant('2026-12-22')),
        until: fc.constant('2099-12-31'),
        count: orNull(fc.integer({ min: 1, max: 2_000 })),
      }),
    ),
    card: fc.record({ name: orNull(text) }),
    merchant: fc.record({
      name: text,
      url: fc.constantFrom('https://shop.example', 'http://shop.example'),
      country: fc.constantFrom('CA', 'US'),
    }),
    browser: fc.record({
      userAgent: text,
      language: text,
      acceptHeader: text,
      acceptLanguage: orNull(fc.oneof(text, fc.constantFrom('fr-CA,fr;q=0.9', '*', 'en-'.repeat(60)))),
      javaScriptEnabled: fc.boolean(),
      javaEnabled: orNull(fc.boolean()),
      colorDepth: orNull(digits(64)),
      screenHeight: orNull(digits(99_999)),
      screenWidth: orNull(digits(99_999)),
      timeZoneOffset: orNull(digits(720)),
    }),
    contact: fc.record({
      email: orNull(fc.oneof(text, fc.constant('zoe@example.com'))),
      phone: orNull(fc.record({ countryCode: digits(2_000), subscriber: digits(2 ** 31) })),
    }),
    billing: orNull(place),
    shipping: orNull(place),
  } satisfies Record<string, fc.Arbitrary<unknown>>)
}
