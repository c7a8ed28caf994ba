import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PaymentRow } from '../../contract/dashboard/payment-row.ts'
import type { TimelineEntry } from '../../contract/dashboard/timeline.ts'
import { indexSessionReferences } from '../../server/dashboard/session-reference-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

let service: TestService
let owner: DashboardClient
/** Ids by kind. */
const made = { sale: '', subscription: '', session: '' }
before(async () => {
  service = await openService()
  callInProcess(service)
  await service.app.startWorker()
  owner = await signIn(service)
  const stored = await storeCard(service, 'ana@example.com')
  made.sale = (await sellTo(service, stored, { amount: 187.33 })).body.recordID
  made.subscription = (await payForSubscription(service, stored)).id
  const token = await merchantOf(service).sessionToken({
    customer_email: 'bo@example.com',
    client_reference_id: 'Order-77',
  })
  await payerOf(service).pay(token, payBody(CARDS.declined))
  await payerOf(service).pay(token, payBody(CARDS.mastercard))
  const [session] = await rowsOf({ kind: 'session', brand: 'mastercard' })
  made.session = session?.id ?? ''
})
after(() => service.close())

const list = (query: Record<string, string | number | boolean> = {}) => owner.call('GET /payments', { query })
const rowsOf = async (query: Record<string, string | number | boolean> = {}): Promise<PaymentRow[]> =>
  (await list(query)).body.data

describe('The list of payments (DSH-8, DSH-17)', () => {
  test('has payments of all kinds, and attempts that took no money', async () => {
    const { status, body } = await list()
    equal(status, 200)
    equal(body.total, body.data.length)
    const shown = (body.data as PaymentRow[]).map(({ kind, status, code }) => `${kind} ${status} ${code}`)
    deepEqual(shown, [
      'session succeeded AA',
      'session failed ND',
      'subscription succeeded AA',
      'sale succeeded AA',
      'session succeeded AA',
    ])
    const [newest] = body.data as PaymentRow[]
    deepEqual([newest?.customer?.email, newest?.card?.last4, newest?.reference], ['bo@example.com', '4444', 'Order-77'])
  })

  test('GTW-2: has what the issuer found of the address and of the security code, of declined attempts too', async () => {
    const checks = ({ avs_result: avs, cvv_result: cvv }: PaymentRow) => [avs, cvv]
    deepEqual((await rowsOf()).map(checks), [
      ['Y', 'M'],
      ['Y', 'M'],
      ['Y', null],
      ['Y', null],
      ['Y', 'M'],
    ])
    const body = { columns: ['code', 'avs_result', 'cvv_result'], status: 'failed' }
    const file = (await owner.call('POST /payments/export', { body })).body
    match(String(file), /ND,Y,M/)
  })

  test('is filtered by each of its filters', async () => {
    const today = new Date().toLocaleDateString('sv', { timeZone: 'America/New_York' })
    const [sale] = await rowsOf({ kind: 'sale' })
    const counts: [Record<string, string | number | boolean>, number][] = [
      [{ status: 'failed' }, 1],
      [{ status: 'succeeded' }, 4],
      [{ status: 'refunded' }, 0],
      [{ status: 'partially_refunded' }, 0],
      [{ status: 'pending' }, 0],
      [{ status: 'not_charged' }, 0],
      [{ status: 'reversed' }, 0],
      [{ kind: 'subscription' }, 1],
      [{ last4: '4444' }, 1],
      [{ brand: 'mastercard' }, 1],
      [{ code: 'ND' }, 1],
      [{ currency: 'cad' }, 0],
      [{ trigger: 'scheduled' }, 0],
      [{ amount_from: 18_733, amount_to: 18_733 }, 1],
      [{ customer: sale?.customer?.id ?? '' }, 3],
      [{ batch: newId() }, 0],
      [{ open: true }, 0],
      [{ from: today, to: today }, 5],
      [{ to: '2020-01-01' }, 0],
    ]
    for (const [query, count] of counts) {
      const { status, body } = await list(query)
      deepEqual([status, body.data?.length, body.total], [200, count, count], JSON.stringify(query))
    }
  })

  test('is paged in both directions, also from a declined attempt', async () => {
    const all = (await rowsOf()).map(({ id }) => id)
    for (const [index, id] of all.entries()) {
      deepEqual(
        (await rowsOf({ starting_after: id })).map((row) => row.id),
        all.slice(index + 1),
      )
      deepEqual(
        (await rowsOf({ ending_before: id, limit: 1 })).map((row) => row.id),
        all.slice(Math.max(0, index - 1), index),
      )
    }
    equal((await list({ limit: 2 })).body.has_more, true)
  })

  test('refuses an unknown filter, naming it', async () => {
    for (const [query, param] of [
      [{ status: 'lost' }, 'status'],
      [{ from: '2027-02-30' }, 'from'],
      [{ from: '2027-03-02', to: '2027-03-01' }, 'to'],
      [{ starting_after: newId() }, 'starting_after'],
    ] as const) {
      const { status, body } = await list(query)
      deepEqual([status, body.error.param], [422, param], JSON.stringify(query))
    }
  })
})

