import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BillView } from '../../contract/dashboard/subscription-views.ts'
import { addSeconds } from '../../server/lib/clock.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { type BillingService, endAll, openBillingService, run, subscribe } from '../support/billing.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { storedSubscription } from '../support/subscriptions.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// BIL-11, DSH-4, DSH-5: the decision about missed bills.

let service: BillingService
let owner: DashboardClient
before(async () => {
  service = await openBillingService('2027-03-10')
  owner = await signIn(service)
})
afterEach(() => endAll(service))
after(() => service.close())

/** Creates a subscription that is held since today: the bills of December to March were missed. */
async function heldSince(start: string, more: Partial<Subscription> = {}): Promise<string> {
  const startDate = start as Day
  const { id } = await subscribe(service, { startDate, anchorDate: startDate, ...more })
  await run(service)
  return id
}

const preview = (id: string, missed: 'bill' | 'skip') =>
  owner.call(`POST /subscriptions/${id}/catch_up/preview`, { body: { missed } })
const decide = (id: string, body: object, key = newId()) =>
  owner.call(`POST /subscriptions/${id}/catch_up`, { body, key })
const statuses = async (id: string) => {
  const { view } = (await owner.call(`GET /subscriptions/${id}`)).body
  return view.bills.map(({ period, status, closed_reason: reason }: BillView) => [period.start, reason ?? status])
}

describe('the decision about missed bills', () => {
  test('bill: every date with its amount, their sum and the card; then exactly these are charged', async () => {
    const id = await heldSince('2026-12-05')
    const before = await countRows(service.databaseUrl)
    const { status, body } = await preview(id, 'bill')
    equal(status, 200)
    deepEqual(await addedRows(service.databaseUrl, before), {})
    const starts = ['2026-12-05', '2027-01-05', '2027-02-05', '2027-03-05']
    deepEqual(
      body.charged.periods.map(({ start, amount }: { start: string; amount: number }) => [start, amount]),
      starts.map((start) => [start, 1_000]),
    )
    deepEqual([body.charged.count, body.charged.amount, body.currency], [4, 4_000, 'usd'])
    deepEqual([body.skipped.count, body.blocked], [0, null])
    ok(body.card.last4)
    const key = newId()
    const decision = { missed: 'bill', preview_hash: body.preview_hash }
    const first = await decide(id, decision, key)
    deepEqual([first.status, first.body.view.is_held], [200, false])
    const again = await decide(id, decision, key)
    deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
    for (const _ of starts) {
      service.clock.set(addSeconds(service.clock.now(), 60))
      await run(service)
    }
    deepEqual(
      await statuses(id),
      starts.toReversed().map((start) => [start, 'FULFILLED']),
    )
  })

  test('skip: what is over is left out with its amount, and the running period is charged', async () => {
    const id = await heldSince('2026-12-05')
    const { body } = await preview(id, 'skip')
    deepEqual([body.skipped.count, body.skipped.amount], [3, 3_000])
    deepEqual(
      [body.charged.count, body.charged.periods],
      [1, [{ start: '2027-03-05', end: '2027-04-05', amount: 1_000 }]],
    )
    equal((await decide(id, { missed: 'skip', preview_hash: body.preview_hash })).status, 200)
    await run(service)
    deepEqual(await statuses(id), [
      ['2027-03-05', 'FULFILLED'],
      ['2027-02-05', 'skipped'],
      ['2027-01-05', 'skipped'],
      ['2026-12-05', 'skipped'],
    ])
  })

  test('a plan charges no more bills than it has left', async () => {
    const id = await heldSince('2026-12-05', { installments: 2 })
    const { body } = await preview(id, 'bill')
    deepEqual([body.charged.count, body.charged.amount], [2, 2_000])
  })

  test('what has changed since is 409 with the new preview, and the key stays free', async () => {
    const id = await heldSince('2026-12-05')
    const { preview_hash } = (await preview(id, 'bill')).body
    const { db } = service.app.services
    await db.updateTable('subscription').set({ amount: 1_200 }).where('id', '=', id).execute()
    const key = newId()
    const stale = await decide(id, { missed: 'bill', preview_hash }, key)
    deepEqual([stale.status, stale.body.error.code], [409, 'quote_stale'])
    equal(stale.body.error.preview.charged.amount, 4_800)
    equal((await storedSubscription(service, id)).subscription.catchUpHeldAt !== null, true)
    const hash = stale.body.error.preview.preview_hash
    equal((await decide(id, { missed: 'skip', preview_hash: hash })).status, 409, 'of the other decision')
    equal((await decide(id, { missed: 'bill', preview_hash: hash }, key)).status, 200)
  })

  test('a call whose response was lost is not done again', async () => {
    const id = await heldSince('2026-12-05')
    const [key, body] = [newId(), { missed: 'skip' }]
    equal((await decide(id, body, key)).status, 200)
    await loseResponse(service, key)
    equal((await decide(id, body, key)).status, 409)
    equal((await decide(id, { missed: 'bill' }, key)).body.error.code, 'idempotency_key_reused')
  })

  test('says what keeps the bills unpaid', async () => {
    const id = await heldSince('2026-12-05')
    const { db } = service.app.services
    const { storedCardId } = (await storedSubscription(service, id)).subscription
    const card = (values: object) =>
      db
        .updateTable('stored_card')
        .set(values)
        .where('id', '=', storedCardId ?? '')
        .execute()
    await card({ charge_block: 'NC' })
    deepEqual([(await preview(id, 'bill')).body.blocked], ['card_blocked'])
    await card({ charge_block: null, detached_at: service.clock.now() })
    equal((await preview(id, 'bill')).body.blocked, 'card_detached')
    await card({ detached_at: null })
  })

  test('nothing is decided about what is not held, nor by a role that may not', async () => {
    const { id } = await subscribe(service, { startDate: '2027-05-01' as Day, anchorDate: '2027-05-01' as Day })
    equal((await preview(id, 'bill')).status, 409)
    equal((await preview(newId(), 'bill')).status, 404)
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call(`POST /subscriptions/${id}/catch_up/preview`, { body: { missed: 'bill' } })).status, 403)
  })
})
