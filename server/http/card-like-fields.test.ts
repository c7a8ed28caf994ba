import { doesNotThrow, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { refuseCardData } from './card-like-fields.ts'

const NUMBER = '4242424242424242'

function refusedField(body: unknown, known: string[] = []): string {
  let field = ''
  throws(
    () => refuseCardData(body, new Set(known)),
    (error) => {
      ok(error instanceof ApiError)
      equal(error.code, 'raw_card_data_not_supported')
      const told = JSON.stringify([error.message, error.detail.errors])
      ok(!told.replace(/\D/g, '').includes(NUMBER), 'the response does not repeat the number')
      field = Object.keys(error.detail.errors ?? {})[0] ?? ''
      return true
    },
  )
  return field
}

describe('Card data where cards are not accepted (API-9, SEC-2)', () => {
  const names = `card number card_number cardNumber CARD-NUMBER cardNum card_no card_data card_details cardInfo creditCard new_card
    payment_card debit_card_number cc-number ccNum ccNo pan full_pan card_pan panNumber primary_account_number accountNumber
    cvc cvv cvv2 CVV cvc2 cvn cav2 ccv csc cid cvv_code cvvCode cvc_number card_cvc cardCvv2 cc_csc securityCode card_security_code
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
    test(`the name ${name} does not mean card data`, () =>
      doesNotThrow(() => refuseCardData({ metadata: { [name]: 'x' } })))
  }

  test('a name in the schema of the route is accepted at the top, and only there', () => {
    doesNotThrow(() => refuseCardData({ number: 'A-1' }, new Set(['number'])))
    equal(refusedField({ inner: { number: 'A-1' } }, ['number']), 'inner.number')
  })

  test('is named without a card number that stands in a key above it', () => {
    equal(refusedField({ metadata: { [NUMBER]: { cvc: 1 } } }), 'metadata')
    equal(refusedField({ [NUMBER]: { cvc: 1 } }), 'body')
  })

  for (const body of [undefined, null, 1, 'card', ['card'], {}]) {
    test(`${JSON.stringify(body)} has none`, () => doesNotThrow(() => refuseCardData(body, new Set())))
  }
})
