import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { Email, Line, Metadata, Name, Nullable, Phone, Uuid } from '../../contract/formats.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { validatorOf } from './schema-validator.ts'

const Input = Type.Object({
  name: Name(20),
  id: Type.Optional(Uuid()),
  email: Type.Optional(Email()),
  phone: Type.Optional(Phone()),
  note: Type.Optional(Line(20)),
  count: Type.Optional(Type.Integer()),
  clearable: Type.Optional(Nullable(Line(20))),
  metadata: Type.Optional(Metadata()),
  inner: Type.Optional(Type.Object({ city: Type.Optional(Line(20)) })),
  list: Type.Optional(Type.Array(Type.Object({ id: Uuid(), code: Type.Optional(Line(5)) }))),
})
const read = validatorOf<Record<string, unknown>>(Input)
const change = validatorOf<Record<string, unknown>>(Input, 'change')

function refusal(check: () => unknown): string {
  let text = ''
  throws(check, (error) => {
    ok(error instanceof ApiError)
    text = error.message
    return true
  })
  return text
}

describe('API-24: input is read as common languages write it', () => {
  for (const nothing of [null, '', '   ', '\u00a0']) {
    test(`${JSON.stringify(nothing)} in an optional field of a create is a field that is not given`, () => {
      const all = { id: nothing, email: nothing, phone: nothing, note: nothing, count: nothing, metadata: nothing }
      deepEqual(read({ name: 'Ana', ...all, inner: { city: nothing } }), { name: 'Ana', inner: {} })
      deepEqual(read({ name: 'Ana', list: [{ id: newId().toLowerCase(), code: nothing }] }).list?.constructor, Array)
    })
    test(`${JSON.stringify(nothing)} in a required field is refused as before`, () => {
      ok(/^name must /.test(refusal(() => read({ name: nothing }))))
    })
    test(`${JSON.stringify(nothing)} in a change differs from an absent field`, () => {
      if (nothing === null) deepEqual(change({ name: 'Ana', clearable: null }), { name: 'Ana', clearable: null })
      else ok(refusal(() => change({ name: 'Ana', id: nothing })))
    })
  }

  test('ids in capitals are ids in lower case, at any depth', () => {
    const id = newId()
    deepEqual(read({ name: 'Ana', id: id.toUpperCase(), list: [{ id: id.toUpperCase() }] }), {
      name: 'Ana',
      id,
      list: [{ id }],
    })
    equal(
      refusal(() => read({ name: 'Ana', id: `{${id}}` })),
      'id must be a UUID',
    )
  })

  test('names, e-mail addresses and phone numbers are trimmed; other texts are not', () => {
    const given = { name: '\t Ana\n', email: ' ana@example.com ', phone: ' +15145550100', note: ' x ' }
    deepEqual(read(given), { name: 'Ana', email: 'ana@example.com', phone: '+15145550100', note: ' x ' })
  })

  test('an empty list is an empty map where a map is wanted, and a list where a list is', () => {
    deepEqual(read({ name: 'Ana', metadata: [], inner: [], list: [] }), {
      name: 'Ana',
      metadata: {},
      inner: {},
      list: [],
    })
    ok(refusal(() => read({ name: 'Ana', metadata: [1] })))
    ok(refusal(() => read({ name: 'Ana', note: [] })))
  })

  test('a blank parameter of a query is one that is not given', () => {
    const query = validatorOf<object>(
      Type.Object({ id: Type.Optional(Uuid()), limit: Type.Optional(Type.Integer()) }),
      'querystring',
    )
    deepEqual(query({ id: '', limit: ' ' }), {})
    ok(refusal(() => query({ limit: ['', '1'] })))
  })

  test('the domain of an e-mail address may be internationalized, the part before the @ may not', () => {
    for (const email of ['ana@müller.example', 'ana@例え.テスト', 'ana@MÜLLER.example', 'a.b+c@почта.рф'])
      equal(read({ name: 'Ana', email }).email, email)
    for (const email of ['zoë@example.com', 'zoë@müller.example'])
      ok(/before the @$/.test(refusal(() => read({ name: 'Ana', email }))), email)
    for (const email of [
      'ana@mü ller.example',
      'ana@müller',
      'ana@１２７.０.０.１',
      'ana@a。b.ü',
      'ana@-ü-.example/x',
      '@ü.example',
    ])
      ok(/^email must be one e-mail address/.test(refusal(() => read({ name: 'Ana', email }))), email)
  })
})
