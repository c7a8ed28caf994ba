import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'

let service: TestService
let owner: DashboardClient
let ana: Subscriber
let subscription: string
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  ana = await makeSubscriber(service)
  subscription = await subscribe(ana)
  await compose()
})
after(() => service.close())

const compose = () => composeDue(service.app.services, { businessId: service.demo.business_id })
const lettersOf = async (customer: string, query: Record<string, string> = {}) => {
  const { status, body } = await owner.call(`GET /customers/${customer}/letters`, { query })
  equal(status, 200, JSON.stringify(body))
  return body
}

describe('The letters of a customer', () => {
  test('LTR-25: are those that were written for them, also after their address has changed', async () => {
    const before = await lettersOf(ana.customer)
    const kinds = before.data.map(({ kind }: { kind: string }) => kind)
    deepEqual([before.total, before.has_more, kinds], [2, false, ['payment_succeeded', 'subscription_created']])
    const [letter] = before.data
    const other = { email: letter.recipient, name: 'Heir of the address' }
    await ana.api.patch(`/customers/${ana.customer}`, { email: `${newId()}@example.com` })
    const { id: heir } = await ana.api.made('/customers', other)
    deepEqual(await lettersOf(ana.customer), before)
    equal((await lettersOf(heir)).total, 0)
    deepEqual((await owner.call(`GET /customers/${ana.customer}`)).body.view.letters.data, before.data)
    // Of letters from before, the address alone is known.
    await service.app.services.db.updateTable('letter').set({ customer_id: null }).where('id', '=', letter.id).execute()
    equal((await lettersOf(ana.customer)).total, 1)
    deepEqual((await lettersOf(heir)).data, [letter])
    const again = { customer_id: ana.customer }
    await service.app.services.db.updateTable('letter').set(again).where('id', '=', letter.id).execute()
  })

  test('LTR-25, DSH-47: name what they are about: a refund its payment; one that is sent again stays theirs', async () => {
    const payment = (await ana.api.get(`/subscriptions/${subscription}/payments`)).body.data[0].id
    const refunded = await owner.call(`POST /payments/${payment}/refunds`, {
      body: { reason: 'requested', amount: 100 },
      headers: { 'idempotency-key': newId() },
    })
    equal(refunded.status, 201, JSON.stringify(refunded.body))
    await compose()
    const { data } = await lettersOf(ana.customer)
    const about = (kind: string) => data.find((one: { kind: string }) => one.kind === kind)?.about
    deepEqual(about('refund'), { type: 'payment', id: payment })
    deepEqual(about('subscription_created'), { type: 'subscription', id: subscription })
    equal((await owner.call(`POST /letters/${data[0].id}/resend`)).status, 201)
    const first = await lettersOf(ana.customer, { limit: '1' })
    deepEqual([first.total, first.has_more, first.data[0].kind], [4, true, data[0].kind])
    const rest = await lettersOf(ana.customer, { starting_after: first.data[0].id })
    deepEqual(rest.data, data)
    const { view } = (await owner.call(`GET /subscriptions/${subscription}`)).body
    const kinds = new Map(view.letters.map((one: { kind: string; about: object }) => [one.kind, one.about]))
    deepEqual(kinds.get('payment_succeeded'), { type: 'payment', id: payment })
    deepEqual(kinds.get('subscription_created'), { type: 'subscription', id: subscription })
    const events: { type: string; about: object }[] = view.events
    const ofPayment = events.find(({ type }) => type === 'payment.succeeded')
    deepEqual(ofPayment?.about, { type: 'payment', id: payment })
    const mailbox = (await owner.call('GET /mailbox')).body.data
    deepEqual(mailbox.find(({ id }: { id: string }) => id === data[0].id).about, { type: 'payment', id: payment })
  })

  test('DSH-47: about a card name the customer', async () => {
    const asked = await owner.call(`POST /customers/${ana.customer}/card_request`, {
      body: { by: 'letter' },
      headers: { 'idempotency-key': newId() },
    })
    equal(asked.status, 200, JSON.stringify(asked.body))
    await compose()
    const newest = async () => (await lettersOf(ana.customer, { limit: '1' })).data[0]
    const { id, kind, about } = await newest()
    deepEqual([kind, about], ['card_request', { type: 'customer', id: ana.customer }])
    const expiring = { kind: 'card_expiring', object_id: ana.payment_method }
    await service.app.services.db.updateTable('letter').set(expiring).where('id', '=', id).execute()
    deepEqual((await newest()).about, about)
  })

  test('of an unknown customer are 404', async () => {
    equal((await owner.call(`GET /customers/${newId()}/letters`)).status, 404)
  })
})

describe('The sessions of a customer', () => {
  test('DSH-46: are those that the merchant gave the customer, and those that the customer paid', async () => {
    const list = async (customer_id: string) => {
      const { status, body } = await owner.call('GET /checkout_sessions', { query: { customer_id } })
      equal(status, 200, JSON.stringify(body))
      return body.data.map(({ customer }: { customer: { id: string } }) => customer.id)
    }
    // The one by which the card was saved.
    deepEqual(await list(ana.customer), [ana.customer])
    await merchantOf(service).sessionToken({ customer_id: ana.customer, customer_email: undefined })
    deepEqual(await list(ana.customer), [ana.customer, ana.customer])
    deepEqual(await list(newId()), [])
    equal((await owner.call('GET /checkout_sessions', { query: { customer_id: 'x' } })).body.error.param, 'customer_id')
  })
})

describe('The history of a customer', () => {
  test('DSH-46: is as long as the page wants it', async () => {
    const history = async (limit: string) =>
      (await owner.call(`GET /customers/${ana.customer}/history`, { query: { limit } })).body
    const [one, all] = [await history('1'), await history('500')]
    deepEqual([one.data.length, one.has_more, all.has_more], [1, true, false])
    deepEqual(one.data[0], all.data[0])
    equal((await history('501')).error.param, 'limit')
  })

  test('names what a change has changed, and of a creation nothing', async () => {
    const { id, version } = (await owner.call('POST /customers', { body: { name: 'Zoe' } })).body
    equal((await owner.call(`PATCH /customers/${id}`, { body: { version, phone: '+15145550000' } })).status, 200)
    const { data } = (await owner.call(`GET /customers/${id}/history`)).body
    const audited = data.filter(({ kind }: { kind: string }) => kind === 'audit')
    deepEqual(
      audited.map(({ what, changed }: { what: string; changed: string[] }) => [what, changed]),
      [
        ['customer.update', ['phone']],
        ['customer.create', []],
      ],
    )
  })
})
