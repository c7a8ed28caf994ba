import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf, SESSION } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-6 to CHK-9; ATT-68, ATT-69. The demo client is registered with https://shop.example.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  // Before the first call, so that no caller is cached with other settings.
  await setBusiness(service, { terms_url: null })
  merchant = merchantOf(service)
})
after(() => service.close())

const FIELDS = ['success_url', 'cancel_url']

describe('rule 1: success_url and cancel_url are on the origin of the registered redirect URL', () => {
  const good = [
    'https://shop.example',
    'HTTPS://SHOP.EXAMPLE/Thanks',
    'https://shop.example:443/thanks',
    'https://shop.example/thanks?next=https://evil.example/#top',
    'https://shop.example/dankeschön/谢谢',
    'https://shop.example/@evil.example',
  ]
  const elsewhere = [
    'https://evil.example/thanks',
    'https://shop.example.evil.example/',
    'https://evil-shop.example/',
    'https://www.shop.example/',
    'https://shop.example:8443/',
    'https://shop.example:80/',
    'https://shop.example./',
    'https://shор.example/', // The о and the р are Cyrillic.
    'https://xn--sh-flcb.example/',
    'https://shop.example%2eevil.example/',
    'https://127.0.0.1/',
  ]
  const unsafe = [
    'http://shop.example/',
    'http://localhost:3000/',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'javascript://shop.example/%0aalert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'blob:https://shop.example/0',
    'https://shop@evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:443@evil.example/',
    'https://ana:secret@shop.example/',
    'https://ana@shop.example/',
    'https://@shop.example/',
    'https://shop.example\\@evil.example/',
    'https://shop\\@evil.example/',
    'https:\\\\shop.example\\',
    'https://shop.example/a b',
    ' https://shop.example/',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
  ]
  const both = (url: string) => merchant.createSession({ success_url: url, cancel_url: url })

  for (const url of good) {
    test(`${url} is taken`, async () => equal((await both(url)).status, 200))
  }
  for (const url of elsewhere) {
    test(`${url} is of another origin`, async () => {
      const response = await both(url)
      assertRefused(response, 422, 'origin_mismatch', FIELDS)
      match(response.body.message, /https:\/\/shop\.example/)
    })
  }
  for (const url of [...unsafe, '//evil.example', '//shop.example/', '/thanks']) {
    test(`${url} is refused`, async () => assertRefused(await both(url), 422, 'validation_failed', FIELDS))
  }

  for (const field of FIELDS) {
    test(`each is checked by itself: ${field}`, async () => {
      const elsewhere = await merchant.createSession({ [field]: 'https://evil.example/' })
      assertRefused(elsewhere, 422, 'origin_mismatch', [field])
      assertRefused(await merchant.createSession({ [field]: 'http://a.example' }), 422, 'validation_failed', [field])
    })
  }
})

describe('rule 1: the Origin header', () => {
  const create = (headers: Record<string, string>) => merchant.post('/checkout/create', SESSION, headers)

  test('is absent when a server calls', async () => equal((await create({})).status, 200))

  test('of the registered origin is accepted', async () => {
    equal((await create({ origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' })).status, 200)
  })

  for (const origin of ['null', '', 'https://evil.example', 'http://shop.example', 'https://shop.example:8443']) {
    test(`"${origin}" is refused`, async () => {
      assertRefused(await create({ origin }), 422, 'origin_mismatch', ['origin'])
    })
  }
})

describe('a staging client that registered http://localhost:3000', () => {
  let local: Merchant
  before(async () => {
    local = await secondMerchant(service, { redirectUrl: 'http://localhost:3000/pay' })
  })
  const both = (url: string) => local.createSession({ success_url: url, cancel_url: url })

  test('may have its session URLs there, and be called from there', async () => {
    equal((await both('http://localhost:3000/thanks')).status, 200)
    const urls = { success_url: 'http://localhost:3000/a', cancel_url: 'http://localhost:3000/b' }
    const body = { ...SESSION, ...urls }
    equal((await local.post('/checkout/create', body, { origin: 'http://localhost:3000' })).status, 200)
  })

  for (const url of ['http://localhost:3001/', 'http://localhost/', 'http://127.0.0.1:3000/', 'http://shop.example/']) {
    test(`${url} is refused`, async () => assertRefused(await both(url), 422, 'validation_failed', FIELDS))
  }

  for (const url of ['https://localhost:3000/', 'https://shop.example/']) {
    test(`${url} is of another origin`, async () => assertRefused(await both(url), 422, 'origin_mismatch', FIELDS))
  }
})

test('a wrong URL and a wrong field are named together', async () => {
  const response = await merchant.createSession({ success_url: 'https://evil.example', amount_subtotal: 1 })
  assertRefused(response, 422, 'validation_failed', ['success_url', 'amount_total'])
})

describe('rule 2: customer_id or customer_email', () => {
  test('neither: 422', async () => {
    const response = await merchant.createSession({ customer_email: undefined })
    assertRefused(response, 422, 'validation_failed', ['customer_email'])
  })

  test('an unknown customer_id: 404', async () => {
    const response = await merchant.createSession({ customer_id: '0197f9b0-0000-7000-8000-000000000000' })
    assertRefused(response, 404, 'not_found', ['customer_id'])
  })
})

describe('rule 3: mode subscription', () => {
  const line_items = [{ name: 'Plan', quantity: 1, unit_amount: 25.5, total: 25.5 }]
  const subscription = { interval: 'Monthly', start_date: '2027-01-31', name: 'Plan' }
  const create = (more: object) => merchant.createSession({ mode: 'subscription', ...more })

  test('without line_items: 422', async () => {
    assertRefused(await create({ subscription }), 422, 'validation_failed', ['line_items'])
    assertRefused(await create({ subscription, line_items: [] }), 422, 'validation_failed', ['line_items'])
  })

  test('without subscription: 422', async () => {
    assertRefused(await create({ line_items }), 422, 'validation_failed', ['subscription'])
  })

  test('a start more than a year ahead: 422', async () => {
    const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const late = { line_items, subscription: { ...subscription, start_date: ahead(368) } }
    assertRefused(await create(late), 422, 'validation_failed', ['subscription.start_date'])
    equal((await create({ line_items, subscription: { ...subscription, start_date: ahead(363) } })).status, 200)
  })

  for (const interval of ['Weekly', 'Bi-Weekly', 'Monthly', 'Quarterly', 'Twice a year', 'Annual']) {
    test(`a sound one, ${interval}, is taken`, async () => {
      const given = { ...subscription, interval }
      const { status, body } = await create({ line_items, subscription: given })
      equal(status, 200)
      const details = await merchant.details(body.checkout_session.token)
      deepEqual(
        [details.body.checkout_session.subscription, details.body.checkout_session.subscription_id],
        [given, null],
      )
    })
  }
})

test('rule 4: more than 10 line items: 422', async () => {
  const line_items = Array(11).fill({ name: 'Cup', quantity: 1, unit_amount: 1, total: 1 })
  const response = await merchant.createSession({ line_items })
  assertRefused(response, 422, 'validation_failed', ['line_items'])
  match(response.body.errors.line_items[0], /10/)
})

describe('rules of the business', () => {
  test('surcharge on a business without a rate: 422', async () => {
    assertRefused(await merchant.createSession({ surcharge: true }), 422, 'validation_failed', ['surcharge'])
  })

  test('terms that must be accepted on a business without a terms URL: 422', async () => {
    const response = await merchant.createSession({ consent_collection: { terms_of_service: 'required' } })
    assertRefused(response, 422, 'validation_failed', ['consent_collection.terms_of_service'])
  })
})