describe('A payment', () => {
  test('is found by its id and by that of its sale, with what its page shows', async () => {
    const { status, body } = await owner.call(`GET /payments/${made.sale}`)
    equal(status, 200)
    deepEqual(
      [body.kind, body.payment.object, body.payment.amount, body.refundable_amount, body.shown_batch],
      ['sale', 'payment', 18_733, 18_733, null],
    )
    deepEqual([body.refund_impossible, body.void_impossible, body.refunds], [null, null, []])
    equal((await owner.call(`GET /payments/${body.operation}`)).body.id, made.sale)
  })

  test('is shown without a payment when it was declined', async () => {
    const [declined] = await rowsOf({ status: 'failed' })
    const { body } = await owner.call(`GET /payments/${declined?.id}`)
    deepEqual([body.payment, body.refund_impossible, body.code], [null, 'no_payment', 'ND'])
  })

  test('is unknown to another business, as one that does not exist (DSH-1)', async () => {
    for (const path of ['', '/timeline', '/receipt']) {
      const { status, body } = await owner.call(`GET /payments/${newId()}${path}`)
      deepEqual([status, body.error.code], [404, 'resource_missing'])
      equal((await owner.call(`GET /payments/x${path}`)).status, 404)
    }
  })

  test('has a timeline of its operations, events, letters and people', async () => {
    const path = `/payments/${made.subscription}`
    const body = { amount: 100, reason: 'duplicate', note: 'Charged twice' }
    equal((await owner.call(`POST ${path}/refunds`, { body })).status, 201)
    const entries = async () => (await owner.call(`GET ${path}/timeline`)).body.data as TimelineEntry[]
    await until('a letter', async () => (await entries()).some(({ type }) => type === 'letter'))
    const all = await entries()
    const operations = all.flatMap((entry) => (entry.type === 'operation' ? [entry] : []))
    deepEqual(
      operations.map(({ kind, state, by, reason, note }) => [kind, state, by?.name ?? null, reason, note]),
      [
        ['sale', 'APPROVED', null, null, null],
        ['refund', 'APPROVED', owner.email, 'duplicate', 'Charged twice'],
      ],
    )
    ok(all.some((entry) => entry.type === 'event' && entry.event === 'payment.partially_refunded'))
    ok(!JSON.stringify(all).includes(CARDS.visa))
    const ofSession = (await owner.call(`GET /payments/${made.session}/timeline`)).body.data as TimelineEntry[]
    const completed = ofSession.filter(
      (entry) => entry.type === 'event' && entry.event === 'checkout.session.completed',
    )
    equal(completed.length, 1)
  })

  test('has its invoice or receipt as a PDF, and none where nothing was paid', async () => {
    for (const id of [made.sale, made.subscription, made.session]) {
      const { status, headers, body } = await owner.call(`GET /payments/${id}/receipt`)
      deepEqual([status, headers.get('content-type')], [200, 'application/pdf'])
      match(body, /^%PDF/)
    }
    const [declined] = await rowsOf({ status: 'failed' })
    equal((await owner.call(`GET /payments/${declined?.id}/receipt`)).status, 409)
  })

  test('has its letters sent again', async () => {
    const { body } = await owner.call(`GET /payments/${made.subscription}/timeline`)
    const letter = (body.data as TimelineEntry[]).find((entry) => entry.type === 'letter')
    ok(letter?.type === 'letter')
    const sent = await owner.call(`POST /letters/${letter.id}/resend`)
    equal(sent.status, 201)
    equal((await owner.call(`POST /letters/${newId()}/resend`)).status, 404)
    const { db } = service.app.services
    const again = await db.selectFrom('letter').selectAll().where('id', '=', sent.body.id).executeTakeFirstOrThrow()
    deepEqual([again.subject, again.recipient], [letter.subject, letter.recipient])
    notEqual(again.id, letter.id)
  })
})

