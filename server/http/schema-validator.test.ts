import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import { CheckoutSessionCreate } from '../../contract/checkout-session.ts'
import { Amount, Day, Email, Line, Metadata, OneOf, Paragraph, Refused, Url, Uuid } from '../../contract/formats.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { ApiError, type ErrorDetail } from '../lib/errors.ts'
import { validatorOf } from './schema-validator.ts'

function detailOf(schema: TSchema, value: unknown, part?: 'querystring'): ErrorDetail {
  try {
    validatorOf(schema, part)(value)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation_failed') return error.detail
    throw error
  }
  throw new Error(`${JSON.stringify(value)} was accepted`)
}

/** Returns the messages for a field with that schema. */
const texts = (schema: TSchema, value: unknown) =>
  detailOf(Type.Object({ field: schema }), { field: value }).errors?.field
const accepted = (schema: TSchema, value: unknown) => ok(validatorOf(Type.Object({ field: schema }))({ field: value }))

const ID = '01a20155-94b5-70c3-8dbd-0fcf30a8739d'
const AMOUNT = 'must be an amount from 0 to 999999.99 with at most two decimals'
const LINE = 'must be one line of text without control characters'

describe('The message of a wrong field', () => {
  const rows: [name: string, schema: TSchema, value: unknown, texts: string[]][] = [
    ['text', Type.String(), 1, ['must be a string']],
    ['whole number', Type.Integer(), 1.5, ['must be an integer']],
    ['object', Type.Object({}), 1, ['must be an object']],
    ['list', Type.Array(Type.String()), {}, ['must be an array']],
    ['yes or no', Type.Boolean(), 'true', ['must be a boolean']],
    ['word', OneOf(['a', 'b']), 'c', ['must be one of a, b']],
    ['the only word', Type.Literal('card'), 'cash', ['must be one of card']],
    ['what is not theirs to say', Refused('is taken from the business'), 'usd', ['is taken from the business']],
    ['empty line', Line(3), '', ['must not be empty']],
    ['long line', Line(3), 'abcd', ['must have at most 3 characters']],
    ['short text', Type.String({ minLength: 2 }), 'a', ['must have at least 2 characters']],
    ['short list', Type.Array(Type.String(), { minItems: 1 }), [], ['must not be empty']],
    ['long list', Type.Array(Type.String(), { maxItems: 1 }), ['', ''], ['must have at most 1 elements']],
    ['amount with a fraction of a cent', Amount(), 12.345, [AMOUNT]],
    ['amount as text', Amount(), '12.50', ['must be a number']],
    ['too small an amount', Amount(0.01), 0, ['must be at least 0.01']],
    ['too large an amount', Amount(), 1_000_000, ['must be at most 999999.99']],
    ['null in place of a word', OneOf(['a', 'b']), null, ['must be one of a, b']],
    ['share', Type.Number({ exclusiveMinimum: 0 }), 0, ['must be more than 0']],
    ['e-mail', Email(), 'ana@', ['must be one e-mail address, such as ana@example.com']],
    ['URL', Url(), '/thanks', ['must be an absolute URL']],
    ['id', Uuid(), '{019aabcd-0000-7000-8000-000000000000}', ['must be a UUID']],
    ['day', Day(), '2026-02-30', ['must be a date, YYYY-MM-DD']],
    ['day of a year that is not', Day(), '0000-03-01', ['must be a date, YYYY-MM-DD']],
    ['line with a line break', Line(9), 'a\nb', [LINE]],
    ['paragraph with NUL', Paragraph(9), 'a\0b', ['must be text without control characters']],
  ]
  for (const [name, schema, value, expected] of rows) {
    test(name, () => deepEqual(texts(schema, value), expected))
  }

  test('names a missing field, an inner one with dots and its index', () => {
    const schema = Type.Object({ items: Type.Array(Type.Object({ total: Amount() })) })
    deepEqual(detailOf(schema, {}).errors, { items: ['is required'] })
    deepEqual(detailOf(schema, { items: [{ total: 1 }, {}] }).errors, { 'items.1.total': ['is required'] })
  })

  test('names a body that is not an object body, and a query querystring', () => {
    const schema = Type.Object({ a: Type.String() })
    for (const value of [undefined, null, [1], 1, 'text', true]) {
      deepEqual(detailOf(schema, value).errors, { body: ['must be an object'] })
    }
    deepEqual(detailOf(schema, null, 'querystring').errors, { querystring: ['must be an object'] })
  })

  test('names every wrong field, and repeats the first one in the message', () => {
    const { message, errors } = detailOf(Type.Object({ a: Amount(), b: Uuid() }), { a: -1, b: '' })
    deepEqual(Object.keys(errors ?? {}), ['a', 'b'])
    equal(message, 'a must be at least 0')
  })

  test('truncates a long name', () => {
    const schema = Type.Object({ metadata: Metadata() })
    const { message, errors } = detailOf(schema, { metadata: { ['k'.repeat(60_000)]: 1 } })
    deepEqual(Object.keys(errors ?? {}), [`metadata.${'k'.repeat(191)}`])
    ok(message.length < 300)
  })

  test('names 50 of 400 wrong elements, so that the response is not larger than the request', () => {
    const { errors } = detailOf(Type.Object({ a: Type.Array(Uuid()) }), { a: Array(400).fill('') })
    equal(Object.keys(errors ?? {}).length, 50)
  })

  describe('names only the first wrong field of a body with more than 500 values, because each costs time', () => {
    const { line_items, discounts, metadata } = CheckoutSessionCreate.properties
    const schema = Type.Object({
      line_items: Type.Optional(line_items),
      discounts: Type.Optional(discounts),
      metadata: Type.Optional(metadata),
      deep: Type.Optional(Type.Array(Type.Object({ list: Type.Array(Uuid()) }))),
      word: Type.Optional(Uuid()),
    })
    const broken = { name: 1, quantity: 'x', total: 'y', unit_amount: [] }
    const rows: [name: string, value: unknown, field: string][] = [
      ['empty line items', { line_items: Array(20_000).fill({}) }, 'line_items'],
      ['line items that are not objects', { line_items: Array(20_000).fill(0) }, 'line_items'],
      ['line items wrong in every field', { line_items: Array(1_000).fill(broken) }, 'line_items'],
      ['discounts', { discounts: Array(20_000).fill({}) }, 'discounts'],
      [
        'metadata',
        { metadata: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`\u0001${n}`, {}])) },
        'metadata',
      ],
      ['what is wrong deep inside', { deep: [{ list: Array(1_000).fill('') }] }, 'deep.0.list.0'],
      ['what is wrong beside it', { deep: [{ list: Array(1_000).fill(ID) }], word: 'x' }, 'word'],
    ]
    for (const [name, value, field] of rows) {
      test(name, () => deepEqual(Object.keys(detailOf(schema, value).errors ?? {}), [field]))
    }

    test('a large body without a fault is accepted', () => {
      ok(validatorOf(schema)({ deep: [{ list: Array(1_000).fill(ID) }] }))
    })
  })

  test('says that a parameter of a query was repeated', () => {
    const schema = Type.Object({ limit: Type.Optional(Type.Integer()), customer: Type.Optional(Line(9)) })
    const twice = { limit: ['1', '2'], customer: ['a', 'b'] }
    deepEqual(detailOf(schema, twice, 'querystring').errors, {
      limit: ['must be sent only once'],
      customer: ['must be sent only once'],
    })
  })

  test('says of a card number that was sent as a number where one is taken that it must be text', () => {
    const schema = Type.Object({ cardNumber: Type.String({ format: 'card-number' }), name: Type.Optional(Line(20)) })
    deepEqual(detailOf(schema, { cardNumber: 4242424242424242 }).errors, { cardNumber: ['must be a string'] })
    deepEqual(detailOf(schema, { cardNumber: '1', name: 4242424242424242 }).errors, {
      name: ['must not contain a card number'],
    })
  })

  test('never repeats the value', () => {
    const schema = Type.Object({ n: Line(3), e: Email(), i: Type.Integer() })
    const { message, errors } = detailOf(schema, {
      n: '4242424242424242',
      e: '4242424242424242',
      i: '4242424242424242',
    })
    ok(!`${message}${JSON.stringify(errors)}`.includes('4242'))
  })
})

