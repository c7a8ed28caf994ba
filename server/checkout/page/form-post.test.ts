import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { payRequestFrom } from './form-post.ts'

describe('The form without JavaScript', () => {
  test('leaves an expiry that cannot be read to the check of the request', () => {
    const { cardData } = payRequestFrom({ exp: 'soon' }, 25.5)
    deepEqual([cardData?.month, cardData?.year], ['', 0])
  })

  test('ignores a shipping address that has only a country', () => {
    equal(payRequestFrom({ shipping_country: 'CA' }, 25.5).shipping_address, undefined)
  })

  test('ships to the billing address when its box is ticked', () => {
    const request = payRequestFrom(
      { country: 'CA', state_ca: 'QC', state_us: 'NY', line1: '1 rue', same_as_billing: 'on' },
      25.5,
    )
    deepEqual(request.shipping_address, { line1: '1 rue', state: 'QC', country: 'CA' })
    deepEqual(request.billing_address, request.shipping_address)
  })

  test('pays with the selected saved card, whatever the fields of a new card contain', () => {
    const request = payRequestFrom(
      { payment_method: 'saved:0190a000-0000-7000-8000-000000000000', cardnumber: '4' },
      25.5,
    )
    deepEqual(
      [request.payment_method_type, request.cardId, request.cardData],
      ['saved_card', '0190a000-0000-7000-8000-000000000000', undefined],
    )
    equal(payRequestFrom({ payment_method: 'new_card' }, 25.5).payment_method_type, 'new_card')
  })

  test('sends the total that the page showed', () => {
    equal(payRequestFrom({ amount: '26.11' }, 25.5).amount, 26.11)
    equal(payRequestFrom({}, 25.5).amount, 25.5)
  })

  test('reads an unticked box as false', () => {
    const { consents, cardData } = payRequestFrom({ promotions: 'on' }, 25.5)
    deepEqual(consents, { terms_of_service: false, promotions: true })
    equal(cardData?.saveCard, false)
  })
})
