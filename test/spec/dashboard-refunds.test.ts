import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OpenOperation } from '../../contract/dashboard/payments-api.ts'
import { newId } from '../../server/lib/ids.ts'
import { refundPayment } from '../../server/payments/refunds/refund-payment.ts'
import { businessOf } from '../support/business-of.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { merchantOf } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'

// DSH-5, DSH-6, DSH-17, DSH-34: refunds and voids by people.

let service: TestService
let owner: DashboardClient
let support: DashboardClient
let stored: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  await service.app.startWorker()
  owner = await signIn(service)
  support = await signIn(service, { role: 'support' })
  stored = await storeCard(service, 'ana@example.com')
})
after(async () => {
  await assertSoundBooks(service)
  await service.close()
})

const REASON = { reason: 'requested' }

async function sold(amount = 12.34, card = stored): Promise<string> {
  const { body } = await sellTo(service, card, { amount })
  return body.recordID
}
const preview = (by: DashboardClient, id: string, amount?: number) =>
  by.call(`POST /payments/${id}/refunds/preview`, { body: amount === undefined ? {} : { amount } })
const refund = (by: DashboardClient, id: string, body: Record<string, unknown> = {}, key?: string) =>
  by.call(`POST /payments/${id}/refunds`, { body: { ...REASON, ...body }, ...(key && { key }) })
const voided = (by: DashboardClient, id: string, body: Record<string, unknown> = {}, key?: string) =>
  by.call(`POST /payments/${id}/voids`, { body: { ...REASON, ...body }, ...(key && { key }) })
const detail = async (id: string) => (await owner.call(`GET /payments/${id}`)).body

