import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { makeSubscriber, saveCard, subscriptionBody } from '../support/subscriber.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

/** In the zone of the demo business. */
const TODAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format()

const db = () => service.app.services.db
const named = (name: string) => ({ name, email: `${newId()}@example.com` })
const make = async (body: Record<string, unknown>) => (await owner.call('POST /customers', { body })).body
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)
const lastAudit = () => db().selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()

describe('The list of customers', () => {
  test('is searched and filtered, and shows what each has and has paid (DSH-8)', async () => {
    const mark = `Nora ${newId()}`
    const [first, second, third] = [
      await make(named(`${mark} A`)),
      await make(named(`${mark} B`)),
      await make(named(mark)),
    ]
    await saveCard(service, second.id)
    for (const [query, expected] of [
      [{}, [third.id, second.id, first.id]],
      [{ has_card: true }, [second.id]],
      [{ has_card: false }, [third.id, first.id]],
      [{ has_subscription: true }, []],
      [{ has_subscription: false, has_card: true }, [second.id]],
      [{ from: TODAY, to: TODAY }, [third.id, second.id, first.id]],
      [{ from: '2020-01-01', to: '2020-12-31' }, []],
      [{ from: '2999-01-01' }, []],
    ] as const) {
      const { status, body } = await owner.call('GET /customers', { query: { search: mark.toUpperCase(), ...query } })
      deepEqual([status, idsOf(body), body.total], [200, expected, expected.length], JSON.stringify(query))
    }
    for (const search of [second.id, second.email, second.email.slice(0, 20)])
      deepEqual(idsOf((await owner.call('GET /customers', { query: { search } })).body), [second.id], search)
    equal((await owner.call('GET /customers', { query: { search: '%' } })).body.total, 0)
    const { body } = await owner.call('GET /customers', { query: { search: mark, limit: 1, starting_after: third.id } })
    deepEqual([idsOf(body), body.has_more, body.total], [[second.id], true, 3])
    deepEqual(body.data[0].view, { cards: 1, active_subscriptions: 0, paid: [{ currency: 'USD', amount: 2550 }] })
  })

  test('takes a blank filter for none (API-24)', async () => {
    await make(named('Blank'))
    const { status, body } = await owner.call('GET /customers', { query: { search: '', from: '', has_card: '' } })
    const all = await owner.call('GET /customers')
    deepEqual([status, body.total], [200, all.body.total])
    deepEqual(idsOf(body), idsOf(all.body))
  })

  test('refuses a filter that means nothing', async () => {
    for (const [query, param] of [
      [{ has_card: 'perhaps' }, 'has_card'],
      [{ from: '2027-02-30' }, 'from'],
      [{ from: '2027-02-02', to: '2027-02-01' }, 'to'],
      [{ limit: 0 }, 'limit'],
      [{ starting_after: newId() }, 'starting_after'],
    ] as const) {
      const { status, body } = await owner.call('GET /customers', { query })
      deepEqual([status, body.error.param], [422, param])
    }
  })
})