describe('Members that a schema does not know', () => {
  const schema = Type.Object({
    address: Type.Optional(Type.Object({ city: Type.Optional(Line(9)) })),
    items: Type.Optional(Type.Array(Type.Object({ name: Line(9) }))),
    metadata: Type.Optional(Metadata()),
  })

  test('are left out at every depth, so that nobody stores or repeats them; CHK-3', () => {
    const sent = { a: 1, address: { city: 'Oslo', b: { c: 1 } }, items: [{ name: 'Tea', d: [1] }] }
    deepEqual(validatorOf(schema)(sent), { address: { city: 'Oslo' }, items: [{ name: 'Tea' }] })
    deepEqual(sent.address, { city: 'Oslo', b: { c: 1 } }, 'what was sent is not changed')
  })

  test('are kept where the schema speaks of them: to take them, or to refuse them', () => {
    const open = Type.Object({ a: Type.Optional(Line(9)) }, { additionalProperties: true })
    deepEqual(validatorOf(open)({ a: 'x', b: [1] }), { a: 'x', b: [1] })
    const closed = Type.Object({ a: Type.Optional(Line(9)) }, { additionalProperties: false })
    throws(() => validatorOf(closed)({ b: 1 }), ApiError)
  })

  test('are refused with a card number in them all the same', () => {
    deepEqual(detailOf(schema, { address: { card: '4242424242424242' } }).errors, {
      'address.card': ['must not contain a card number'],
    })
  })

  test('are kept where every key is taken', () => {
    const sent = { metadata: { a: 1, b: 'x', ' ': true } }
    deepEqual(validatorOf(schema)(sent), sent)
  })
})

