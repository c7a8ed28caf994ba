import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { scriptSales } from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, saveCard, subscribe } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// SUB-47, DSH-4, DSH-5: the preview of another card, and what a retry and a pause say of an open bill.

let service: TestService
let ana: Subscriber
let owner: DashboardClient
let other: string
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  owner = await signIn(service)
  other = await saveCard(service, ana.customer, CARDS.debit)
})
beforeEach(async () => {
  await service.simulator.resetScript()
  // So that what a test scripts is for its own subscription.
  for (const { id } of (await ana.api.get('/subscriptions?limit=100&status=active')).body.data)
    await ana.api.delete(`/subscriptions/${id}`)
})
after(() => service.close())

const post = (id: string, path: string, body: object, key = newId()) =>
  owner.call(`POST /subscriptions/${id}${path}`, { body, key })
const preview = (id: string, card: string) => post(id, '/payment_method/preview', { payment_method: card })
const setCard = (values: object) =>
  service.app.services.db.updateTable('stored_card').set(values).where('id', '=', other).execute()

/** Declined once: its next attempt is in three days. */
async function declinedOnce(): Promise<string> {
  const id = await subscribe(ana)
  const { next_billing_at: to } = (await owner.call(`GET /subscriptions/${id}`)).body
  await scriptSales(service, 'declined')
  await ana.api.post('/test_clock/advance', { to })
  return id
}

describe('the preview of another card', () => {
  test('says both cards, the amount without surcharge and the next bill, and writes nothing', async () => {
    const id = await subscribe(ana, { surcharge_rate: 2.4 })
    const before = await countRows(service.databaseUrl)
    const { status, body } = await preview(id, other)
    equal(status, 200)
    deepEqual(await addedRows(service.databaseUrl, before), {})
    deepEqual([body.from.id, body.to.id, body.refusal], [ana.payment_method, other, null])
    deepEqual([body.amount_before, body.amount, body.retry, body.is_charging], [2_560, 2_500, null, false])
    const { view } = (await owner.call(`GET /subscriptions/${id}`)).body
    equal(body.next_billing_date, view.next_billing_date)
    const key = newId()
    const change = { payment_method: other, preview_hash: body.preview_hash }
    const changed = await post(id, '/payment_method', change, key)
    deepEqual([changed.status, changed.body.payment_method, changed.body.amount], [200, other, 2_500])
    const again = await post(id, '/payment_method', change, key)
    deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  })

  test('says which attempt of the open bill is on it; what changes meanwhile is 409', async () => {
    const id = await subscribe(ana)
    const stale = (await preview(id, other)).body
    const { next_billing_at: to } = (await owner.call(`GET /subscriptions/${id}`)).body
    await scriptSales(service, 'declined')
    await ana.api.post('/test_clock/advance', { to })
    const refused = await post(id, '/payment_method', { payment_method: other, preview_hash: stale.preview_hash })
    deepEqual([refused.status, refused.body.error.code], [409, 'quote_stale'])
    const { retry } = refused.body.error.preview
    deepEqual([retry.attempt, retry.of, retry.amount], [2, 4, 2_500])
    const { queue } = (await owner.call(`GET /subscriptions/${id}`)).body.view
    equal(new Date(retry.at * 1_000).toISOString().slice(0, 10), queue.marks[1].day)
    const { preview_hash } = refused.body.error.preview
    equal((await post(id, '/payment_method', { payment_method: other, preview_hash })).status, 200)
  })

  test('says why a card cannot be taken', async () => {
    const id = await subscribe(ana)
    const stored = await service.app.services.db
      .selectFrom('stored_card')
      .select(['exp_year'])
      .where('id', '=', other)
      .executeTakeFirstOrThrow()
    for (const [values, refusal] of [
      [{ charge_block: 'NC' }, 'card_blocked'],
      [{ charge_block: null, exp_year: 2020 }, 'card_expired'],
      [{ exp_year: stored.exp_year, detached_at: new Date() }, 'card_detached'],
    ] as const) {
      await setCard(values)
      equal((await preview(id, other)).body.refusal, refusal)
      equal((await post(id, '/payment_method', { payment_method: other })).status, 422)
    }
    await setCard({ detached_at: null })
    equal((await preview(id, newId())).status, 404)
    await owner.call(`DELETE /subscriptions/${id}`, { body: {} })
    equal((await preview(id, other)).status, 409)
  })
})

describe('an open bill', () => {
  test('SUB-34: a retry says its period and how often it was tried', async () => {
    const id = await declinedOnce()
    const { bill, marks, next_attempt_at } = (await post(id, '/retry/preview', {})).body
    const [newest] = (await owner.call(`GET /subscriptions/${id}`)).body.view.bills
    deepEqual([bill.id, bill.period, bill.tries], [newest.id, newest.period, 1])
    deepEqual([marks[0].code, next_attempt_at > 0], ['ND', true])
  })

  test('SUB-18: a pause or a cancel now says how many retries it drops, and of which amount', async () => {
    const id = await declinedOnce()
    const now = (await post(id, '/pause/preview', { mode: 'immediate' })).body
    deepEqual(now.view.dropped, { attempts: 3, amount: 2_500 })
    const later = (await post(id, '/pause/preview', { mode: 'period_end' })).body
    deepEqual(later.view.dropped, { attempts: 0, amount: 0 })
    await scriptSales(service, 'declined')
    equal((await post(id, '/retry', {})).body.outcome, 'declined')
    const cancel = (await post(id, '/cancel/preview', { mode: 'now' })).body
    deepEqual(cancel.dropped, { attempts: 2, amount: 2_500 })
    ok(now.preview_hash !== (await post(id, '/pause/preview', { mode: 'immediate' })).body.preview_hash)
  })
})

test('DSH-4: the same call twice sends one letter with the link of a subscription', async () => {
  const waiting = (await ana.api.made('/subscriptions', { customer: ana.customer, price: ana.price })).id
  const send = (key: string) => owner.call(`POST /subscriptions/${waiting}/link`, { key })
  const wait = () => ana.api.post('/test_clock/advance', { seconds: 1 })
  await wait()
  const known = (await lettersOf(service)).length
  const key = newId()
  const [first, second] = [await send(key), await send(key)]
  await wait()
  deepEqual([first.status, second.status, first.body.checkout_url], [200, 200, null])
  equal((await lettersOf(service)).length, known + 1)
})
