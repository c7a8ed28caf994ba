import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { newId } from '../../server/lib/ids.ts'
import { scriptSales } from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { resolveAll } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, saveCard, subscribe } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// The life of a subscription in the dashboard: the use cases of the merchant API, with previews (DSH-5) and audit
// entries (DSH-15).

const DAY = 86_400

let service: TestService
let ana: Subscriber
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  owner = await signIn(service)
})
beforeEach(async () => {
  await service.simulator.resetScript()
  // Ends them, so that a test's script applies to its own subscription.
  for (const status of ['active', 'paused'] as const)
    for (const { id } of (await ana.api.get(`/subscriptions?limit=100&status=${status}`)).body.data)
      await ana.api.delete(`/subscriptions/${id}`)
})
after(async () => {
  try {
    await resolveAll(service)
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const subscribed = (more = {}) => subscribe(ana, more)
const post = (id: string, path: string, body?: object) =>
  owner.call(`POST /subscriptions/${id}${path}`, body === undefined ? {} : { body })
const page = async (id: string) => (await owner.call(`GET /subscriptions/${id}`)).body
const advance = (seconds: number) => ana.api.post('/test_clock/advance', { seconds })
/** Advances no further: after the last day of January, 32 days would also reach the retry of a bill of February. */
const advanceToBill = async (id: string) => {
  const { next_billing_at: to } = await page(id)
  return ana.api.post('/test_clock/advance', { to })
}
const script = (...outcomes: BehaviourName[]) => scriptSales(service, ...outcomes)
const lastAudit = async () => {
  const { db } = service.app.services
  const entry = await db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()
  return [entry?.action, entry?.outcome, entry?.object_id]
}

describe('pause', () => {
  test('DSH-5, SUB-15: now: a preview that writes nothing, no default for the unused time, an audit entry', async () => {
    const id = await subscribed()
    const before = await countRows(service.databaseUrl)
    const shown = (await post(id, '/pause/preview', { mode: 'immediate' })).body
    deepEqual(await addedRows(service.databaseUrl, before), {})
    ok(shown.requires_unused_time_choice && shown.suggested_refund_amount > 2400)
    deepEqual(shown.view.dropped, { attempts: 0, amount: 0 })
    const undecided = await post(id, '/pause', { mode: 'immediate', preview_hash: shown.preview_hash })
    deepEqual([undecided.status, undecided.body.error.param], [422, 'unused_time_behavior'])
    const body = { mode: 'immediate', unused_time_behavior: 'preserve_time', preview_hash: shown.preview_hash }
    const paused = await post(id, '/pause', body)
    deepEqual([paused.status, paused.body.view.status], [200, 'PAUSED'])
    equal(paused.body.view.pauses[0].unused_time_behavior, 'preserve_time')
    deepEqual(await lastAudit(), ['subscription.pause', 'done', id])
  })

  test('SUB-16: an external refund needs its tick and its reference', async () => {
    const id = await subscribed()
    const body = { mode: 'immediate', unused_time_behavior: 'external_refund' }
    equal((await post(id, '/pause', body)).body.error.param, 'refund_confirmed')
    equal((await post(id, '/pause', { ...body, refund_confirmed: true })).body.error.param, 'refund_reference')
    const told = { ...body, refund_confirmed: true, refund_reference: 'RF-9', refund_note: 'cash' }
    equal((await post(id, '/pause', told)).status, 200)
  })

  test('SUB-17, SUB-21: at the period end, undone, again, and with a cancel in its way', async () => {
    const id = await subscribed()
    const shown = (await post(id, '/pause/preview', { mode: 'period_end' })).body
    const { body } = await post(id, '/pause', { mode: 'period_end', preview_hash: shown.preview_hash })
    equal(body.pause_at, shown.view.effective_at)
    equal((await post(id, '/pause-at-period-end/undo')).body.pause, null)
    equal((await post(id, '/pause-at-period-end/undo')).status, 409)
    await post(id, '', { cancel_at_period_end: true })
    equal((await post(id, '/pause/preview', { mode: 'period_end' })).status, 409)
  })

  test('a decline meanwhile makes the preview stale: 409 with the new one', async () => {
    const id = await subscribed()
    const { preview_hash } = (await post(id, '/pause/preview', { mode: 'immediate' })).body
    await script('declined')
    await advanceToBill(id)
    const stale = await post(id, '/pause', { mode: 'immediate', preview_hash })
    deepEqual([stale.status, stale.body.error.code], [409, 'quote_stale'])
    deepEqual(stale.body.error.preview.view.dropped, { attempts: 3, amount: 2500 })
  })
})

describe('resume', () => {
  test('SUB-31: both previews; a quote of yesterday is 409 with the new ones; then it charges once', async () => {
    const id = await subscribed()
    await post(id, '/pause', {
      unused_time_behavior: 'external_refund',
      refund_confirmed: true,
      refund_reference: 'RF-1',
    })
    const shown = (await post(id, '/resume/preview')).body
    deepEqual([shown.now.charge_due_today, shown.unchanged.charge_due_today], [2500, 0])
    ok(shown.card.last4)
    await advance(DAY)
    const body = { billing_cycle_anchor: 'now', proration_behavior: 'none' }
    const stale = await post(id, '/resume', { ...body, quote_hash: shown.now.quote_hash })
    deepEqual([stale.status, stale.body.error.code], [409, 'quote_stale'])
    const { quote_hash } = stale.body.error.preview.now
    const key = 'resume'.repeat(4)
    const call = () => owner.call(`POST /subscriptions/${id}/resume`, { body: { ...body, quote_hash }, key })
    const [one, other] = [await call(), await call()]
    deepEqual([one.status, other.status, one.body.payment.id], [200, 200, other.body.payment.id])
    deepEqual([one.body.status, (await page(id)).installments_billed], ['active', 2])
    deepEqual(await lastAudit(), ['subscription.resume', 'requested', id])
    await loseResponse(service, key)
    deepEqual([(await call()).body.payment.id, (await page(id)).installments_billed], [one.body.payment.id, 2])
  })

  test('SUB-33: declined: 402 with the code, and it stays paused', async () => {
    const id = await subscribed()
    await post(id, '/pause', { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'R' })
    const { now } = (await post(id, '/resume/preview')).body
    await script('declined')
    const body = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash: now.quote_hash }
    const refused = await post(id, '/resume', body)
    deepEqual([refused.status, refused.body.error.decline_code], [402, 'ND'])
    equal((await page(id)).view.status, 'PAUSED')
  })

  test('SUB-28: unchanged, before the paid time ends: nothing is charged', async () => {
    const id = await subscribed()
    const { next_billing_at } = await page(id)
    await post(id, '/pause', { unused_time_behavior: 'preserve_time' })
    const { unchanged } = (await post(id, '/resume/preview')).body
    equal(unchanged.free_days, 0)
    const { body } = await post(id, '/resume', { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' })
    deepEqual([body.status, body.payment, body.next_billing_at], ['active', null, next_billing_at])
  })
})

describe('cancel', () => {
  test('SUB-12: at the period end, taken back, and now, each with its preview', async () => {
    const id = await subscribed()
    const atEnd = (await post(id, '/cancel/preview', { mode: 'period_end' })).body
    const details = { comment: 'moved' }
    const scheduled = await post(id, '', {
      cancel_at_period_end: true,
      cancellation_details: details,
      preview_hash: atEnd.preview_hash,
    })
    equal(scheduled.body.cancel_at, atEnd.effective_at)
    equal((await post(id, '', { cancel_at_period_end: false })).body.cancel_at, null)
    const now = (await post(id, '/cancel/preview', { mode: 'now' })).body
    const body = { reason: 'asked', preview_hash: now.preview_hash }
    const { body: gone } = await owner.call(`DELETE /subscriptions/${id}`, { body })
    deepEqual([gone.view.status, gone.checkout_url, gone.view.next_billing_date], ['CANCELLED', null, null])
    equal((await owner.call(`DELETE /subscriptions/${id}`, { body: {} })).status, 409)
    deepEqual(await lastAudit(), ['subscription.cancel', 'done', id])
  })
})

describe('retry now', () => {
  test('BIL-17, SUB-34: four marks over nine days; a manual attempt counts once the gateway has responded', async () => {
    const id = await subscribed()
    equal((await post(id, '/retry/preview')).body.blocked, 'no_bill')
    equal((await post(id, '/retry', {})).status, 409)
    await script('declined', 'declined')
    await advanceToBill(id)
    const { view } = await page(id)
    deepEqual(
      view.queue.marks.map(({ state }: { state: string }) => state),
      ['failed', 'planned', 'planned', 'planned'],
    )
    const days = view.queue.marks.map(({ day }: { day: string }) => Date.parse(day) / 1000 / DAY)
    deepEqual(
      days.map((day: number) => day - days[0]),
      [0, 3, 6, 9],
    )
    const shown = (await post(id, '/retry/preview')).body
    deepEqual([shown.amount, shown.blocked, shown.marks.length], [2500, null, 4])
    const declined = await post(id, '/retry', { preview_hash: shown.preview_hash })
    deepEqual([declined.status, declined.body.outcome, declined.body.code], [200, 'declined', 'ND'])
    equal((await post(id, '/retry', { preview_hash: shown.preview_hash })).status, 409)
    const paid = await post(id, '/retry', {})
    deepEqual([paid.body.outcome, (await page(id)).view.queue], ['approved', null])
    const [newest] = (await page(id)).view.bills
    deepEqual([newest.status, newest.tries], ['FULFILLED', 3])
  })

  test('DSH-4, DSH-6: silence is unknown, not declined; the same call again gets what it was resolved to', async () => {
    const id = await subscribed()
    await script('declined', 'silent_recorded')
    await advanceToBill(id)
    const key = newId()
    const call = () => owner.call(`POST /subscriptions/${id}/retry`, { body: {}, key })
    const { status, body } = await call()
    deepEqual([status, body.outcome, (await call()).body.outcome], [200, 'unknown', 'unknown'])
    const { view } = await page(id)
    deepEqual([view.is_charging, view.queue.marks[1].state], [true, 'charging'])
    equal((await post(id, '/retry/preview')).body.blocked, 'charging')
    await resolveAll(service)
    const found = await call()
    deepEqual([found.status, found.body.outcome], [200, 'approved'])
    const [newest] = (await page(id)).view.bills
    deepEqual([newest.status, newest.tries], ['FULFILLED', 2])
    equal((await owner.call(`GET /payments/${found.body.payment}`)).body.status, 'succeeded')
  })
})

describe('the card of a subscription', () => {
  test('SUB-47: another card on file; a debit card ends the surcharge', async () => {
    const id = await subscribed({ surcharge_rate: 2.4 })
    const other = await saveCard(service, ana.customer, CARDS.debit)
    const { body } = await post(id, '/payment_method', { payment_method: other })
    deepEqual([body.payment_method, body.surcharge_amount], [other, 0])
    equal((await post(id, '/payment_method', { payment_method: ana.customer })).status, 404)
  })

  test('LTR-1, LTR-7: its link is sent by letter: for the first card, and for another one', async () => {
    const waiting = (await ana.api.made('/subscriptions', { customer: ana.customer, price: ana.price })).id
    const running = await subscribed()
    await advance(1)
    const known = (await lettersOf(service)).length
    for (const id of [waiting, running]) equal((await post(id, '/link')).status, 200)
    await advance(1)
    const letters = (await lettersOf(service)).slice(known)
    deepEqual(
      letters.map(({ kind, object_id }) => [kind, object_id]),
      [
        ['subscription_link', waiting],
        ['card_link', running],
      ],
    )
    ok(letters[0]?.body_text.includes((await post(waiting, '/show_link')).body.url))
    // Each letter and each call that shows a link to replace a card makes one of its own (SUB-48).
    const [sent] = letters[1]?.body_text.match(/http\S+\/customer\/checkout\/[\w-]{64}/) ?? []
    const shown = (await post(running, '/show_link')).body.url
    notEqual(shown, sent)
    for (const link of [sent, shown]) equal((await fetch(link ?? '')).status, 200)
  })
})

test('BIL-11: missed bills that are held are billed or skipped, as the merchant decides', async () => {
  const id = await subscribed()
  equal((await post(id, '/catch_up', { missed: 'skip' })).status, 409)
  const { db } = service.app.services
  await db.updateTable('subscription').set({ catch_up_held_at: new Date() }).where('id', '=', id).execute()
  equal((await page(id)).view.is_held, true)
  equal((await post(id, '/catch_up', { missed: 'later' })).body.error.param, 'missed')
  const { status, body } = await post(id, '/catch_up', { missed: 'skip' })
  deepEqual([status, body.view.is_held], [200, false])
  deepEqual(await lastAudit(), ['subscription.release', 'done', id])
})

describe('editing', () => {
  test('DSH-4: reference and metadata, by version; a stale one is 409 with what is there now', async () => {
    const id = await subscribed({ metadata: { room: 4 } })
    const { version } = await page(id)
    const edit = (body: object) => owner.call(`PATCH /subscriptions/${id}`, { body })
    const { body } = await edit({ version, reference: 'A-17' })
    deepEqual([body.metadata, body.view.reference], [{ room: 4, reference: 'A-17' }, 'A-17'])
    const stale = await edit({ version, reference: 'B-1' })
    deepEqual([stale.status, stale.body.error.code], [409, 'conflict'])
    deepEqual(stale.body.error.current.view.reference, 'A-17')
    equal((await page(id)).view.reference, 'A-17')
    const cleared = await edit({ version: body.version, reference: null })
    deepEqual(cleared.body.metadata, { room: 4 })
  })
})

test('DSH-2: a role that may only read is refused, and so is a foreign id', async () => {
  const analyst = await signIn(service, { role: 'analyst' })
  const id = await subscribed()
  equal((await analyst.call(`GET /subscriptions/${id}`)).status, 200)
  for (const path of ['/pause', '/resume', '/retry', '/link'])
    equal((await analyst.call(`POST /subscriptions/${id}${path}`, { body: {} })).status, 403, path)
  const unknown = await post(ana.customer, '/pause/preview', { mode: 'immediate' })
  equal(unknown.status, 404)
  match(unknown.body.error.message, /No such/)
})
