import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { connect } from '../../server/db/connection.ts'
import { systemClock } from '../../server/lib/clock.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Response } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { sharedKillableService } from '../support/shared-services.ts'
import { makeSubscriber, type Subscriber, subscribe, subscriptionBody } from '../support/subscriber.ts'
import { until } from '../support/until.ts'
import { addPerson, enter, type Visitor } from '../support/visitor.ts'

// A process is killed at each named place of what a merchant's server or a person does with money. All tests have one
// service and its books.

let book: MoneyRows
after(() => book[Symbol.asyncDispose]())
const opened = sharedKillableService()
before(() => {
  book = moneyRows(opened().databaseUrl)
})

/** Makes a call while the process is killed at the place, and starts the next process. */
async function killedAt(place: FaultPlace, call: () => Promise<Response>): Promise<void> {
  await opened().dieAt(place)
  await rejects(call())
  equal(await opened().ended(), null)
  await opened().start()
}

const allFinal = () => until('every outcome is final', async () => (await book.countOpen()) === 0)

const countAtGateway = async (wanted: string) =>
  (await opened().simulator.rows()).filter(({ op, recorded }) => op === wanted && recorded).length

/** Returns the states of the sales of all owners of a kind. */
async function salesOf(owner: string): Promise<string[]> {
  const sql = "select state from operation where owner_kind = $1 and kind = 'sale' order by id"
  return (await book.query<{ state: string }>(sql, [owner])).map(({ state }) => state)
}

/** Creates a payment of a first bill. */
async function paidBill(subscriber: Subscriber): Promise<string> {
  const id = await subscribe(subscriber)
  return (await subscriber.api.get(`/subscriptions/${id}/payments`)).body.data[0].id
}

/** Creates a paused subscription; the paid time is refunded. @returns its id, and the request that resumes it */
async function paused(subscriber: Subscriber) {
  const { api } = subscriber
  const { id } = await api.made('/subscriptions', subscriptionBody(subscriber))
  const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
  equal((await api.post(`/subscriptions/${id}/pause`, refund)).status, 200)
  const { body } = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
  const wanted = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash: body.quote_hash }
  return { id: id as string, wanted }
}

// REF-7, REF-11.
describe('a process is killed in the middle of a refund or a void', () => {
  /** Whether it is done once the service has started again, and all is resolved. */
  const ENDS: [place: FaultPlace, isDone: boolean][] = [
    ['before:intent_commit', false],
    ['after:intent_commit', true],
    ['after:gateway_result', true],
    ['after:result_commit', true],
  ]
  let subscriber: Subscriber
  before(async () => {
    subscriber = await makeSubscriber(opened())
  })

  for (const [kind, status] of [
    ['refund', 'refunded'],
    ['void', 'voided'],
  ] as const)
    for (const [place, isDone] of ENDS)
      test(`${kind}, ${place}: it is ${isDone ? 'made once' : 'not begun'}`, async () => {
        const payment = await paidBill(subscriber)
        const earlier = await countAtGateway(kind)
        await killedAt(place, () => merchantApiOf(opened()).post(`/${kind}s`, { payment }))

        await allFinal()

        const [row] = await book.query<{ status: string }>('select status from payment where id = $1', [payment])
        equal(row?.status, isDone ? status : 'succeeded')
        equal((await countAtGateway(kind)) - earlier, isDone ? 1 : 0)
      })
})