describe('A refund (DSH-17, DSH-28, DEF-11)', () => {
  test('is done in part and then the rest, as its previews show it', async () => {
    const id = await sold()
    const first = await preview(support, id, 1_000)
    deepEqual(
      [first.body.amount, first.body.paid_amount, first.body.rest_amount, first.body.letters],
      [1_000, 1_234, 234, [{ audience: 'customer', recipient: 'ana@example.com' }]],
    )
    const made = await refund(support, id, { amount: 1_000, preview_hash: first.body.preview_hash })
    deepEqual([made.status, made.body.status, made.body.amount], [201, 'succeeded', 1_000])
    const rest = await preview(support, id)
    deepEqual([rest.body.amount, rest.body.refunded_amount], [234, 1_000])
    equal((await refund(support, id, { reason: 'other', note: 'Goodwill' })).status, 201)
    const { status, refunds, refund_impossible } = await detail(id)
    deepEqual(
      [status, refund_impossible, refunds.map((one: { by: string; note: string | null }) => [one.by, one.note])],
      [
        'refunded',
        'refunded',
        [
          [support.email, 'Goodwill'],
          [support.email, null],
        ],
      ],
    )
    const again = await preview(support, id)
    deepEqual([again.status, again.body.error.reason], [409, 'refunded'])
  })

  test('of figures that have changed is a conflict with the new ones (DSH-5)', async () => {
    const id = await sold()
    const { body } = await preview(owner, id)
    equal((await refund(support, id, { amount: 200 })).status, 201)
    const stale = await refund(owner, id, { preview_hash: body.preview_hash })
    deepEqual([stale.status, stale.body.error.code, stale.body.error.preview.amount], [409, 'quote_stale', 1_034])
    equal((await detail(id)).refunded_amount, 200)
  })

  test('of two people at once happens once', async () => {
    const id = await sold()
    const both = await Promise.all([refund(owner, id), refund(support, id)])
    deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    equal((await detail(id)).refunds.length, 1)
  })

  test('sent twice with one key happens once, in order and at the same time', async () => {
    const [first, second] = [await sold(), await sold()]
    const key = newId()
    const made = await refund(owner, first, { amount: 100 }, key)
    const replayed = await refund(owner, first, { amount: 100 }, key)
    deepEqual([replayed.status, replayed.body, replayed.headers.get('idempotent-replayed')], [201, made.body, 'true'])
    equal((await refund(owner, first, { amount: 101 }, key)).body.error.code, 'idempotency_key_reused')
    const double = newId()
    const both = await Promise.all([refund(owner, second, {}, double), refund(owner, second, {}, double)])
    ok(both.every(({ status }) => status === 201 || status === 409))
    deepEqual([(await detail(first)).refunds.length, (await detail(second)).refunds.length], [1, 1])
  })

  test('whose response and process were lost is found by its key, and not made again', async () => {
    const id = await sold()
    const key = newId()
    const made = await refund(owner, id, { amount: 300 }, key)
    await loseResponse(service, key)
    const found = await refund(owner, id, { amount: 300 }, key)
    deepEqual([found.status, found.body], [201, made.body])
    equal((await detail(id)).refunds.length, 1)
  })

  test('that its process did not begin is made by the same call, once', async () => {
    const id = await sold()
    const key = newId()
    const { db } = service.app.services
    const ours = () => db.selectFrom('dashboard_request').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    await refund(owner, id, { amount: 99_999 }, key)
    await refund(owner, id, { amount: 300 }, key)
    const { object_id } = await ours()
    const business = await businessOf(service)
    // The use case itself makes only one refund per id.
    const twice = refundPayment(service.app.services, { business, paymentId: id, amount: null, id: object_id ?? '' })
    await twice.then(
      () => ok(false, 'a second refund under the same id'),
      () => {},
    )
    equal((await detail(id)).refunds.length, 1)
  })

  test('with an unknown outcome is pending, keeps its amount, and is resolved by an inquiry (DSH-6)', async () => {
    const id = await sold(20)
    const unknown = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, unknown] })
    const key = newId()
    const made = await refund(owner, id, { amount: 500 }, key)
    deepEqual([made.status, made.body.status], [201, 'pending'])
    const during = await detail(id)
    deepEqual(
      [during.refund_pending_amount, during.refund_impossible, during.is_in_progress],
      [500, 'in_progress', true],
    )
    const open = (await owner.call('GET /operations', { query: { open: true } })).body.data as OpenOperation[]
    deepEqual(
      open.map((one) => [one.id, one.kind, one.payment]),
      [[made.body.id, 'refund', id]],
    )
    equal((await owner.call('GET /payments', { query: { open: true } })).body.data[0].id, id)
    const inquired = await support.call(`POST /operations/${made.body.id}/inquire`)
    deepEqual([inquired.status, inquired.body.is_open], [200, true])
    const [after] = (await owner.call('GET /operations', { query: { open: true } })).body.data as OpenOperation[]
    // Recovery itself may also have inquired.
    ok((after?.inquiries ?? 0) > (open[0]?.inquiries ?? 0))
    ok(Math.abs((after?.last_inquiry_at ?? 0) - Date.now() / 1_000) < 30)
    await service.simulator.resetScript()
    const { body } = await support.call(`POST /operations/${made.body.id}/inquire`)
    deepEqual(body, { id: made.body.id, object: 'operation', is_open: false })
    deepEqual([(await detail(id)).status, (await detail(id)).refunded_amount], ['partially_refunded', 500])
    equal((await refund(owner, id, { amount: 500 }, key)).body.id, made.body.id)
    equal((await detail(id)).refunds.length, 1)
  })

  test('declined by the gateway leaves the payment as it was', async () => {
    const card = await storeCard(service, 'declines@example.com', { cardNumber: CARDS.refundsDeclined })
    const id = await sold(20, card)
    const made = await refund(owner, id)
    deepEqual([made.status, made.body.status, made.body.failure_reason], [201, 'failed', 'declined'])
    const { status, refundable_amount, refunds } = await detail(id)
    deepEqual([status, refundable_amount], ['succeeded', 2_000])
    // The reason, in the gateway's words.
    deepEqual([refunds[0].code, refunds[0].message], [null, 'DECLINED'])
  })

  test('of too much, or of nothing that was paid, is refused and writes nothing', async () => {
    const id = await sold()
    deepEqual([(await refund(owner, id, { amount: 1_235 })).body.error.param], ['amount'])
    equal((await refund(owner, id, { reason: 'because' })).body.error.param, 'reason')
    equal((await refund(owner, newId())).status, 404)
    equal((await detail(id)).refunds.length, 0)
  })
})

