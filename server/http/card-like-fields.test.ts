import { doesNotThrow, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withCheckDigit } from '../../test/support/card-numbers.ts'
import { ApiError } from '../lib/errors.ts'
import { refuseCardData } from './card-like-fields.ts'

const NUMBER = '4242424242424242'

function refusedField(body: unknown, known: string[] = [], texts: string[] = []): string {
  let field = ''
  throws(
    () => refuseCardData(body, new Set(known), new Set(texts)),
    (error) => {
      ok(error instanceof ApiError)
      equal(error.code, 'raw_card_data_not_supported')
      const told = JSON.stringify([error.message, error.detail.errors])
      ok(!told.replace(/\D/g, '').includes(NUMBER), 'the answer does not repeat the number')
      field = Object.keys(error.detail.errors ?? {})[0] ?? ''
      return true
    },
  )
  return field
}

describe('Card data where no card may be sent (contract 8)', () => {
  const names =
    'card number card_number cardNumber CARD-NUMBER pan cvc cvv cvv2 CVV exp_month expMonth expiry track1 track_2 securityCode card[number] creditCard cc-number'
  for (const name of names.split(' ')) {
    test(`is refused under the name ${name}, at any depth, with its dotted name`, () => {
      equal(refusedField({ [name]: '' }), name)
      equal(refusedField({ a: [{ b: { [name]: null } }] }), `a.0.b.${name}`)
    })
  }

  test('a name that the route knows is let through at the top, and only there', () => {
    doesNotThrow(() => refuseCardData({ number: 'A-1' }, new Set(['number'])))
    equal(refusedField({ inner: { number: 'A-1' } }, ['number']), 'inner.number')
  })

  const spelled = [
    NUMBER,
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242–4242–4242–4242',
    '4242\u00a04242\u00a04242\u00a04242',
    `${NUMBER}\n`,
    Number(NUMBER),
    '378282246310005',
    '6304000000000000',
  ]
  for (const value of spelled) {
    test(`is refused as a value of metadata: ${JSON.stringify(value)}`, () => {
      equal(refusedField({ metadata: { order: value } }), 'metadata.order')
    })
  }

  test('of any network, also of none: 13 to 19 digits that pass Luhn', () => {
    for (const digits of ['123456789012', '9'.repeat(15), '000000000000', '9'.repeat(18)].map(withCheckDigit)) {
      equal(refusedField({ metadata: { ref: digits } }), 'metadata.ref')
    }
  })

  test('is refused as a key, without being repeated', () => {
    equal(refusedField({ metadata: { [NUMBER]: 'x' } }), 'metadata')
    equal(refusedField({ [NUMBER]: { cvc: 1 } }), 'body')
  })

  test('is refused in the place of metadata, and in the texts that the route names', () => {
    equal(refusedField({ metadata: NUMBER }), 'metadata')
    equal(refusedField({ items: [{ description: NUMBER }] }, [], ['description']), 'items.0.description')
    doesNotThrow(() => refuseCardData({ description: NUMBER }))
  })

  const harmless = [
    '4242424242424241',
    '123456789012',
    '42424242424242424242',
    'order 4242424242424242',
    42,
    true,
    null,
    '',
  ]
  for (const value of harmless) {
    test(`${JSON.stringify(value)} in metadata is no card`, () => {
      doesNotThrow(() => refuseCardData({ metadata: { order: value } }, new Set()))
    })
  }

  for (const body of [undefined, null, 1, 'card', ['card'], {}]) {
    test(`${JSON.stringify(body)} has none`, () => doesNotThrow(() => refuseCardData(body, new Set())))
  }
})