// SUB-4, SUB-5.
describe('a process is killed in the middle of a first charge', () => {
  const NOTHING = { made: 0, billed: 0, paid: 0, told: 0 }
  const ONE = { made: 1, billed: 1, paid: 1, told: 2 }

  /** Returns the states of first charges, and the rows that were written about subscriptions. */
  async function recorded() {
    const [counts = NOTHING] = await book.query<typeof NOTHING>(
      `select (select count(*)::int from subscription) as made, (select count(*)::int from bill) as billed,
         (select count(*)::int from payment where subscription_id is not null) as paid,
         (select count(*)::int from event where type like 'subscription.%' or type like 'payment.%') as told`,
    )
    return { states: await salesOf('subscription_start'), ...counts }
  }

  type Recorded = Awaited<ReturnType<typeof recorded>>

  function since(earlier: Recorded, { states, ...counts }: Recorded) {
    const counted = (['made', 'billed', 'paid', 'told'] as const).map((name) => [name, counts[name] - earlier[name]])
    return { states: states.slice(earlier.states.length), ...Object.fromEntries(counted) }
  }

  for (const [fault, states, made] of [
    ['before:intent_commit', [], NOTHING],
    ['after:intent_commit', ['NOT_CHARGED'], NOTHING],
    ['after:gateway_result', ['REVERSED'], NOTHING],
    ['after:result_commit', ['APPROVED'], ONE],
  ] as const)
    test(`${fault}: ${states[0] ?? 'nothing is recorded'}, and a later identical create works`, async () => {
      const ana = await makeSubscriber(opened())
      const create = () => ana.api.post('/subscriptions', subscriptionBody(ana))
      const earlier = await recorded()
      await killedAt(fault, create)

      await allFinal()

      deepEqual(since(earlier, await recorded()), { states, ...made })
      equal((await create()).status, 201)
    })
})

// SUB-32, SUB-33: a process that is killed in the middle of a resume that charges.
describe('A process is killed in the middle of a resume', () => {
  test('before the intent is committed: nothing is recorded, and the same request works when its key is free', async () => {
    const resuming = await openResuming()
    await killedAt('before:intent_commit', resuming.resume)
    deepEqual(await resuming.states(), [])
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })

  test('before the request is sent: it ends as not charged, and the same request works', async () => {
    const resuming = await openResuming()
    await killedAt('after:intent_commit', resuming.resume)
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['NOT_CHARGED'])
    await resuming.assertResumed()
  })

  test('after the result arrived: the approval is found and reversed, and the same request works', async () => {
    const resuming = await openResuming()
    await killedAt('after:gateway_result', resuming.resume)
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['REVERSED'])
    await resuming.assertResumed()
  })

  test('before the response: it is resumed, and the same request gets the response', async () => {
    const resuming = await openResuming()
    await killedAt('after:result_commit', resuming.resume)
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })

  /** Creates a paused subscription of a new customer, to be resumed by a charge. */
  async function openResuming() {
    const subscriber = await makeSubscriber(opened())
    const { api } = subscriber
    const { id, wanted } = await paused(subscriber)
    const earlier = await salesOf('subscription_resume')
    const resume = () => api.post(`/subscriptions/${id}/resume`, { ...wanted, idempotency_key: id })
    return {
      resume,
      /** Returns the states of its sales. */
      states: async (): Promise<string[]> => (await salesOf('subscription_resume')).slice(earlier.length),
      async assertStillPaused(): Promise<void> {
        await allFinal()
        const { body } = await api.get(`/subscriptions/${id}`)
        deepEqual([body.status, body.installments_billed, body.pause.status], ['paused', 1, 'active'])
        equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 1)
        const again = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
        equal(again.body.quote_hash, wanted.quote_hash)
      },
      /** Resumes with the same request, once the key of the dead process is free. */
      async assertResumed(): Promise<void> {
        await until('the request is done', async () => (await resume()).status === 200, 30_000)
        const { body } = await resume()
        deepEqual([body.status, body.installments_billed, body.payment.trigger], ['active', 2, 'resume'])
        equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 2)
      },
    }
  }
})

