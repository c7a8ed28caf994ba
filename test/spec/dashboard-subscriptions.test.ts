import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SubscriptionRow } from '../../contract/dashboard/subscription-views.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Life, openLife } from '../support/life.ts'

// DSH-8, SUB-49: the list of subscriptions, with the dashboard's words.

describe('GET /subscriptions', { concurrency: false }, () => {
  let life: Life
  let owner: DashboardClient
  const names = new Map<string, string>()
  before(async () => {
    life = await openLife('2027-01-31T15:00:00Z')
    owner = await signIn(life.service)
    const add = async (name: string, terms: Parameters<Life['subscribe']>[1]) => {
      const { status, body } = await life.subscribe(name, terms)
      equal(status, 201, JSON.stringify(body))
      names.set(body.id, name)
    }
    await add('Ana', { amount: 2_500, interval: 'month', more: { metadata: { reference: 'Room 12' } } })
    await add('Ben', { amount: 700, interval: 'week', count: 2, more: { installments: 9 } })
    await add('Cleo', { amount: 1_200, interval: 'year', card: CARDS.laterDeclined })
    await add('Dora', { amount: 150, interval: 'day', more: { installments: 1 } })
    await add('Eve', { amount: 900, interval: 'month', count: 6 })
    await life.post('Eve', '/pause', { unused_time_behavior: 'preserve_time' })
    await add('Finn', { amount: 100, interval: 'month', more: { payment_method: undefined } })
    await add('Gil', { amount: 4_000, interval: 'month', card: CARDS.laterDeclined })
    await add('Hal', { amount: 200, interval: 'month', count: 3 })
    await life.cancel('Hal')
  })
  after(() => life[Symbol.asyncDispose]())

  const rows = async (query: Record<string, string | number> = {}) => {
    const { status, body } = await owner.call('GET /subscriptions', { query })
    equal(status, 200, JSON.stringify(body))
    equal(body.total, body.data.length)
    return body.data as SubscriptionRow[]
  }
  const named = async (query: Record<string, string | number>) =>
    (await rows(query)).map(({ id }) => names.get(id)).sort()

  test('has the words of the dashboard beside the object of the merchant API', async () => {
    const all = await rows()
    const words = all.map(
      ({ id, view }) => `${names.get(id)} ${view.status} ${view.frequency.label} ${view.frequency.sequence}`,
    )
    deepEqual(words.sort(), [
      'Ana ACTIVE Monthly 3',
      'Ben ACTIVE Bi-Weekly 2',
      'Cleo ACTIVE Annual 6',
      'Dora completed Daily null',
      'Eve PAUSED Twice a Year 5',
      'Finn INACTIVE Monthly 3',
      'Gil ACTIVE Monthly 3',
      'Hal CANCELLED Quarterly 4',
    ])
    const { view, ...object } = all.find(({ id }) => names.get(id) === 'Ben') ?? (all[0] as SubscriptionRow)
    deepEqual(object, await life.subscription('Ben'))
    deepEqual([view.customer.email, view.description, view.card?.last4], ['ben@example.com', 'Plan of Ben', '4242'])
  })

  test('filters by tab, status, frequency, price, day of the next bill and reference', async () => {
    deepEqual(await named({ tab: 'active' }), ['Ana', 'Ben', 'Cleo', 'Gil'])
    deepEqual(await named({ tab: 'awaiting_card' }), ['Finn'])
    deepEqual(await named({ tab: 'ended' }), ['Dora', 'Hal'])
    deepEqual(await named({ status: 'CANCELLED' }), ['Hal'])
    deepEqual(await named({ status: 'PAUSED' }), ['Eve'])
    deepEqual(await named({ frequency: 'Monthly', tab: 'active' }), ['Ana', 'Gil'])
    deepEqual(await named({ next_from: '2027-02-10', next_to: '2027-02-14' }), ['Ben'])
    deepEqual(await named({ reference: 'room' }), ['Ana'])
    deepEqual(await named({ reference: 'room%' }), [])
    const { price, items } = await life.subscription('Ben')
    deepEqual(await named({ price }), ['Ben'])
    deepEqual(await named({ product: items.data[0].price.product }), ['Ben'])
  })

  test('a card that expires: this month, next month, before', async () => {
    const { db } = life.service.app.services
    const { payment_method: id } = await life.subscription('Ana')
    const expiring = async (exp_month: number) => {
      await db.updateTable('stored_card').set({ exp_month, exp_year: 2027 }).where('id', '=', id).execute()
      return Promise.all(['expired', 'this_month', 'next_month'].map((card_expiring) => named({ card_expiring })))
    }
    deepEqual(await expiring(1), [[], ['Ana'], []])
    deepEqual(await expiring(2), [[], [], ['Ana']])
    await db.updateTable('stored_card').set({ exp_year: 2035 }).where('id', '=', id).execute()
  })

  test('pages by key, with the total of the whole filter', async () => {
    const { body: first } = await owner.call('GET /subscriptions', { query: { limit: 3 } })
    deepEqual([first.data.length, first.has_more, first.total], [3, true, 8])
    const after = first.data.at(-1).id
    const { body: second } = await owner.call('GET /subscriptions', { query: { limit: 3, starting_after: after } })
    equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 6)
  })

  test('BIL-17, SUB-11: those that are retrying, and what has fallen due', async () => {
    await life.post('Ana', '', { cancel_at_period_end: true })
    await life.until('2027-02-28', 12)
    deepEqual(await named({ tab: 'retrying' }), ['Gil'])
    const [gil] = await rows({ tab: 'retrying' })
    deepEqual([gil?.view.retry?.attempt, gil?.view.retry?.of, gil?.retry_count], [2, 4, 1])
    deepEqual(await named({ status: 'CANCELLED' }), ['Ana', 'Hal'])
  })

  test('DSH-8: exports the whole filter', async () => {
    const { status, body } = await owner.call('POST /subscriptions/export', {
      body: { tab: 'ended', columns: ['customer_email', 'status', 'amount', 'frequency'] },
    })
    deepEqual(
      [status, body.trim().split('\r\n')],
      [
        200,
        [
          'customer_email,status,amount,frequency',
          'hal@example.com,CANCELLED,2.00,Quarterly',
          'dora@example.com,completed,1.50,Daily',
          'ana@example.com,CANCELLED,25.00,Monthly',
        ],
      ],
    )
  })

  test('a wrong filter is 422 with its name', async () => {
    for (const query of [{ status: 'active' }, { frequency: 'Fortnightly' }, { next_from: 'soon' }, { tab: 'all' }]) {
      const { status, body } = await owner.call('GET /subscriptions', { query: query as never })
      deepEqual([status, body.error.param], [422, Object.keys(query)[0]])
    }
  })
})
