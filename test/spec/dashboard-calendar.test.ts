import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { UpcomingDay, UpcomingItem } from '../../contract/dashboard/calendar-api.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Life, openLife } from '../support/life.ts'

// SUB-51: the calendar of bills. What it forecasts is what the engine does.

const FROM = '2027-02-01'
const TO = '2027-04-30'

describe('GET /bills/upcoming', { concurrency: false }, () => {
  let life: Life
  let owner: DashboardClient
  before(async () => {
    life = await openLife('2027-01-31T15:00:00Z')
    owner = await signIn(life.service)
    const yearly = { amount: 9_000, interval: 'year' } as const
    await life.subscribe('Ana', { amount: 2_500, interval: 'month' })
    await life.subscribe('Ben', { amount: 700, interval: 'week', count: 2 })
    await life.subscribe('Cleo', { amount: 1_200, interval: 'month', more: { installments: 3 } })
    await life.subscribe('Dora', { ...yearly, more: { start_date: '2027-03-05' } })
    await life.subscribe('Eve', { amount: 3_100, interval: 'month', count: 3 })
    await life.subscribe('Finn', { amount: 100, interval: 'month' })
    await life.post('Finn', '', { cancel_at_period_end: true })
    await life.subscribe('Gil', { amount: 200, interval: 'month' })
    await life.post('Gil', '/pause', { mode: 'period_end' })
    await life.subscribe('Hal', { amount: 300, interval: 'month' })
    await life.post('Hal', '/pause', { unused_time_behavior: 'preserve_time' })
  })
  after(() => life[Symbol.asyncDispose]())

  const upcoming = async (query: Record<string, string> = {}): Promise<UpcomingDay[]> => {
    const { status, body } = await owner.call('GET /bills/upcoming', { query: { from: FROM, to: TO, ...query } })
    equal(status, 200, JSON.stringify(body))
    return body.days
  }
  const itemsOf = async (day: string): Promise<UpcomingItem[]> =>
    (await owner.call('GET /bills/upcoming/day', { query: { day } })).body.data
  const lines = (days: UpcomingDay[]) =>
    days.flatMap(({ day, bills, starts }) => {
      const count = bills.count + starts.count
      return count === 0 ? [] : [`${day} ${count} ${bills.amount + starts.amount}`]
    })

  let forecast: string[] = []

  test('BIL-6, SUB-11: a month is the days of the engine, with starts, pauses and cancellations', async () => {
    const days = await upcoming()
    forecast = lines(days)
    const at = (day: string) => days.find((one) => one.day === day)
    deepEqual(at('2027-02-28'), {
      day: '2027-02-28',
      bills: { count: 3, amount: 2_500 + 700 + 1_200 },
      retries: { count: 0, amount: 0 },
      starts: { count: 0, amount: 0 },
      pauses: 1,
      cancellations: 1,
    })
    deepEqual(at('2027-03-05')?.starts, { count: 1, amount: 9_000 })
    deepEqual(at('2027-03-31')?.bills.amount, 2_500 + 1_200)
    deepEqual(at('2027-04-30')?.bills.amount, 2_500 + 3_100)
  })

  test('a day has the subscriptions behind its counts', async () => {
    for (const { day, bills, starts, pauses, cancellations } of await upcoming()) {
      const items = await itemsOf(day)
      const number = (kind: string) => items.filter((item) => item.kind === kind).length
      deepEqual(
        [number('bill'), number('start'), number('pause'), number('cancel')],
        [bills.count, starts.count, pauses, cancellations],
        day,
      )
    }
    const [start] = await itemsOf('2027-03-05')
    deepEqual([start?.customer, start?.description, start?.amount], ['Ana Roy', 'Plan of Dora', 9_000])
  })

  test('one product alone', async () => {
    const { items } = await life.subscription('Ben')
    const product = items.data[0].price.product
    const days = lines(await upcoming({ product, to: '2027-03-01' }))
    deepEqual(days, ['2027-02-14 1 700', '2027-02-28 1 700'])
  })

  test('a range that ends before it begins, or is too long, is refused', async () => {
    const refusal = async (query: Record<string, string>) =>
      (await owner.call('GET /bills/upcoming', { query: { from: FROM, to: TO, ...query } })).body.error?.param
    deepEqual(
      [await refusal({ to: '2027-01-31' }), await refusal({ to: '2028-01-01' }), await refusal({ from: '2027-02-30' })],
      ['to', 'to', 'from'],
    )
  })

  test('a day in the distant future is refused, as the calendar ends with the year 9999', async () => {
    for (const [path, query, param] of [
      ['', { from: '9999-12-01', to: '9999-12-31' }, 'from'],
      ['', { from: '2127-01-01', to: '2127-02-28' }, 'to'],
      ['/day', { day: '9999-12-31' }, 'day'],
    ] as const) {
      const { status, body } = await owner.call(`GET /bills/upcoming${path}`, { query })
      deepEqual([status, body.error?.param], [422, param], JSON.stringify(query))
    }
  })

  test('then the engine bills exactly that', async () => {
    await life.until(TO, 20)
    const { db } = life.service.app.services
    const paid = await db
      .selectFrom('payment')
      .select(['period_start as day', 'amount'])
      .where('trigger', '=', 'scheduled')
      .execute()
    const byDay = Map.groupBy(paid, ({ day }) => day ?? '')
    const billed = [...byDay].map(
      ([day, all]) => `${day} ${all.length} ${all.reduce((sum, one) => sum + one.amount, 0)}`,
    )
    deepEqual(billed.sort(), forecast)
  })

  test('BIL-17: a declined bill shows at its next attempt, and what is overdue shows today', async () => {
    const more = { installments: 3 }
    await life.subscribe('Ivy', { amount: 4_000, interval: 'month', card: CARDS.laterDeclined, more })
    await life.until('2027-05-30', 20)
    const days = await upcoming({ from: '2027-05-30', to: '2027-06-10' })
    deepEqual(days.find(({ day }) => day === '2027-06-02')?.retries, { count: 1, amount: 4_000 })
    const items = await itemsOf('2027-06-02')
    deepEqual(
      items.map(({ kind, amount }) => [kind, amount]),
      [['retry', 4_000]],
    )
    // One of three is paid, and the open one is expected to be.
    const ofIvy = async (day: string) => (await itemsOf(day)).filter(({ amount }) => amount === 4_000).length
    deepEqual([await ofIvy('2027-06-30'), await ofIvy('2027-07-30')], [1, 0])
    const later = await upcoming({ from: '2027-06-30', to: '2027-07-30' })
    equal(later.find(({ day }) => day === '2027-07-30')?.bills.count ?? 0, 0)
    // As after an outage of the service.
    const { db } = life.service.app.services
    const missed = { next_attempt_at: new Date('2027-05-28T12:00:00Z') }
    await db.updateTable('bill').set(missed).where('status', '=', 'PENDING').execute()
    const today = (await upcoming({ from: '2027-05-30', to: '2027-06-10' })).find(({ day }) => day === '2027-05-30')
    deepEqual(today?.retries, { count: 1, amount: 4_000 })
    const due = await itemsOf('2027-05-30')
    deepEqual(
      due.filter(({ kind }) => kind === 'retry').map(({ amount }) => amount),
      [4_000],
    )
    deepEqual(await itemsOf('2027-06-02'), [])
  })
})