describe('The search', () => {
  const hits = async (q: string) => {
    const { body } = await owner.call('GET /search', { query: { q } })
    ok(body.data, JSON.stringify([q, body]))
    return [body.shape, ...(body.data as { kind: string; title: string | null }[]).map(({ kind }) => kind)]
  }

  test('reads what is typed by its shape', async () => {
    const { body } = await owner.call(`GET /payments/${made.sale}`)
    deepEqual(await hits(made.sale), ['id', 'payment'])
    deepEqual(await hits(body.receipt_id.toLowerCase()), ['receipt', 'payment'])
    deepEqual(await hits('ana@example.com'), ['email', 'customer', 'payment', 'payment', 'payment', 'session'])
    deepEqual(await hits('ana@ex'), ['email', 'customer', 'payment', 'payment', 'payment', 'session'])
    deepEqual(await hits('4444'), ['last4', 'payment'])
    deepEqual(await hits('187.33'), ['amount', 'payment'])
    deepEqual(await hits('187,33'), ['amount', 'payment'])
    for (const text of ['$187.33', '187,33\u00a0$', 'US$ 187.33']) deepEqual(await hits(text), ['amount', 'payment'])
    deepEqual(await hits('order-7'), ['text', 'session'])
    deepEqual(await hits('%%%'), ['text'])
    deepEqual(await hits('xy'), ['text'])
    equal((await hits(''))[0], 'recent')
    equal((await owner.call('GET /search')).body.data.length > 3, true)
  })

  test('has of a payment the status that the list has', async () => {
    const ofList = (await rowsOf({})).slice(0, 5).map(({ id, status }) => [id, status])
    const ofSearch = await Promise.all(
      ofList.map(async ([id = '']) => (await owner.call('GET /search', { query: { q: id } })).body.data[0]),
    )
    deepEqual(
      ofSearch.map(({ id, status }) => [id, status]),
      ofList,
    )
    ok(new Set(ofList.map(([, status]) => status)).size > 1)
  })

  test('finds what a merchant wrote on a session that was over days ago, once its job has run', async () => {
    const { db, clock } = service.app.services
    const [created_at, expires_at] = [3, 2].map((days) => new Date(Date.now() - days * 86_400_000))
    await db
      .updateTable('checkout_session')
      .set({ created_at, expires_at })
      .where('client_reference_id', '=', 'Order-77')
      .execute()
    await db.deleteFrom('job_progress').where('job', '=', 'index session references').execute()
    await indexSessionReferences({ db, clock })
    deepEqual(await hits('oRDER-7'), ['text', 'session'])
    await db.deleteFrom('session_reference').execute()
    deepEqual(await hits('order-7'), ['text'])
  })
})

test('GTW-2: a check that failed, or was not made, is shown of the payment', async () => {
  const token = await merchantOf(service).sessionToken()
  const { body } = await payerOf(service).pay(token, payBody('4000000000000036', { cvv: '001' }))
  equal(body.ok, true)
  const [newest] = await rowsOf({ last4: '0036' })
  const { avs_result: avs, cvv_result: cvv } = (await owner.call(`GET /payments/${newest?.id}`)).body
  deepEqual([avs, cvv], ['A', 'P'])
})

describe('The payments of a customer (DSH-17)', () => {
  test('have every attempt on the sessions of the merchant for them, declined and without a result', async () => {
    const { id: customer } = (await owner.call('POST /customers', { body: { email: 'eva@example.com' } })).body
    const token = await merchantOf(service).sessionToken({ customer_email: undefined, customer_id: customer })
    const attempts = async () => (await rowsOf({ customer })).map(({ status, code }) => [status, code])
    deepEqual(await attempts(), [])
    await payerOf(service).pay(token, payBody(CARDS.declined))
    deepEqual(await attempts(), [['failed', 'ND']])
    await payerOf(service).pay(token, payBody(CARDS.silentRecorded))
    deepEqual(await attempts(), [
      ['pending', null],
      ['failed', 'ND'],
    ])
    equal((await list({ customer })).body.total, 2)
  })
})
