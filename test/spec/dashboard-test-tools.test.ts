import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { TEST_CARD_TEXTS, type TestCardEffect } from '../../contract/dashboard/test-card-texts.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let tester: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  tester = await signIn(service, { role: 'support' })
})
after(() => service.close())

describe('Test tools in the dashboard (DSH-20)', () => {
  test('sample data goes through the gateway: payments, declines, refunds, a subscription, their events and letters', async () => {
    const { status, body } = await tester.call('POST /test_data')
    deepEqual(
      [status, body],
      [201, { object: 'test_data', customers: 6, payments: 4, declined: 2, refunds: 2, subscriptions: 1 }],
    )
    const ledger = (await tester.call('GET /simulator_ledger')).body.data
    equal(ledger.filter(({ op }: { op: string }) => op === 'refund').length, 2)
    ok(ledger.some((row: { outcome: string; last4: string }) => row.outcome === 'declined' && row.last4 === '0002'))
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call('POST /test_data')).status, 403)
  })

  test('the clock is moved, and says what ran; letters are read as HTML, as text and with their invoice', async () => {
    const { view, offset_seconds } = (await tester.call('GET /test_clock')).body
    deepEqual([offset_seconds, view.time_zone], [0, 'America/New_York'])
    ok(view.next_bill_at > Date.now() / 1000)
    const moved = await tester.call('POST /test_clock/advance', { body: { to: view.next_bill_at } })
    deepEqual([moved.status, moved.body.done, moved.body.ran.approved], [200, true, 1])
    equal((await tester.call('GET /test_clock')).body.offset_seconds > 0, true)
    equal((await tester.call('POST /test_clock/advance', { body: { days: 1, seconds: 1 } })).status, 422)

    const { data } = (await tester.call('GET /mailbox')).body
    const paid = data.find(({ kind }: { kind: string }) => /receipt|payment|invoice/.test(kind)) ?? data[0]
    const letter = (await tester.call(`GET /mailbox/${paid.id}`)).body
    ok(letter.text.length > 20)
    const html = await tester.call(`GET /mailbox/${paid.id}/html`)
    match(html.headers.get('content-type') ?? '', /^text\/html/)
    match(html.headers.get('content-security-policy') ?? '', /^sandbox .*default-src 'none'.*frame-ancestors 'self'/)
    const invoiced = await tester.call(`GET /mailbox/${paid.id}/invoice.pdf`)
    equal(invoiced.status, letter.has_invoice ? 200 : 404)
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id })
    equal((await stranger.call(`GET /mailbox/${paid.id}`)).status, 404)
    deepEqual((await stranger.call('GET /mailbox')).body.data, [])
    deepEqual((await stranger.call('GET /simulator_ledger')).body.data.length, 0)
  })

  test('the cards are those of docs/reference/test-cards.md', async () => {
    const { cards, cents } = (await tester.call('GET /test_cards')).body
    deepEqual(cards[0], { number: '4242 4242 4242 4242', code: 'AA', effect: 'approved_visa', is_three_ds: false })
    const page = readFileSync(new URL('../../docs/reference/test-cards.md', import.meta.url), 'utf8')
    for (const { number, effect } of cards)
      ok(page.includes(number) && page.includes(TEST_CARD_TEXTS[effect as TestCardEffect]), number)
    ok(cents.length > 10)
    const challenge = cards.find(({ number }: { number: string }) => number === '4000 0020 2070 0009')
    deepEqual([challenge?.code, challenge?.is_three_ds], ['AA', true])
    equal(TEST_CARD_TEXTS[challenge?.effect as TestCardEffect], 'Challenge that passes by itself')
  })

  test('in production none of these paths exists (DEF-18)', async () => {
    await using production = await openService({ config: { environment: 'production' } })
    const owner = await signIn(production)
    for (const name of [
      'GET /test_clock',
      'POST /test_clock/advance',
      'GET /mailbox',
      'GET /test_cards',
      'POST /test_data',
      'GET /simulator_ledger',
    ]) {
      const { status, body } = await owner.call(name)
      deepEqual([status, body.error.code], [404, 'resource_missing'], name)
    }
    equal((await owner.call('GET /products')).status, 200)
  })
})