describe('The export of customers', () => {
  const body = { search: 'Zelda', columns: ['name', 'email', 'cards', 'paid_usd'] }

  test('has every customer of the filter, for those who may (DSH-8)', async () => {
    await Promise.all(
      ['A', 'B'].map((letter) => make({ name: `Zelda ${letter}`, email: `zelda${letter}@example.com` })),
    )
    const { status, body: file } = await owner.call('POST /customers/export', { body })
    const lines = String(file).trimEnd().split('\r\n')
    deepEqual([status, lines[0], lines.length], [200, 'name,email,cards,paid_usd', 3])
    deepEqual(lines.slice(1).sort(), ['Zelda A,zeldaA@example.com,0,', 'Zelda B,zeldaB@example.com,0,'])
    for (const role of ['developer', 'support', 'analyst'] as const)
      equal((await (await signIn(service, { role })).call('POST /customers/export', { body })).status, 403, role)
  })

  test('needs step-up above the limit of the business (DSH-34)', async () => {
    await db()
      .insertInto('dashboard_limits')
      .values({ business_id: service.demo.business_id, customer_export_rows: 1 })
      .execute()
    const { status, body: refused } = await owner.call('POST /customers/export', { body })
    deepEqual([status, refused.error.code], [403, 'step_up_required'])
    const proved = await signIn(service, { isSteppedUp: true })
    equal((await proved.call('POST /customers/export', { body })).status, 200)
    await db().deleteFrom('dashboard_limits').execute()
  })

  test('needs step-up above a limit that is higher than the totals of lists count (DSH-34)', async () => {
    const [businessId, mark] = [service.demo.business_id, `Many ${newId()} `]
    await db()
      .insertInto('dashboard_limits')
      .values({ business_id: businessId, customer_export_rows: 10_002 })
      .execute()
    const add = (from: number, to: number) =>
      sql`insert into customer (business_id, id, name, created_at, updated_at)
        select ${businessId}::uuid, gen_random_uuid(), ${mark}::text || number, now(), now()
        from generate_series(${from}::int, ${to}::int) number`.execute(db())
    const exported = () => owner.call('POST /customers/export', { body: { search: mark, columns: ['name'] } })
    await add(1, 10_002)
    const { status, body: file } = await exported()
    deepEqual([status, String(file).trim().split('\r\n').length], [200, 10_003])
    await add(10_003, 10_003)
    equal((await exported()).body.error.code, 'step_up_required')
    await db().deleteFrom('dashboard_limits').execute()
  })
})

