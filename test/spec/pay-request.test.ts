import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-40, CHK-43: the request, field by field. Requests that are refused here were never sent to the gateway, and do
// not count as attempts (CHK-31).

let service: TestService
let merchant: Merchant
let payer: ReturnType<typeof payerOf>
/** One session for all refusals: none of them may touch it. */
let refused: string
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  payer = payerOf(service)
  refused = await merchant.sessionToken()
})
after(async () => {
  const { checkout_session: session } = (await merchant.details(refused)).body
  deepEqual([session.session_status, session.attempt_count], ['PENDING', 0])
  const log = service.logged()
  equal(/4242424242424242|4000990000009999/.test(log), false, 'a card number was logged')
  await service.close()
})

const OTHER_ID = '0197f9b0-0000-7000-8000-000000000000'

describe('payment_method_type', () => {
  for (const type of [undefined, null, '', 'card', 'NEW_CARD', 1]) {
    test(`${JSON.stringify(type)} is refused`, async () => {
      const response = await payer.pay(refused, { ...payBody(), payment_method_type: type })
      assertRefused(response, 422, 'validation_failed', ['payment_method_type'])
    })
  }

  test('google_pay is known, and refused where the business has it off', async () => {
    const body = { payment_method_type: 'google_pay', amount: 25.5, googlePayToken: '{}' }
    assertRefused(await payer.pay(refused, body), 422, 'validation_failed', ['payment_method_type'])
  })

  test('saved_card names a card: one that this session does not offer is a 404', async () => {
    const body = { payment_method_type: 'saved_card', amount: 25.5, cardId: OTHER_ID }
    assertRefused(await payer.pay(refused, body), 404, 'not_found', ['cardId'])
  })
})

describe('amount', () => {
  test('is the session’s total, to the cent', async () => {
    const token = await merchant.sessionToken({ amount_total: 0.29 })
    assertRefused(await payer.pay(token, { ...payBody(), amount: 0.3 }), 422, 'validation_failed', ['amount'])
    equal((await payer.pay(token, { ...payBody(), amount: 0.29 })).body.ok, true)
  })
  const wrong = [undefined, null, '25.50', 0, -25.5, 25.49, 25.51, 25.501, 2550, 0.1 + 0.2, 1_000_000, [25.5]]
  for (const amount of wrong) {
    test(`${JSON.stringify(amount)} is not: 422`, async () => {
      assertRefused(await payer.pay(refused, { ...payBody(), amount }), 422, 'validation_failed', ['amount'])
    })
  }
})

describe('customerId', () => {
  for (const customerId of ['me', 7]) {
    test(`${JSON.stringify(customerId)} is refused`, async () => {
      assertRefused(await payer.pay(refused, { ...payBody(), customerId }), 422, 'validation_failed', ['customerId'])
    })
  }

  test('unknown, or of another customer than the session’s: 404', async () => {
    assertRefused(await payer.pay(refused, { ...payBody(), customerId: OTHER_ID }), 404, 'not_found')
    const elsewhere = { name: 'Other', email: 'other@example.com' }
    const { customer } = (await payer.customer(await merchant.sessionToken(), elsewhere)).body
    assertRefused(await payer.pay(refused, { ...payBody(), customerId: customer.id }), 404, 'not_found')
  })

  for (const customerId of [null, '']) {
    test(`${JSON.stringify(customerId)} is not given`, async () => {
      const token = await merchant.sessionToken()
      equal((await payer.pay(token, { ...payBody(), customerId })).body.ok, true)
    })
  }

  test('that the payer received is accepted', async () => {
    const token = await merchant.sessionToken()
    const { customer } = (await payer.customer(token, { name: 'Ana', email: 'named@example.com' })).body
    equal((await payer.pay(token, { ...payBody(), customerId: customer.id })).body.ok, true)
    notEqual((await merchant.details(token)).body.checkout_session.customer_id, customer.id)
  })
})

