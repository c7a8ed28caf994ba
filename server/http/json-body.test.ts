import { deepEqual, equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../lib/errors.ts'
import { parseJsonBody } from './json-body.ts'

const read = (text: string) => parseJsonBody(Buffer.from(text))
const refused = (body: string | Buffer, message: RegExp) =>
  throws(
    () => parseJsonBody(Buffer.from(body)),
    (error) => error instanceof ApiError && error.code === 'validation_failed' && message.test(error.message),
  )

describe('A JSON body', () => {
  test('is read as JSON.parse reads it, when it has nothing that is refused', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        fc.pre(!hasForbiddenKey(JSON.parse(text)))
        deepEqual(read(text), JSON.parse(text))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('that is empty is no body', () => {
    for (const text of ['', ' ', '\r\n\t']) equal(read(text), undefined)
  })

  const broken = [
    '{',
    '{"a":1',
    '{"a":1,}',
    '[1,]',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":1}{"b":2}',
    '\uFEFF{}',
    '{"a":"\u0000"}',
    '// x\n{}',
    'undefined',
  ]
  for (const text of broken) {
    test(`that is broken is refused: ${JSON.stringify(text)}`, () => refused(text, /not valid JSON/))
  }

  test('of 20 levels is read, of 21 refused, and 100,000 cost no time', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    read(nested(20))
    refused(nested(21), /nested deeper than 20/)
    const from = performance.now()
    refused(nested(100_000), /nested deeper than 20/)
    refused(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`, /nested deeper than 20/)
    equal(performance.now() - from < 1_000, true)
  })

  test('with the same key twice is refused, also when one is spelled with an escape', () => {
    refused('{"amount":1,"amount":2}', /same key twice/)
    refused('{"amount":1,"\\u0061mount":2}', /same key twice/)
    refused('{"x":[{"a":1,"b":{"c":1,"c":2}}]}', /same key twice/)
  })

  test('may have a key again in another object', () => {
    deepEqual(read('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] })
  })

  for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    test(`with the key ${key} is refused at any depth, and pollutes nothing`, () => {
      refused(`{"${key}":{"polluted":1}}`, /not allowed/)
      refused(`{"a":[{"${key}":{"polluted":1}}]}`, /not allowed/)
      equal(({} as { polluted?: number }).polluted, undefined)
    })
  }

  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x7b, 0],
  ]) {
    test(`in other bytes than UTF-8 is refused: ${Buffer.from(bytes).toString('hex')}`, () =>
      refused(Buffer.from(bytes), /not UTF-8/))
  }
})

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, member]) => ['__proto__', 'constructor', 'prototype'].includes(key) || hasForbiddenKey(member),
  )
}
