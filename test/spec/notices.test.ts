import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { epochSeconds } from '../../server/lib/clock.ts'
import { monthAfter } from '../../server/subscriptions/notices/notice.ts'
import { type Day, dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

// OPS-20, LTR-18, LTR-19: notices are due at their instants while a test clock is advanced.

const DAY = 86_400
const ZONE = 'America/New_York'

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

async function notices(type: string) {
  const rows = await service.app.services.db
    .selectFrom('notification')
    .select(['data', 'created_at'])
    .where('type', '=', type)
    .orderBy('created_at')
    .execute()
  return rows.map(({ data, created_at }) => ({ data, at: epochSeconds(created_at) }))
}

test('a test clock that passes bills and months leaves a notice of each, at its instant', async () => {
  const { db } = service.app.services
  const { business_id } = service.demo
  await db.updateTable('business').set({ renewal_notice_days: 7 }).where('id', '=', business_id).execute()
  const subscriber = await makeSubscriber(service)
  const api = merchantApiOf(service)
  const { id, next_billing_at: due } = await api.made('/subscriptions', subscriptionBody(subscriber))
  const dueDay = dayOf(new Date(due * 1_000), ZONE)
  // The card expires in the month after the first renewal.
  const { month, year, text } = monthAfter(dueDay)
  const expiry = { exp_month: month, exp_year: year }
  await db.updateTable('stored_card').set(expiry).where('business_id', '=', business_id).execute()

  await api.post('/test_clock/advance', { to: due - 7 * DAY - 60 })
  deepEqual(await notices('subscription.upcoming_renewal'), [])
  const { body } = await api.post('/test_clock/advance', { to: due + 27 * DAY })
  equal(body.done, true)
  const renewals = await notices('subscription.upcoming_renewal')
  const [first, second] = renewals
  if (!first || !second) throw new Error('a renewal has no notice')
  equal(renewals.length, 2)
  deepEqual(first.data, { subscription_id: id, date: dueDay })
  soonAfter(due - 7 * DAY, first.at)
  soonAfter(epochSeconds(instantOf((second.data as { date: Day }).date, ZONE)) - 7 * DAY, second.at)
  const begin = epochSeconds(instantOf(`${dueDay.slice(0, 7)}-01` as Day, ZONE))
  const expiring = await notices('card.expiring')
  const data = { stored_card_id: subscriber.payment_method, ...expiry }
  deepEqual(
    expiring.map((notice) => notice.data),
    [data],
    text,
  )
  soonAfter(begin, expiring[0]?.at ?? 0)
})

/**
 * Asserts that an instant is just after another. The test clock stops at the instant; the duration of the work is
 * added. Both are in epoch seconds.
 */
function soonAfter(instant: number, at: number): void {
  ok(at >= instant && at < instant + 60, `${at - instant} s after the instant`)
}
