import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Life, openLife } from '../support/life.ts'

// Three years of ten customers of one shop in New York, by dates, over HTTP: BIL-1 to BIL-27, SUB-1 to SUB-33.

let life: Life
before(async () => {
  life = await openLife('2027-01-31T15:00:00Z')
})
after(() => life[Symbol.asyncDispose]())

/** Returns what a merchant first looks at in a subscription. */
async function look(name: string) {
  const { status, next_billing_at, billing_cycle_anchor, retry_count } = await life.subscription(name)
  return { status, next: life.dayOf(next_billing_at), anchor: billing_cycle_anchor, retries: retry_count }
}

describe('three years of a shop', { concurrency: false }, () => {
  test('2027-01-31: ten customers come, and eight pay their first bill at once', async () => {
    const rates = { tax_rate: 13, surcharge_rate: 2.4 }
    const ana = await life.subscribe('Ana', { amount: 2_500, interval: 'month', more: rates })
    equal(ana.status, 201, JSON.stringify(ana.body))
    // 25.00, 3.25 of tax, and 2.4 percent of 28.25.
    deepEqual([ana.body.tax_amount, ana.body.surcharge_amount, ana.body.amount], [325, 68, 2_893])
    const month = { amount: 1_000, interval: 'month' } as const
    for (const [name, card] of [
      ['Ben', CARDS.laterDeclinedTwice],
      ['Cleo', CARDS.laterPickUp],
      ['Ivy', CARDS.laterDeclined],
      ['Jon', CARDS.mastercard],
    ] as const)
      equal((await life.subscribe(name, { ...month, card })).body.status, 'active', name)
    equal((await life.subscribe('Dan', { amount: 3_000, interval: 'month' })).body.status, 'active')
    equal((await life.subscribe('Eve', { amount: 700, interval: 'week' })).body.status, 'active')
    equal((await life.subscribe('Hana', { amount: 9_000, interval: 'month', count: 3 })).body.status, 'active')
    const gus = await life.subscribe('Gus', { amount: 5_000, interval: 'month', more: { installments: 3 } })
    deepEqual([gus.body.installments_billed, gus.body.installments_remaining], [1, 2])
    deepEqual(await look('Ana'), { status: 'active', next: '2027-02-28', anchor: '2027-01-31', retries: 0 })
    deepEqual(await life.payments('Ana'), ['2027-01-31 succeeded 2893'])
    deepEqual(await life.events('Ana'), ['subscription.created'])
  })

  test('2027-02-08: Eve has paid her second week; a part of it is refunded, then the rest', async () => {
    await life.until('2027-02-08')
    deepEqual(await life.payments('Eve'), ['2027-01-31 succeeded 700', '2027-02-07 succeeded 700'])
    const payment = await life.paymentId('Eve', 1)
    equal((await life.api.post('/refunds', { payment, amount: 300 })).status, 201)
    equal((await life.api.post('/refunds', { payment, amount: 401 })).status, 422)
    equal((await life.api.post('/refunds', { payment })).status, 201)
    deepEqual(await life.payments('Eve'), ['2027-01-31 succeeded 700', '2027-02-07 refunded 700'])
    deepEqual(await look('Eve'), { status: 'active', next: '2027-02-14', anchor: '2027-01-31', retries: 0 })
  })

  test('2027-02-10, noon: Dan pauses and keeps seventeen and a half days; Jon takes his card back', async () => {
    await life.until('2027-02-10', 12)
    const missing = await life.post('Dan', '/pause', {})
    deepEqual([missing.status, missing.body.error.param], [422, 'unused_time_behavior'])
    const { body } = await life.post('Dan', '/pause', { unused_time_behavior: 'preserve_time' })
    equal(body.status, 'paused')
    equal(body.pause.remaining_paid_seconds, 17.5 * 86_400)
    equal(body.next_billing_at, null)
    const { payment_method } = await life.customer('Jon')
    equal((await life.api.delete(`/payment_methods/${payment_method}`)).body.status, 'detached')
  })

  test('2027-02-15: the bill of yesterday is voided, and Eve keeps her schedule', async () => {
    await life.until('2027-02-15')
    const { status, body } = await life.api.post('/voids', { payment: await life.paymentId('Eve', 2) })
    deepEqual([status, body.status], [200, 'voided'])
    deepEqual((await look('Eve')).next, '2027-02-21')
  })

  test('2027-02-28: a month without a 31st; Ben and Ivy are declined, Cleo must not be charged again', async () => {
    await life.until('2027-02-28')
    deepEqual((await life.payments('Ana')).at(-1), '2027-02-28 succeeded 2893')
    deepEqual(await look('Ana'), { status: 'active', next: '2027-03-31', anchor: '2027-01-31', retries: 0 })
    deepEqual(await look('Ben'), { status: 'active', next: '2027-03-31', anchor: '2027-01-31', retries: 1 })
    deepEqual((await life.payments('Cleo')).at(-1), '2027-02-28 failed 1000')
    deepEqual((await life.payments('Jon')).at(-1), '2027-02-28 failed 1000')
    deepEqual((await look('Cleo')).retries, 0)
    equal((await life.payments('Dan')).length, 1)
    const { status, body } = await life.cancel('Eve')
    deepEqual([status, body.status, body.next_billing_at], [200, 'canceled', null])
  })

  test('2027-03-10: Ben has paid on the third attempt, Ivy has failed on the fourth', async () => {
    await life.until('2027-03-10')
    deepEqual((await life.payments('Ben')).slice(1), [
      '2027-02-28 failed 1000',
      '2027-03-03 failed 1000',
      '2027-03-06 succeeded 1000',
    ])
    deepEqual((await life.payments('Ivy')).slice(1), [
      '2027-02-28 failed 1000',
      '2027-03-03 failed 1000',
      '2027-03-06 failed 1000',
      '2027-03-09 failed 1000',
    ])
    for (const name of ['Ben', 'Ivy'])
      deepEqual(await look(name), { status: 'active', next: '2027-03-31', anchor: '2027-01-31', retries: 0 })
    equal((await life.payments('Eve')).at(-1), '2027-02-28 succeeded 700')
  })

  test('2027-03-15: Finn subscribes for a year, from the next 29 February on, and pays nothing yet', async () => {
    await life.until('2027-03-15')
    const more = { start_date: '2028-02-29' }
    const { status, body } = await life.subscribe('Finn', { amount: 12_000, interval: 'year', more })
    deepEqual([status, body.status, life.dayOf(body.next_billing_at)], [201, 'active', '2028-02-29'])
    deepEqual(await life.payments('Finn'), [])
  })

  test('2027-03-20, noon: Dan resumes from today, and his days are served before he pays again', async () => {
    await life.until('2027-03-20', 12)
    const { body: preview } = await life.post('Dan', '/resume/preview', { billing_cycle_anchor: 'now' })
    deepEqual([preview.charge_due_today, preview.quote_hash, preview.new_period_end], [0, null, '2027-04-07'])
    const wanted = { billing_cycle_anchor: 'now', proration_behavior: 'none' }
    const { status, body } = await life.post('Dan', '/resume', wanted)
    deepEqual([status, body.status, body.payment], [200, 'active', null])
    deepEqual(await look('Dan'), { status: 'active', next: '2027-04-07', anchor: '2027-04-07', retries: 0 })
  })

  test('2027-03-31: Gus has paid all three; clocks have gone forward, and bills still come at midnight', async () => {
    await life.until('2027-03-31')
    deepEqual(await life.payments('Gus'), [
      '2027-01-31 succeeded 5000',
      '2027-02-28 succeeded 5000',
      '2027-03-31 succeeded 5000',
    ])
    deepEqual((await look('Gus')).status, 'completed')
    const instants = (await life.api.get(`/subscriptions/${(await life.subscription('Ana')).id}/payments`)).body.data
    const hours = instants.map(({ created }: { created: number }) => new Date(created * 1_000).getUTCHours())
    // Midnight in New York is 04:00 UTC from 14 March on; the first bill was paid at 10:00.
    deepEqual(hours, [4, 5, 15])
    equal((await life.payments('Cleo')).length, 2)
  })

  test('2027-05-11: Hana schedules her cancel and takes it back; Dan is to pause at the end of his month', async () => {
    await life.until('2027-05-10')
    equal((await life.payments('Dan')).at(-1), '2027-05-07 succeeded 3000')
    equal((await life.post('Hana', '', { cancel_at_period_end: true })).body.cancel_at_period_end, true)
    const { body } = await life.post('Dan', '/pause', { mode: 'period_end' })
    deepEqual([body.status, body.pause.status, life.dayOf(body.pause_at)], ['active', 'pending', '2027-06-07'])
    await life.until('2027-05-11')
    const kept = await life.post('Hana', '', { cancel_at_period_end: false })
    deepEqual([kept.body.cancel_at_period_end, kept.body.cancel_at], [false, null])
    equal((await life.payments('Hana')).at(-1), '2027-04-30 succeeded 9000')
  })

  test('2027-08-20: Dan has been paused since 7 June and unpaid; he returns to his old schedule', async () => {
    await life.until('2027-08-20')
    const paused = await life.subscription('Dan')
    deepEqual(
      [paused.status, life.dayOf(paused.paused_at), paused.pause.remaining_paid_seconds],
      ['paused', '2027-06-07', 0],
    )
    equal((await life.payments('Dan')).at(-1), '2027-05-07 succeeded 3000')
    const wanted = { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' }
    equal((await life.post('Dan', '/resume', wanted)).body.status, 'active')
    deepEqual(await look('Dan'), { status: 'active', next: '2027-09-07', anchor: '2027-04-07', retries: 0 })
    equal((await life.post('Hana', '', { cancel_at_period_end: true })).status, 200)
  })

  test('2027-11-03: Hana left on 31 October without a bill; Dan was refunded by hand and pays for a new month', async () => {
    await life.until('2027-10-10')
    const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'Cash' }
    equal((await life.post('Dan', '/pause', refund)).body.status, 'paused')
    await life.until('2027-11-03')
    const hana = await life.subscription('Hana')
    deepEqual([hana.status, life.dayOf(hana.canceled_at)], ['canceled', '2027-10-31'])
    equal((await life.payments('Hana')).at(-1), '2027-07-31 succeeded 9000')
    const { body: preview } = await life.post('Dan', '/resume/preview', { billing_cycle_anchor: 'now' })
    deepEqual([preview.charge_due_today, preview.payment_required_to_reactivate], [3_000, true])
    match(preview.quote_hash, /^[0-9a-f]{64}$/)
    const wanted = { billing_cycle_anchor: 'now', proration_behavior: 'none' }
    equal((await life.post('Dan', '/resume', wanted)).status, 422)
    equal((await life.post('Dan', '/resume', { ...wanted, quote_hash: '0'.repeat(64) })).status, 409)
    const { status, body } = await life.post('Dan', '/resume', { ...wanted, quote_hash: preview.quote_hash })
    deepEqual([status, body.status, body.payment.amount], [200, 'active', 3_000])
    deepEqual(await look('Dan'), { status: 'active', next: '2027-12-03', anchor: '2027-11-03', retries: 0 })
  })

  test('2028-03-01: a leap year has its 29 February for Ana and for Finn', async () => {
    await life.until('2028-03-01')
    equal((await life.payments('Ana')).at(-1), '2028-02-29 succeeded 2893')
    deepEqual(await life.payments('Finn'), ['2028-02-29 succeeded 12000'])
    deepEqual(await look('Finn'), { status: 'active', next: '2029-02-28', anchor: '2028-02-29', retries: 0 })
  })

  test('2030-01-31: after three years every bill is where the calendar has it', async () => {
    await life.until('2030-01-31')
    const ana = await life.payments('Ana')
    equal(ana.length, 37)
    equal(new Set(ana.map((payment) => payment.slice(0, 7))).size, 37)
    deepEqual(ana.slice(-3), ['2029-11-30 succeeded 2893', '2029-12-31 succeeded 2893', '2030-01-31 succeeded 2893'])
    deepEqual((await life.payments('Finn')).at(-1), '2029-02-28 succeeded 12000')
    const ben = await life.payments('Ben')
    // Each of 35 bills was paid on its third attempt; today's has failed once.
    deepEqual([ben.length, ben.filter((payment) => payment.includes('succeeded')).length], [1 + 35 * 3 + 1, 36])
    const ivy = await life.payments('Ivy')
    deepEqual([ivy.length, ivy.filter((payment) => payment.includes('succeeded')).length], [1 + 35 * 4 + 1, 1])
    deepEqual(await life.payments('Cleo'), ['2027-01-31 succeeded 1000', '2027-02-28 failed 1000'])
    equal((await life.payments('Eve')).length, 5)
    equal((await life.payments('Gus')).length, 3)
  })

  test('what happened to each of them is told by its events', async () => {
    deepEqual(await life.events('Gus'), ['subscription.created', 'subscription.completed'])
    deepEqual(await life.events('Eve'), ['subscription.created', 'subscription.cancelled'])
    deepEqual(await life.events('Hana'), [
      'subscription.created',
      'subscription.cancel_scheduled',
      'subscription.cancel_undone',
      'subscription.cancel_scheduled',
      'subscription.cancelled',
    ])
    deepEqual(await life.events('Dan'), [
      'subscription.created',
      'subscription.paused',
      'subscription.resumed',
      'subscription.pause_scheduled',
      'subscription.paused',
      'subscription.resumed',
      'subscription.paused',
      'subscription.resumed',
    ])
  })
})
