import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { newId } from '../../server/lib/ids.ts'
import { scriptSales } from '../support/billing.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { resolveAll } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'

// DSH-4, DSH-34: concurrent calls, and calls whose response or process was lost.

const DAY = 86_400

let service: TestService
let ana: Subscriber
let owner: DashboardClient
let stored: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  owner = await signIn(service)
  stored = await storeCard(service, 'bo@example.com')
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await resolveAll(service)
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const sold = async (amount: number): Promise<string> => (await sellTo(service, stored, { amount })).body.recordID
const refund = (by: DashboardClient, id: string, body: Record<string, unknown> = {}) =>
  by.call(`POST /payments/${id}/refunds`, { body: { reason: 'requested', ...body } })

describe('The limit of a day (DSH-34, DEF-11)', () => {
  test('holds for calls at the same time: none of them passes the sum of the day', async () => {
    const ids: string[] = []
    for (const _ of [1, 2, 3, 4, 5]) ids.push(await sold(490))
    for (const role of ['support', 'owner'] as const) {
      const person = await signIn(service, { role })
      const amount = role === 'support' ? 45_000 : 4_000
      await setDailyAmount(role === 'support' ? 200_000 : 16_000)
      const all = await Promise.all(ids.map((id) => refund(person, id, { amount })))
      const refused = role === 'support' ? 'permission_denied' : 'step_up_required'
      deepEqual(all.map(({ status, body }) => body.error?.code ?? status).sort(), [201, 201, 201, 201, refused])
    }
    await setDailyAmount(200_000)
  })

  test('holds for calls at the same time of a person who may go above, once they have proved who they are', async () => {
    const ids = [await sold(490), await sold(490), await sold(490)]
    const person = await signIn(service, { isSteppedUp: true })
    await setDailyAmount(50_000)
    const all = await Promise.all(ids.map((id) => refund(person, id)))
    deepEqual(
      all.map(({ status }) => status),
      [201, 201, 201],
    )
    await setDailyAmount(200_000)
  })

  test('holds for a repeated call whose first one, refused meanwhile, has released the key', async () => {
    const id = await sold(490)
    const key = newId()
    const again = () =>
      owner.call(`POST /payments/${id}/refunds`, { body: { reason: 'requested', amount: 20_000 }, key })
    equal((await again()).status, 201)
    await setDailyAmount(30_000)
    await using released = await holdLock(service, 'delete from dashboard_request where key = $1', [key])
    const second = again()
    await untilAtLock(service)
    await released.query('commit')
    const { status, body } = await second
    deepEqual([status, body.error?.code], [403, 'step_up_required'])
    await setDailyAmount(200_000)
  })

  for (const what of ['refunds', 'voids'] as const)
    test(`holds for a repeated call of ${what} whose key was released, when the limit is reached while it begins`, async () => {
      const id = await sold(490)
      const key = newId()
      const again = () => owner.call(`POST /payments/${id}/${what}`, { body: { reason: 'requested' }, key })
      await setDailyAmount(1_000_000)
      equal((await again()).status < 300, true)
      await using released = await holdLock(service, 'delete from dashboard_request where key = $1', [key])
      const second = again()
      await untilAtLock(service)
      // The call checks the limit before and after it records the request.
      await using reached = await holdLock(service, 'select from audit_chain for update')
      await reached.query('update dashboard_limits set refund_daily_amount = 1')
      await released.query('commit')
      await untilAtLock(service)
      await reached.query('commit')
      const { status, body } = await second
      deepEqual([status, body.error?.code], [403, 'step_up_required'])
      await setDailyAmount(200_000)
    })
})

async function setDailyAmount(amount: number): Promise<void> {
  const { db } = service.app.services
  const row = { business_id: service.demo.business_id, refund_daily_amount: amount }
  await db
    .insertInto('dashboard_limits')
    .values(row)
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(row))
    .execute()
}

const subscribed = () => subscribe(ana)
const post = (id: string, path: string, body?: object) =>
  owner.call(`POST /subscriptions/${id}${path}`, body === undefined ? {} : { body })
const page = async (id: string) => (await owner.call(`GET /subscriptions/${id}`)).body
const advance = (seconds: number) => ana.api.post('/test_clock/advance', { seconds })
const script = (...outcomes: BehaviourName[]) => scriptSales(service, ...outcomes)

describe('A resume (DSH-4)', () => {
  test('whose process was lost in the middle of the charge is found by its key, and not charged again', async () => {
    const id = await subscribed()
    await post(id, '/pause', { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'R' })
    const { quote_hash } = (await post(id, '/resume/preview')).body.now
    const key = newId()
    const body = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash }
    const call = () => owner.call(`POST /subscriptions/${id}/resume`, { body, key })
    await script('silent_recorded')
    equal((await call()).status, 402)
    await loseResponse(service, key)
    await service.app.services.db.deleteFrom('resume_request').where('subscription_id', '=', id).execute()
    const open = await call()
    deepEqual([open.status, open.body.error.decline_code], [402, undefined])
    match(open.body.error.message, /being resolved/)
    await resolveAll(service)
    const over = await call()
    deepEqual([over.status, (await page(id)).installments_billed], [402, 1])
    match(over.body.error.message, /was not charged/)
  })
})

describe('A retry (DSH-4)', () => {
  test('that has charged nothing says so once that is known', async () => {
    const id = await subscribed()
    await script('declined', 'declined')
    await advance(32 * DAY)
    await service.simulator.resetScript()
    await script('silent_not_recorded')
    const key = newId()
    const call = () => owner.call(`POST /subscriptions/${id}/retry`, { body: {}, key })
    equal((await call()).body.outcome, 'unknown')
    await resolveAll(service)
    equal((await call()).body.outcome, 'not_charged')
    equal((await post(id, '/retry', {})).body.outcome, 'approved')
  })
})