describe('Text', () => {
  const foul = {
    NUL: '\0',
    'a lone surrogate': '\ud800',
    ESC: '\u001b[31m',
    'carriage return': '\r',
    'line separator': '\u2028',
  }
  for (const [name, text] of Object.entries(foul)) {
    test(`with ${name} is refused in a line, a URL and a key of metadata`, () => {
      deepEqual(texts(Line(20), `a${text}b`), [LINE])
      ok(texts(Url(), `https://shop.example/${text}`))
      ok(detailOf(Type.Object({ field: Metadata() }), { field: { [`a${text}`]: 'x' } }))
    })
  }
  for (const text of ['Ana 🎂', 'مرحبا', 'a\u202eb', `e${'\u0301'.repeat(200)}`]) {
    test(`of people is accepted: ${JSON.stringify(text.slice(0, 8))}`, () => accepted(Line(255), text))
  }
  test('may have line breaks and tabs in a paragraph', () => accepted(Paragraph(20), 'a\n\tb\r\n'))
})

describe('Numbers', () => {
  for (const number of [JSON.parse('1e309'), JSON.parse('-1e309'), Number.NaN]) {
    test(`${number} is not a number, a whole number or an amount`, () => {
      for (const schema of [Type.Number(), Type.Integer(), Amount(), Metadata()]) {
        ok(detailOf(Type.Object({ field: schema }), { field: schema.type === 'object' ? { a: number } : number }))
      }
    })
  }
  for (const amount of [0.1 + 0.2, 1e-7, Number('99999999999999.99'), 1.005, 0.001]) {
    test(`${amount} is not an amount`, () => ok(texts(Amount(), amount)))
  }
  test('-0 is 0', () => {
    accepted(Amount(), -0)
    deepEqual(texts(Amount(0.01), -0), ['must be at least 0.01'])
  })
  test('may be text in a query, but not in a body', () => {
    const schema = Type.Object({ page: Type.Integer() })
    deepEqual(validatorOf(schema, 'querystring')({ page: '2' }), { page: 2 })
    throws(() => validatorOf(schema)({ page: '2' }), ApiError)
  })

  test('that are not decimal are refused in a query, also where the schema has a maximum', () => {
    const schema = Type.Object({ page: Type.Integer({ maximum: 9 }), share: Type.Optional(Type.Number()) })
    for (const page of ['1e309', '-1e309', 'Infinity', 'NaN']) {
      deepEqual(Object.keys(detailOf(schema, { page }, 'querystring').errors ?? {}), ['page'])
      deepEqual(Object.keys(detailOf(schema, { page: '1', share: page }, 'querystring').errors ?? {}), ['share'])
    }
  })

  test('a text in a query may look like such a number', () => {
    const schema = Type.Object({ customer: Line(255) })
    for (const customer of ['Infinity', '-Infinity', '1e309'])
      deepEqual(validatorOf(schema, 'querystring')({ customer }), { customer })
  })
})

describe('E-mail addresses', () => {
  for (const email of ['ana@example.com', "o'neil+tag@mail.example.co", 'a@b.ca']) {
    test(`${email} is one`, () => accepted(Email(), email))
  }
  const wrong = [
    'a@b, c@d.com',
    '"x@evil.com"@ok.com',
    'Ana <a@b.com>',
    'a@b',
    'a@-b.com',
    'a@b..com',
    'a@bü',
    'ü@b.com',
    'a b@c.com',
    'a@b.com\nx',
  ]
  for (const email of wrong) {
    test(`${JSON.stringify(email)} is none`, () => ok(texts(Email(), email)))
  }
})

test('no format is slow on 100,000 characters (ReDoS)', () => {
  const long = [
    `${'a'.repeat(50_000)}@${'a.'.repeat(25_000)}`,
    `a@${'a-'.repeat(50_000)}`,
    '2026-'.repeat(20_000),
    'http://'.repeat(14_000),
  ]
  for (const format of ['line', 'paragraph', 'email', 'url', 'uuid', 'date']) {
    const check = validatorOf(Type.Object({ field: Type.String({ format }) }))
    const timed = (text: string) => {
      const from = cpuMs()
      try {
        check({ field: text })
      } catch {}
      return cpuMs() - from
    }
    for (const text of long) {
      // The first calls compile the schema, and another process may take the processor.
      const ms = Math.min(...[1, 2, 3].map(() => timed(text)))
      ok(ms < 50, `${format} took ${ms} ms`)
    }
  }
})
