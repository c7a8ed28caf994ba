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
  const names = `card number card_number cardNumber CARD-NUMBER cardNum card_no card_data card_details cardInfo creditCard new_card
    payment_card debit_card_number cc-number ccNum ccNo pan full_pan card_pan panNumber primary_account_number accountNumber
    cvc cvv cvv2 CVV cvc2 cvn ccv csc cid cvv_code cvvCode cvc_number card_cvc cardCvv2 cc_csc securityCode card_security_code
    card_verification_code card_verification_value verification_value exp exp_month expMonth exp_year exp_date expDate exp_mm
    exp_yy expire_month expiry expiry_date expiration expirationYear card_expiry card_exp_month cardExpirationDate cc_exp
    valid_thru goodThru track track1 track_2 track_data track2Data track_one magstripe magnetic_stripe pin_block card_pin card[number] source.cvc payment_method_data[card][number]
    a[pan] filter.cvv`
  for (const name of names.split(/\s+/)) {
    test(`is refused under the name ${name}, at any depth, with its dotted name`, () => {
      equal(refusedField({ [name]: '' }), name)
      equal(refusedField({ a: [{ b: { [name]: null } }] }), `a.0.b.${name}`)
    })
  }

  const innocent =
    'customer product price order_id order_number tracking_number tracks expires_at valid_from verification_code company discard cardinal panel span account_id seat_numbers pin_code brand last4 card_brand gift_card cards cardholder_name'
  for (const name of innocent.split(' ')) {
    test(`the name ${name} means no card`, () => doesNotThrow(() => refuseCardData({ metadata: { [name]: 'x' } })))
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
