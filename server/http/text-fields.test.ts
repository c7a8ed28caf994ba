import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { Line, Metadata, Opaque, Uuid } from '../../contract/formats.ts'
import { ApiError } from '../lib/errors.ts'
import { validatorOf } from './schema-validator.ts'
import { textReader } from './text-fields.ts'

const NUMBER = '4242424242424242'
const SPELLINGS = [
  NUMBER,
  Number(NUMBER),
  '4242 4242 4242 4242',
  'order 12, 4242-4242-4242-4242',
  '4242%204242%2D4242%204242',
]

function refusedField(value: unknown, read = textReader()): string {
  let field = ''
  throws(
    () => read(value),
    (error) => {
      ok(error instanceof ApiError)
      equal(error.code, 'validation_failed')
      ok(!/\d{4}/.test(JSON.stringify([error.message, error.detail.errors])), 'the number is not repeated')
      field = Object.keys(error.detail.errors ?? {})[0] ?? ''
      return true
    },
  )
  return field
}

describe('A card number in a text', () => {
  for (const value of SPELLINGS) {
    test(`${JSON.stringify(value)} is refused wherever it stands, naming the field`, () => {
      equal(refusedField({ note: value }), 'note')
      equal(refusedField({ line_items: [{}, { name: value }] }), 'line_items.1.name')
      equal(refusedField({ metadata: { a: 1, b: value } }), 'metadata.b')
      equal(refusedField([[value]]), '0.0')
      equal(refusedField(value), 'body')
    })
  }

  test('is refused as a key, and the object is named', () => {
    equal(refusedField({ metadata: { [NUMBER]: 'x' } }), 'metadata')
    equal(refusedField({ 'n 4242 4242 4242 4242': 1 }), 'body')
  })

  test('is refused before anything else that is wrong, with the code of the route', () => {
    const read = validatorOf(
      Type.Object({ name: Line(10), count: Type.Integer() }),
      'body',
      'raw_card_data_not_supported',
    )
    throws(
      () => read({ name: 'x'.repeat(99), count: 'y', other: NUMBER }),
      (error) =>
        error instanceof ApiError &&
        error.code === 'raw_card_data_not_supported' &&
        'other' in (error.detail.errors ?? {}),
    )
  })
})

describe('A string that is not text', () => {
  const Schema = Type.Object({
    secret: Opaque(100),
    number: Type.String({ format: 'card-number' }),
    id: Uuid(),
    list: Type.Array(Type.Object({ token: Opaque(100), note: Type.Optional(Type.String()) })),
    metadata: Type.Optional(Metadata()),
  })
  const good = { secret: NUMBER, number: NUMBER, id: '019aabcd-0000-7000-8000-000000000000', list: [{ token: NUMBER }] }

  test('is marked by the schema, and may contain a number unchanged', () => {
    const given = { ...good, secret: `e\u0301 ${NUMBER}` }
    deepEqual(textReader(Schema)(given), given)
  })

  test('is exempt at that place only', () => {
    equal(refusedField({ ...good, list: [{ token: NUMBER, note: NUMBER }] }, textReader(Schema)), 'list.0.note')
    equal(refusedField({ ...good, secret: [NUMBER] }, textReader(Schema)), 'secret.0')
    equal(refusedField({ ...good, metadata: { secret: NUMBER } }, textReader(Schema)), 'metadata.secret')
  })
})

describe('Text is read in NFC', () => {
  test('values and keys, at any depth', () => {
    deepEqual(textReader()({ 'e\u0301': ['Zoe\u0308', { k: 'A\u030a' }] }), { é: ['Zoë', { k: 'Å' }] })
  })

  test('and counted in it, in code points', () => {
    const read = validatorOf(Type.Object({ name: Line(3) }))
    deepEqual(read({ name: 'e\u0301e\u0301e\u0301' }), { name: 'ééé' })
    deepEqual(read({ name: '🎂🎂🎂' }), { name: '🎂🎂🎂' })
    throws(() => read({ name: '🎂🎂🎂🎂' }))
  })

  test('other values stay unchanged', () => {
    for (const value of [null, undefined, 1, true, 'x', [], {}]) deepEqual(textReader()(value), value)
  })
})