describe('A customer', () => {
  test('is created by those who may, with an audit entry; a known e-mail leads to that customer', async () => {
    const input = { ...named('Ida Roy'), phone: '+1 514 555 0100', metadata: { crm: 7 } }
    const { status, body } = await owner.call('POST /customers', { body: input })
    deepEqual(
      [status, body.name, body.email, body.metadata, body.view.payment_methods],
      [201, 'Ida Roy', input.email, { crm: 7 }, []],
    )
    const entry = await lastAudit()
    deepEqual([entry?.action, entry?.object_id, entry?.after], ['customer.create', body.id, input])
    const again = await owner.call('POST /customers', { body: { email: input.email.toUpperCase() } })
    deepEqual([again.status, again.body.error.param, again.body.error.customer], [409, 'email', body.id])
    equal((await owner.call('POST /customers', { body: { phone: '1' } })).status, 422)
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call('POST /customers', { body: named('No') })).status, 403)
    equal((await analyst.call(`GET /customers/${body.id}`)).status, 200)
  })

  test('is edited from the version that the person saw (DSH-4)', async () => {
    const customer = await make(named('Old name'))
    const edit = (body: object) => owner.call(`PATCH /customers/${customer.id}`, { body })
    const { status, body } = await edit({ version: customer.version, name: 'New name', phone: '1' })
    deepEqual([status, body.name, body.phone, body.email], [200, 'New name', '1', customer.email])
    const entry = await lastAudit()
    deepEqual(
      [entry?.before, entry?.after],
      [
        { name: 'Old name', phone: null },
        { name: 'New name', phone: '1' },
      ],
    )
    const stale = await edit({ version: customer.version, name: 'Other' })
    deepEqual(
      [stale.status, stale.body.error.code, stale.body.error.current_version, stale.body.error.current.name],
      [409, 'conflict', body.version, 'New name'],
    )
    const other = await make(named('Other'))
    const taken = await edit({ version: body.version, email: other.email })
    deepEqual([taken.status, taken.body.error.param], [409, 'email'])
    deepEqual(
      [
        (await edit({ name: 'x' })).body.error.param,
        (await edit({ version: body.version, name: null, email: null })).status,
      ],
      ['version', 422],
    )
    equal((await owner.call(`GET /customers/${customer.id}`)).body.name, 'New name')
  })

  test('shows cards, payments, sessions and what was done', async () => {
    const customer = await make(named('Pia Lee'))
    await saveCard(service, customer.id)
    const { body } = await owner.call(`GET /customers/${customer.id}`)
    const { payment_methods: cards, payments, sessions, ...view } = body.view
    deepEqual(
      [
        cards.length,
        cards[0].card.last4,
        cards[0].view.charge_block,
        cards[0].view.is_expired,
        cards[0].view.subscriptions,
      ],
      [1, '4242', null, false, 0],
    )
    deepEqual([payments.data.length, payments.data[0].amount, payments.data[0].session], [1, 2550, sessions.data[0].id])
    deepEqual([sessions.data[0].status, view.cards, view.contracts], ['COMPLETED', 1, { data: [], has_more: false }])
    const { body: history } = await owner.call(`GET /customers/${customer.id}/history`)
    deepEqual(history.data.map(({ what }: { what: string }) => what).sort(), [
      'customer.create',
      'customer.created',
      'payment_method.attached',
    ])
    const support = await signIn(service, { role: 'support' })
    const { body: own } = await support.call(`GET /customers/${customer.id}/history`)
    equal(
      own.data.some(({ kind }: { kind: string }) => kind === 'audit'),
      false,
    )
  })

  test('DSH-46: has the payments and sessions that the lists begin with, when these are filtered by them', async () => {
    const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`)
    const paid = await sellTo(service, { customerId, cardId })
    const given = { amount: 200, reason: 'requested' }
    equal((await owner.call(`POST /payments/${paid.body.recordID}/refunds`, { body: given })).status, 201)
    const token = await merchantOf(service).sessionToken({ customer_email: undefined, customer_id: customerId })
    await payerOf(service).pay(token, payBody(CARDS.declined))
    const { view } = (await owner.call(`GET /customers/${customerId}`)).body
    const { body: payments } = await owner.call('GET /payments', { query: { customer: customerId } })
    const { body: sessions } = await owner.call('GET /checkout_sessions', { query: { customer_id: customerId } })
    deepEqual(view.payments, { data: payments.data, has_more: false })
    deepEqual(view.sessions, { data: sessions.data, has_more: false })
    deepEqual(
      [payments.data, sessions.data].map((rows) => rows.map(({ status }: { status: string }) => status)),
      [
        ['failed', 'partially_refunded', 'succeeded'],
        ['PENDING', 'COMPLETED'],
      ],
    )
  })

  test('of another business is as unknown as one that does not exist (DSH-1)', async () => {
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id })
    const { body: foreign } = await stranger.call('POST /customers', { body: named('Far away') })
    equal(foreign.name, 'Far away')
    for (const id of [foreign.id, newId(), 'nothing']) {
      const calls = [
        owner.call(`GET /customers/${id}`),
        owner.call(`GET /customers/${id}/history`),
        owner.call(`PATCH /customers/${id}`, { body: { version: 'a', name: 'b' } }),
        owner.call(`POST /payment_methods/${id}/detach/preview`),
        owner.call(`POST /payment_methods/${id}/detach`, { body: {} }),
      ]
      for (const { status } of await Promise.all(calls)) equal(status, 404, id)
    }
  })
})

describe('A card of a customer', () => {
  test('is detached after a preview of what is charged to it (CUS-17, DSH-5)', async () => {
    const subscriber = await makeSubscriber(service)
    const { id: subscriptionId } = await subscriber.api.made('/subscriptions', subscriptionBody(subscriber))
    const customer = { id: subscriber.customer }
    const [card] = (await owner.call(`GET /customers/${customer.id}`)).body.view.payment_methods
    const path = `POST /payment_methods/${card.id}/detach`
    const { body: preview } = await owner.call(`${path}/preview`)
    match(preview.preview_hash, /^[0-9a-f]{64}$/)
    deepEqual(
      preview.subscriptions.map(({ id, description, amount }: Record<string, unknown>) => [id, description, amount]),
      [[subscriptionId, 'Gold plan', 2500]],
    )
    equal(preview.card.view.subscriptions, 1)
    const stale = await owner.call(path, { body: { preview_hash: '0'.repeat(64) } })
    deepEqual([stale.status, stale.body.error.code], [409, 'quote_stale'])
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call(path, { body: {} })).status, 403)
    const { status, body } = await owner.call(path, { body: { preview_hash: preview.preview_hash } })
    deepEqual([status, body.status], [200, 'detached'])
    const entry = await lastAudit()
    deepEqual(
      [entry?.action, entry?.after],
      ['payment_method.detach', { status: 'detached', subscriptions: [subscriptionId] }],
    )
    equal((await owner.call(`GET /customers/${customer.id}`)).body.view.cards, 0)
    const again = await owner.call(path, { body: { preview_hash: preview.preview_hash } })
    equal(again.status, 409)
  })
})