// DSH-4, DSH-15: the process is killed in the middle of a person's call that moves money. The page repeats the call
// with its key.
describe("a process is killed in the middle of a person's call", () => {
  interface Made {
    /** Call below the business. */
    call: string
    body: object
    /** Action of the audit row. */
    action: string
    /** The operations that the call may make. */
    operation: { kind: string; owner?: string }
  }

  /** Creates what each call needs. */
  const CALLS: Record<string, (subscriber: Subscriber) => Promise<Made>> = {
    async refund(subscriber) {
      const body = { reason: 'requested', amount: 1_000 }
      const call = `POST /payments/${await paidBill(subscriber)}/refunds`
      return { call, body, action: 'payment.refund', operation: { kind: 'refund' } }
    },
    async void(subscriber) {
      const call = `POST /payments/${await paidBill(subscriber)}/voids`
      return { call, body: { reason: 'duplicate' }, action: 'payment.void', operation: { kind: 'void' } }
    },
    async 'saved-card sale'({ customer, payment_method }) {
      const body = { customer, payment_method, amount: 2_000 }
      const operation = { kind: 'sale', owner: 'stored_card_sale' }
      return { call: 'POST /sales', body, action: 'sale.create', operation }
    },
    async resume(subscriber) {
      const { id, wanted } = await paused(subscriber)
      const operation = { kind: 'sale', owner: 'subscription_resume' }
      return { call: `POST /subscriptions/${id}/resume`, body: wanted, action: 'subscription.resume', operation }
    },
  }

  let owner: Visitor
  before(async () => {
    owner = await signedIn()
  })

  for (const [kind, make] of Object.entries(CALLS))
    test(`${kind}: between the commit of the result and the response, a repeated call gets the one result`, async () => {
      const made = await make(await makeSubscriber(opened()))
      const key = newId()
      const earlier = await countMade(made)
      await killedAt('after:result_commit', () => callOf(made, key))

      const first = await callOf(made, key)
      const again = await callOf(made, key)

      deepEqual([first.status < 300, again.status, again.body], [true, first.status, first.body], first.body.message)
      equal(first.headers.get('idempotent-replayed'), 'true')
      equal((await countMade(made)) - earlier, 1)
      await assertAuditedOnce(made)
    })

  test('refund: after the response of the gateway, a repeated call says that it is being resolved, then its result', async () => {
    const made = await CALLS.refund?.(await makeSubscriber(opened()))
    if (!made) throw new Error('No refund')
    const key = newId()
    const earlier = await countMade(made)
    await killedAt('after:gateway_result', () => callOf(made, key))

    const status = async () => (await callOf(made, key)).body.status
    await until('the refund is done', async () => (await status()) === 'succeeded')

    equal((await countMade(made)) - earlier, 1)
    await assertAuditedOnce(made)
  })

  /** @param key key of the opened dialog */
  function callOf({ call, body }: Made, key: string): Promise<Response> {
    const [method, path] = call.split(' ')
    const address = `${method} /dashboard/api/b/${opened().demo.business_id}${path}`
    return owner.call(address, body, { 'idempotency-key': key })
  }

  /** Counts the operations of the call in the database. */
  async function countMade({ operation: { kind, owner } }: Made): Promise<number> {
    const made = await book.query<{ owner_kind: string }>('select owner_kind from operation where kind = $1', [kind])
    return made.filter(({ owner_kind }) => owner === undefined || owner_kind === owner).length
  }

  async function assertAuditedOnce({ call, action, body }: Made): Promise<void> {
    const about = 'customer' in body ? String(body.customer) : (call.split('/')[2] ?? '')
    const rows = await book.query('select outcome, actor_kind from audit_entry where action = $1 and object_id = $2', [
      action,
      about,
    ])
    deepEqual(rows, [{ outcome: 'requested', actor_kind: 'person' }])
    const database = connect({ url: opened().databaseUrl, max: 1 })
    try {
      equal(await findBrokenEntry(database.db, opened().demo.business_id), null)
    } finally {
      await database.close()
    }
  }

  async function signedIn(): Promise<Visitor> {
    const { db, close } = connect({ url: opened().databaseUrl, max: 1 })
    try {
      return await enter(opened(), await addPerson({ db, clock: systemClock }, opened().demo.business_id))
    } finally {
      await close()
    }
  }
})
