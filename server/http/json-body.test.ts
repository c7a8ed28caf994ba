import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { ApiError } from '../lib/errors.ts'
import { parseJsonBody } from './json-body.ts'

const read = (text: string) => parseJsonBody(Buffer.from(text))
const refused = (body: string | Buffer, message: RegExp) =>
  throws(
    () => parseJsonBody(Buffer.from(body)),
    (error) => error instanceof ApiError && error.code === 'validation_failed' && message.test(error.message),
  )

function refusedField(text: string): string {
  let field = ''
  throws(
    () => read(text),
    (error) => {
      field = error instanceof ApiError ? (Object.keys(error.detail.errors ?? {})[0] ?? '') : ''
      return error instanceof ApiError && error.code === 'validation_failed'
    },
  )
  return field
}

describe('A JSON body', () => {
  test('is read as JSON.parse reads it, when it has nothing that is refused', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        fc.pre(!hasForbiddenKey(JSON.parse(text)) && !/\d{16}/.test(text))
        deepEqual(read(text), JSON.parse(text))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('that is empty counts as absent', () => {
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
    const from = cpuMs()
    refused(nested(100_000), /nested deeper than 20/)
    refused(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`, /nested deeper than 20/)
    equal(cpuMs() - from < 1_000, true)
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

  test('may have a constructor or a prototype other than an object', () => {
    for (const key of ['constructor', 'prototype']) {
      const { metadata } = read(`{"metadata":{"${key}":"Roy & Sons"}}`) as { metadata: object }
      deepEqual(Object.entries(metadata), [[key, 'Roy & Sons']])
    }
  })

  const kept = [
    '0',
    '-0',
    '1',
    '1.0',
    '10.10',
    '1e2',
    '1E+2',
    '100e-2',
    '0.1',
    '0.30000000000000004',
    '29.949999999999999',
    '2.9949999999999999e1',
    '999999.99',
    '-12.5',
  ]
  const long = [
    '9007199254740992',
    '-9007199254740992',
    '1e15',
    '1e16',
    '-3.3971895891380964e+215',
    '123456789.123456',
    '5e-324',
    '0e999999',
    '0.000e-5',
    '00'.slice(1),
  ]
  for (const number of [...kept, ...long]) {
    test(`keeps the number ${number}`, () => deepEqual(read(`{"n":${number}}`), { n: Number(number) }))
  }

  const lost = [
    ...[
      '9007199254740993',
      '-9007199254740993',
      '9007199254740994',
      '12345678901234567890',
      '1e400',
      '-1e400',
      '1e-400',
    ],
    ...[
      '0.1000000000000000055511151231257827',
      '10.100000000000000001',
      '25.500000000000000001',
      '29.949999999999998',
      '1.7976931348623159e308',
      '4.9e-324',
      '123456789012.123456789',
    ],
  ]
  for (const number of lost) {
    test(`refuses the number ${number}, which is not exact, and names it`, () => {
      equal(refusedField(`{"amount_total":${number}}`), 'amount_total')
      equal(refusedField(`{"a":1,"metadata":{"b":[1,{"c":${number}}]}}`), 'metadata.b.1.c')
      equal(refusedField(number), 'body')
      equal(refusedField(`{"metadata":{"4242 4242 4242 4242":${number}}}`), 'metadata')
    })
  }

  test('refuses a card number that is not an exact double as a card number, without repeating it', () => {
    throws(
      () => read('{"metadata":{"order":6304000000000000000}}'),
      (error) =>
        error instanceof ApiError && !/\d{5}/.test(error.message) && 'metadata.order' in (error.detail.errors ?? {}),
    )
  })

  test('may begin with a byte order mark, which is skipped; a second one is not', () => {
    deepEqual(read('\ufeff{"a":"\ufeff"}'), { a: '\ufeff' })
    refused('\ufeff\ufeff{}', /not valid JSON/)
    refused('\ufeff{"a":1', /not valid JSON/)
  })

  test('is refused in no time for a number of any length', () => {
    const from = cpuMs()
    for (const digits of [`0.1${'0'.repeat(64_000)}1`, `1${'0'.repeat(64_000)}1.5`, '9'.repeat(64_000)])
      equal(refusedField(`{"a":${digits}}`), 'a')
    ok(cpuMs() - from < 100)
  })

  test('treats two spellings of one key as the same key', () => refused('{"e\u0301":1,"\u00e9":2}', /same key twice/))

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

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, member]) =>
      key === '__proto__' ||
      (['constructor', 'prototype'].includes(key) && isObject(member)) ||
      hasForbiddenKey(member),
  )
}