describe('The limits of a person (DSH-34, DEF-11)', () => {
  test('above the amount need a proof, and a role that may', async () => {
    const id = await sold(500.01)
    const asked = await refund(owner, id)
    deepEqual(
      [asked.status, asked.body.error.code, asked.body.error.reason],
      [403, 'step_up_required', 'refund_over_limit'],
    )
    const denied = await refund(support, id)
    deepEqual([denied.status, denied.body.error.permission], [403, 'payments.refund_over_limit'])
    deepEqual(
      [(await preview(support, id)).body.is_over_limit, (await preview(owner, id)).body.is_over_limit],
      [true, false],
    )
    const steppedUp = await signIn(service, { isSteppedUp: true })
    equal((await refund(steppedUp, id)).status, 201)
    const audit = await service.app.services.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'outcome'])
      .where('action', '=', 'payments.refund_over_limit')
      .execute()
    deepEqual(audit, [{ actor_id: support.userId, outcome: 'refused' }])
  })

  test('count all that they gave back today, voids too, and the same call again is no more', async () => {
    const [support2, ids] = [await signIn(service, { role: 'support' }), [] as string[]]
    for (const _ of [1, 2, 3, 4, 5]) ids.push(await sold(450))
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
    const key = newId()
    equal((await voided(support2, first)).status, 200)
    equal((await refund(support2, second)).status, 201)
    equal((await refund(support2, third)).status, 201)
    equal((await refund(support2, fourth, {}, key)).status, 201)
    deepEqual(
      [(await refund(support2, fifth)).status, (await preview(support2, fifth)).body.needs_step_up],
      [403, true],
    )
    equal((await refund(support2, fifth, { amount: 20_000 })).status, 201)
    equal((await refund(support2, fourth, {}, key)).status, 201)
  })
})

describe('A void', () => {
  test('takes a payment back while its batch is open, and a refund does afterwards', async () => {
    const [id, late] = [await sold(), await sold()]
    const { body } = await owner.call(`POST /payments/${id}/voids/preview`)
    equal(body.amount, 1_234)
    const made = await voided(owner, id, { preview_hash: body.preview_hash })
    deepEqual([made.status, made.body.status, (await detail(id)).status], [200, 'succeeded', 'voided'])
    equal((await merchantOf(service).post('/batch/settle', {})).status, 200)
    const after = await detail(late)
    deepEqual(
      [after.void_impossible, after.refund_impossible, after.shown_batch.status],
      ['batch_settled', null, 'settled'],
    )
    equal((await voided(owner, late)).body.error.reason, 'batch_settled')
  })

  test('replays its response, and tells of what was lost', async () => {
    const id = await sold()
    const key = newId()
    const made = await voided(owner, id, {}, key)
    await loseResponse(service, key)
    const found = await voided(owner, id, {}, key)
    deepEqual([found.body.status, found.body.id], ['succeeded', made.body.id])
  })
})

describe('A sale on a stored card', () => {
  const asked = (more = {}) => ({ customer: stored.customerId, payment_method: stored.cardId, amount: 2_000, ...more })

  test('is charged once for its key', async () => {
    const key = newId()
    const made = await support.call('POST /sales', { body: asked({ description: 'By phone' }), key })
    deepEqual([made.status, made.body.status, made.body.code], [201, 'succeeded', 'AA'])
    await loseResponse(service, key)
    const found = await support.call('POST /sales', { body: asked({ description: 'By phone' }), key })
    deepEqual(found.body, made.body)
    equal((await detail(made.body.id)).amount, 2_000)
  })

  test('that is declined says so; one of an unknown card is refused', async () => {
    const card = await storeCard(service, 'only@example.com', { cardNumber: CARDS.onlyWhenTyped })
    const body = asked({ customer: card.customerId, payment_method: card.cardId })
    const { status, body: made } = await support.call('POST /sales', { body })
    deepEqual([status, made.status], [201, 'failed'])
    ok((await detail(made.id)).status === 'failed')
    equal((await support.call('POST /sales', { body: asked({ payment_method: newId() }) })).status >= 400, true)
    equal((await support.call('POST /sales/preview', { body: asked({ payment_method: newId() }) })).status, 404)
  })

  test('is shown before it is charged, and refused when it is not what was shown (DSH-5)', async () => {
    const { body: shown } = await support.call('POST /sales/preview', { body: asked() })
    deepEqual([shown.total_amount, shown.tax_amount, shown.surcharge_amount, shown.currency], [2_000, 0, 0, 'usd'])
    const other = asked({ amount: 2_001, preview_hash: shown.preview_hash })
    equal((await support.call('POST /sales', { body: other })).body.error.code, 'quote_stale')
    const made = await support.call('POST /sales', { body: asked({ preview_hash: shown.preview_hash }) })
    deepEqual([made.body.status, (await detail(made.body.id)).amount], ['succeeded', 2_000])
  })
})

describe('Open operations (DSH-6)', () => {
  test('are inquired about by those who may, and only while they are open', async () => {
    const { operation } = await detail(await sold())
    equal((await owner.call('GET /operations')).body.total, 0)
    equal((await owner.call(`POST /operations/${newId()}/inquire`)).status, 404)
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call(`POST /operations/${operation}/inquire`)).status, 403)
    const { body } = await owner.call(`POST /operations/${operation}/inquire`)
    deepEqual(body, { id: operation, object: 'operation', is_open: false })
  })
})
