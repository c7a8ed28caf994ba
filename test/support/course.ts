import { equal } from 'node:assert/strict'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { type DayNumber, dayFrom, localDay, startOf, textOf } from '../simulation/recurring/days.ts'
import type { OutcomeName } from '../simulation/recurring/gateway-outcomes.ts'
import { readBills } from '../simulation/recurring/recorded.ts'
import type { Called, Shop, World } from '../simulation/recurring/world.ts'

/** One subscription of a documented course, in a separate business, in the course's own time zone. */
export interface Course {
  /** Moves to a local day, 10:00, and runs what is due; `runs` times, once by default. */
  on(day: string, runs?: number): Promise<void>
  /** Does the same for each day from the current one. */
  through(day: string): Promise<void>
  post(path: string, body?: object): Promise<Called>
  get(): Promise<Called['body']>
  cancel(): Promise<Called>
  /** Returns the attempts, oldest first: `2024-01-10 failed`. The first charge of the request is one of them. */
  attempts(): Promise<string[]>
  /** Returns the days of approved attempts. */
  paidOn(): Promise<string[]>
  bills(): Promise<Map<string, string>>
  latestPaymentId(): Promise<string>
  call: World['call']
  shop: Shop
  cardId: string
  resolve(): Promise<number>
  /** Returns the local day of an instant of the API. */
  dayOf(epoch: number | null): string | null
}

export interface CourseTerms {
  /** The local day on which it is created, at 10:00. */
  on: string
  start_date?: string
  interval?: string
  interval_count?: number
  installments?: number
  amount?: number
  outcomes?: readonly OutcomeName[]
}

const ZONE = 'America/Toronto'
const TEN_HOURS_MS = 36_000_000
let cards = 100_000

export async function beginCourse(world: World, terms: CourseTerms): Promise<Course> {
  const { app, clock } = world
  const { db } = app.services
  const shop = await world.addShop(ZONE, 'keep')
  const moveTo = (day: DayNumber) => clock.set(startOf(day, ZONE) + TEN_HOURS_MS)
  moveTo(dayFrom(terms.on))
  const { customerId, cardId } = await world.addCustomer(shop, cards++, terms.outcomes ?? [])
  const { interval = 'month', interval_count = 1, amount = 1_000, start_date, installments } = terms
  const { body: product } = await world.call(shop, 'POST', '/products', { name: 'Plan' })
  const recurring = { interval, interval_count }
  const { body: price } = await world.call(shop, 'POST', '/prices', {
    product: product.id,
    unit_amount: amount,
    recurring,
  })
  const made = await world.call(shop, 'POST', '/subscriptions', {
    customer: customerId,
    payment_method: cardId,
    price: price.id,
    ...(start_date !== undefined && { start_date }),
    ...(installments !== undefined && { installments }),
  })
  equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body
  const run = () => runDue(app.services, { businessId: shop.id })
  const dayOf = (epoch: number | null) => (epoch === null ? null : textOf(localDay(epoch * 1_000, ZONE)))
  const attempts = async () => {
    const { body } = await world.call(shop, 'GET', `/subscriptions/${id}/payments?limit=100`)
    return (body.data as Called['body'][]).reverse()
  }
  const on: Course['on'] = async (day, runs = 1) => {
    moveTo(dayFrom(day))
    for (let left = runs; left > 0; left--) await run()
  }
  return {
    shop,
    cardId,
    on,
    dayOf,
    call: world.call,
    async through(day) {
      for (let at = localDay(clock.ms(), ZONE); at <= dayFrom(day); at++) await on(textOf(at))
    },
    post: (path, body) => world.call(shop, 'POST', `/subscriptions/${id}${path}`, body),
    get: async () => (await world.call(shop, 'GET', `/subscriptions/${id}`)).body,
    cancel: () => world.call(shop, 'DELETE', `/subscriptions/${id}`),
    attempts: async () => (await attempts()).map(({ created, status }) => `${dayOf(created)} ${status}`),
    paidOn: async () =>
      (await attempts()).filter(({ status }) => status !== 'failed').map(({ created }) => dayOf(created) ?? ''),
    bills: () => readBills(db, id),
    latestPaymentId: async () => (await attempts()).at(-1)?.id,
    resolve: () => resolveOperations(app.services),
  }
}