describe('cardData', () => {
  for (const cardData of [undefined, null, 'card', [{}]]) {
    test(`${JSON.stringify(cardData)} is refused for new_card`, async () => {
      assertRefused(await payer.pay(refused, { ...payBody(), cardData }), 422, 'validation_failed', ['cardData'])
    })
  }

  test('[] is the empty map, which lacks each field', async () => {
    const lacking = ['cardNumber', 'cvv', 'month', 'year'].map((field) => `cardData.${field}`)
    assertRefused(await payer.pay(refused, { ...payBody(), cardData: [] }), 422, 'validation_failed', lacking)
  })

  const table: Record<string, { good: unknown[]; bad: unknown[]; number?: string }> = {
    cardNumber: {
      good: [CARDS.visa, '4242 4242 4242 4242', '4242-4242-4242-4242', '2223003122003222'],
      bad: [
        undefined,
        null,
        '',
        4242424242424242,
        '4242424242424241',
        '4242',
        '0000000000000000',
        '42424242424242424242',
        '4242 4242 4242 4242 x',
        '４２４２４２４２４２４２４２４２',
        '4'.repeat(41),
        '4242424242424242\u0000',
      ],
    },
    month: { good: ['1', '01', '12'], bad: [undefined, null, '', 12, '0', '00', '13', '1.', '-1', 'XII', '012'] },
    year: {
      good: [2031, 31, 2046],
      bad: [undefined, null, '2031', '31', 2031.5, 2025, 25, 0, -1, 203, 2047, 99_999, -1e20],
    },
    nameOnCard: {
      good: ['Ana Roy', 'José O’Hara-Łuk', '王小明', 'أنا', 'N'.repeat(255)],
      bad: [undefined, null, '', 1, 'N'.repeat(256), 'a\nb', '4000990000009999', '4000 9900 0000 9999'],
    },
    cvv: { good: ['123', '999'], bad: [undefined, null, '', 123, '12', '1234', '12345', 'abc', '１２３', ' 12'] },
    saveCard: { good: [undefined, null, '', false, true], bad: ['true', 1] },
    address: {
      good: [undefined, null, {}, [], { postalCode: '10001' }, { postalCode: null, line1: null }, { line1: '1 Main' }],
      bad: ['here', 1, ['10001']],
    },
  }
  for (const [field, { good, bad }] of Object.entries(table)) {
    for (const [index, value] of good.entries()) {
      test(`${field} ${JSON.stringify(value)?.slice(0, 40)} is taken`, async () => {
        const token = await merchant.sessionToken({ customer_email: `${field}-${index}@example.com` })
        const { status, body } = await payer.pay(token, payBody(undefined, { [field]: value }))
        equal(status, 200, JSON.stringify(body))
        equal(body.ok, true)
      })
    }
    for (const value of bad) {
      test(`${field} ${JSON.stringify(value)?.slice(0, 40)} is refused, and not repeated`, async () => {
        const response = await payer.pay(refused, payBody(undefined, { [field]: value }))
        assertRefused(response, 422, 'validation_failed', [`cardData.${field}`])
        if (typeof value === 'string' && value.length > 4) equal(JSON.stringify(response.body).includes(value), false)
      })
    }
  }

  for (const [inner, values] of Object.entries({
    postalCode: [1, '1'.repeat(17), 'a\nb'],
    line1: [1, '1'.repeat(256), 'a\u0000'],
  })) {
    for (const value of values) {
      test(`address.${inner} ${JSON.stringify(value).slice(0, 40)} is refused`, async () => {
        const response = await payer.pay(refused, payBody(undefined, { address: { [inner]: value } }))
        assertRefused(response, 422, 'validation_failed', [`cardData.address.${inner}`])
      })
    }
  }

  test('an American Express card has a CVV of four digits', async () => {
    const three = await payer.pay(refused, payBody(CARDS.amex, { cvv: '123' }))
    assertRefused(three, 422, 'validation_failed', ['cardData.cvv'])
    equal((await payer.pay(await merchant.sessionToken(), payBody(CARDS.amex, { cvv: '1234' }))).body.ok, true)
  })

  test('a card is valid until the end of its month', async () => {
    const now = new Date()
    const thisMonth = { month: String(now.getUTCMonth() + 1), year: now.getUTCFullYear() }
    equal((await payer.pay(await merchant.sessionToken(), payBody(undefined, thisMonth))).body.ok, true)
    // Not December: on the first of January it has not ended everywhere.
    const lastYear = { month: '11', year: now.getUTCFullYear() - 1 }
    assertRefused(await payer.pay(refused, payBody(undefined, lastYear)), 422, 'validation_failed', ['cardData.year'])
  })
})

describe('consents', () => {
  const asking = { consent_collection: { terms_of_service: 'required', promotions: 'auto' } }

  for (const consents of [undefined, {}, { terms_of_service: false }, { promotions: true }]) {
    test(`${JSON.stringify(consents)} where terms are required: 422`, async () => {
      const token = await merchant.sessionToken(asking)
      const response = await payer.pay(token, payBody(undefined, {}, { consents }))
      assertRefused(response, 422, 'validation_failed', ['consents.terms_of_service'])
      equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
    })
  }

  for (const [promotions, said] of [
    [true, 'opt_in'],
    [false, 'opt_out'],
    [undefined, 'opt_out'],
  ] as const) {
    test(`accepted, promotions ${promotions}: kept with time and address`, async () => {
      const token = await merchant.sessionToken(asking)
      const consents = { terms_of_service: true, promotions }
      equal((await payer.pay(token, payBody(undefined, {}, { consents }))).body.ok, true)
      const { accepted_at, ...consent } = (await merchant.details(token)).body.checkout_session.consent
      deepEqual(consent, { terms_of_service: 'accepted', promotions: said, ip: '127.0.0.1' })
      equal(Math.abs(Date.parse(accepted_at) - Date.now()) < 60_000, true)
    })
  }

  test('that the session does not ask for is not kept', async () => {
    const token = await merchant.sessionToken()
    await payer.pay(token, payBody(undefined, {}, { consents: { terms_of_service: true, promotions: true } }))
    equal((await merchant.details(token)).body.checkout_session.consent, null)
  })
})

