import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { connect } from '../../server/db/connection.ts'
import { systemClock } from '../../server/lib/clock.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import type { Response } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, subscribe, subscriptionBody } from '../support/subscriber.ts'
import { until } from '../support/until.ts'
import { addPerson, enter, type Visitor } from '../support/visitor.ts'

// DSH-4, DSH-15: the process is killed in the middle of a person's call that moves money. The page repeats the call
// with its key.

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
    return { call: 'POST /sales', body, action: 'sale.create', operation: { kind: 'sale', owner: 'stored_card_sale' } }
  },
  async resume(subscriber) {
    const { api } = subscriber
    const { id } = await api.made('/subscriptions', subscriptionBody(subscriber))
    const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
    equal((await api.post(`/subscriptions/${id}/pause`, refund)).status, 200)
    const { body: preview } = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
    const body = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash: preview.quote_hash }
    const operation = { kind: 'sale', owner: 'subscription_resume' }
    return { call: `POST /subscriptions/${id}/resume`, body, action: 'subscription.resume', operation }
  },
}

/** Creates a payment of a first bill. */
async function paidBill(subscriber: Subscriber): Promise<string> {
  const id = await subscribe(subscriber)
  return (await subscriber.api.get(`/subscriptions/${id}/payments`)).body.data[0].id
}

describe("a process is killed in the middle of a person's call", { concurrency: 1 }, () => {
  let service: KillableService
  let owner: Visitor
  before(async () => {
    service = await openKillableService()
    owner = await signedIn(service)
  })
  after(() => service[Symbol.asyncDispose]())

  /** @param key key of the opened dialog */
  const callOf = ({ call, body }: Made, key: string): Promise<Response> => {
    const [method, path] = call.split(' ')
    const address = `${method} /dashboard/api/b/${service.demo.business_id}${path}`
    return owner.call(address, body, { 'idempotency-key': key })
  }

  for (const [kind, make] of Object.entries(CALLS))
    test(`${kind}: between the commit of the result and the response, a repeated call gets the one result`, async () => {
      const made = await make(await makeSubscriber(service))
      const key = newId()
      const earlier = await countMade(made)
      await killedAt('after:result_commit', made, key)

      const first = await callOf(made, key)
      const again = await callOf(made, key)

      deepEqual([first.status < 300, again.status, again.body], [true, first.status, first.body], first.body.message)
      equal(first.headers.get('idempotent-replayed'), 'true')
      equal((await countMade(made)) - earlier, 1)
      await assertAuditedOnce(made)
      await assertSoundBooks(service)
    })

  test('refund: after the response of the gateway, a repeated call says that it is being resolved, then its result', async () => {
    const made = await CALLS.refund?.(await makeSubscriber(service))
    if (!made) throw new Error('No refund')
    const key = newId()
    const earlier = await countMade(made)
    await killedAt('after:gateway_result', made, key)

    const status = async () => (await callOf(made, key)).body.status
    await until('the refund is done', async () => (await status()) === 'succeeded')

    equal((await countMade(made)) - earlier, 1)
    await assertAuditedOnce(made)
    await assertSoundBooks(service)
  })

  async function killedAt(place: FaultPlace, made: Made, key: string): Promise<void> {
    await service.dieAt(place)
    await rejects(callOf(made, key))
    equal(await service.ended(), null)
    await service.start()
  }

  /** Counts the operations of the call in the database and at the gateway. */
  async function countMade({ operation: { kind, owner } }: Made): Promise<number> {
    await using book = moneyRows(service.databaseUrl)
    const made = await book.query<{ owner_kind: string }>('select owner_kind from operation where kind = $1', [kind])
    return made.filter(({ owner_kind }) => owner === undefined || owner_kind === owner).length
  }

  async function assertAuditedOnce({ call, action, body }: Made): Promise<void> {
    const database = connect({ url: service.databaseUrl, max: 1 })
    try {
      const about = 'customer' in body ? String(body.customer) : (call.split('/')[2] ?? '')
      const rows = await database.db
        .selectFrom('audit_entry')
        .select(['outcome', 'actor_kind'])
        .where('action', '=', action)
        .where('object_id', '=', about)
        .execute()
      deepEqual(rows, [{ outcome: 'requested', actor_kind: 'person' }])
      equal(await findBrokenEntry(database.db, service.demo.business_id), null)
    } finally {
      await database.close()
    }
  }
})

async function signedIn(service: KillableService): Promise<Visitor> {
  const { db, close } = connect({ url: service.databaseUrl, max: 1 })
  try {
    return await enter(service, await addPerson({ db, clock: systemClock }, service.demo.business_id))
  } finally {
    await close()
  }
}