describe('addresses', () => {
  const whole = { line1: '1 Main Street', city: 'New York', state: 'NY', postal_code: '10001', country: 'US' }
  const needed = ['line1', 'city', 'postal_code', 'country']
  const canadian = { line1: '1 Rue Main', city: 'Montreal', state: 'QC', postal_code: 'H2X 1Y4', country: 'CA' }

  for (const kind of ['billing', 'shipping'] as const) {
    const asking = { [`${kind}_address_collection`]: 'required' }
    const field = `${kind}_address`

    test(`${field} where it is required`, async () => {
      const token = await merchant.sessionToken(asking)
      const named = needed.map((part) => `${field}.${part}`)
      assertRefused(await payer.pay(token, payBody()), 422, 'validation_failed', named)
      const { city, ...cityless } = whole
      const response = await payer.pay(token, payBody(undefined, {}, { [field]: cityless }))
      assertRefused(response, 422, 'validation_failed', [`${field}.city`])
      for (const country of ['', null]) {
        const { status, body } = await payer.pay(token, payBody(undefined, {}, { [field]: { ...whole, country } }))
        deepEqual([status, Object.keys(body.errors)], [422, [`${field}.country`]])
      }
      equal((await payer.pay(token, payBody(undefined, {}, { [field]: { city, ...cityless } }))).body.ok, true)
    })

    test(`${field} of the US and Canada needs a state or province where it is required, elsewhere none`, async () => {
      const token = await merchant.sessionToken(asking)
      for (const address of [whole, canadian]) {
        for (const state of [undefined, ' ', '']) {
          const response = await payer.pay(token, payBody(undefined, {}, { [field]: { ...address, state } }))
          assertRefused(response, 422, 'validation_failed', [`${field}.state`])
        }
      }
      const british = { line1: '10 Downing Street', city: 'London', postal_code: 'SW1A 2AA', country: 'GB' }
      equal((await payer.pay(token, payBody(undefined, {}, { [field]: british }))).body.ok, true)
    })

    test(`${field} has a state and a postal code that its country has, also where it is not asked for`, async () => {
      const token = await merchant.sessionToken()
      const wrong: [object, string][] = [
        [{ ...whole, state: 'ON' }, 'state'],
        [{ ...whole, state: 'ZZ' }, 'state'],
        [{ ...canadian, state: 'NY' }, 'state'],
        [{ ...whole, postal_code: 'H2X 1Y4' }, 'postal_code'],
        [{ ...whole, postal_code: '1000' }, 'postal_code'],
        [{ ...canadian, postal_code: '10001' }, 'postal_code'],
        [{ ...whole, postal_code: '12345678901' }, 'postal_code'],
        [{ country: 'US', postal_code: 'x' }, 'postal_code'],
      ]
      for (const [address, part] of wrong) {
        const body = payBody(undefined, { address: {} }, { [field]: address })
        assertRefused(await payer.pay(token, body), 422, 'validation_failed', [`${field}.${part}`])
      }
    })

    test(`${field} country is one that there is`, async () => {
      const token = await merchant.sessionToken()
      for (const country of ['ZZ', 'XX', 'EU', 'UK', 'AA', 'SU']) {
        const response = await payer.pay(token, payBody(undefined, {}, { [field]: { ...whole, country } }))
        assertRefused(response, 422, 'validation_failed', [`${field}.country`])
      }
    })

    test(`${field} with collection auto may be left out`, async () => {
      const token = await merchant.sessionToken({ [`${kind}_address_collection`]: 'auto' })
      equal((await payer.pay(token, payBody())).body.ok, true)
    })

    test(`${field} country is two capital letters`, async () => {
      for (const country of ['USA', 'us', 1]) {
        const response = await payer.pay(refused, payBody(undefined, {}, { [field]: { ...whole, country } }))
        assertRefused(response, 422, 'validation_failed', [`${field}.country`])
      }
    })
  }

  test('the postal code of the card has at most ten characters', async () => {
    const long = payBody(undefined, { address: { postalCode: '12345678901' } })
    assertRefused(await payer.pay(refused, long), 422, 'validation_failed', ['cardData.address.postalCode'])
  })
})
