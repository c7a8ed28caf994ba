import { equal } from 'node:assert/strict'
import { localDay, startOf, textOf } from '../simulation/recurring/days.ts'
import type { Response } from './merchant.ts'
import { type MerchantApiClient, merchantApiOf } from './merchant-api.ts'
import { eventsOf } from './recorded.ts'
import { openService, type TestService } from './service.ts'
import { stillClock } from './still-clock.ts'
import { storeCard } from './stored-card.ts'

/** A business whose years pass over HTTP: its customers, their subscriptions, and its test clock. */
export interface Life extends AsyncDisposable {
  api: MerchantApiClient
  service: TestService
  /** Lets time pass until this local day, 10:00 by default. */
  until(day: string, hour?: number): Promise<Response['body']['ran']>
  /** Creates a customer with a stored card. */
  customer(name: string, cardNumber?: string): Promise<{ customer: string; payment_method: string }>
  subscribe(name: string, terms: Terms): Promise<Response>
  subscription(name: string): Promise<Response['body']>
  /** Returns its payments, oldest first: `2027-02-28 succeeded 2893`. */
  payments(name: string): Promise<string[]>
  /** Returns the id of a payment, counted from the oldest. */
  paymentId(name: string, index: number): Promise<string>
  post(name: string, path: string, body?: object): Promise<Response>
  cancel(name: string): Promise<Response>
  /** Returns the types of its events and of its payments' events, in order. */
  events(name: string): Promise<string[]>
  /** Returns the local day of an instant of the API. */
  dayOf(epoch: number | null): string | null
}

export interface Terms {
  /** Amount in cents. */
  amount: number
  interval: 'day' | 'week' | 'month' | 'year'
  count?: number
  card?: string
  more?: object
}

const ZONE = 'America/New_York'
/** Domain of the e-mail addresses of the first payments, which store the cards. */
const EMAIL = 'example.com'

const dayNumberOf = (day: string) => localDay(Date.parse(`${day}T12:00:00Z`), 'UTC')

/** @param now real time, which stands still */
export async function openLife(now: string): Promise<Life> {
  const service = await openService({ clock: stillClock(now) })
  const api = merchantApiOf(service)
  const cards = new Map<string, { customer: string; payment_method: string }>()
  const ids = new Map<string, string>()
  const idOf = (name: string) => ids.get(name) ?? ''

  const customer: Life['customer'] = async (name, cardNumber) => {
    const known = cards.get(name)
    if (known) return known
    const stored = await storeCard(service, `${name.toLowerCase()}@${EMAIL}`, { ...(cardNumber && { cardNumber }) })
    const made = { customer: stored.customerId, payment_method: stored.cardId }
    cards.set(name, made)
    return made
  }
  const paymentsOf = async (name: string) => {
    const all: Response['body'][] = []
    for (let after = ''; ; ) {
      const { body } = await api.get(`/subscriptions/${idOf(name)}/payments?limit=100${after}`)
      all.push(...body.data)
      if (!body.has_more) return all.reverse()
      after = `&starting_after=${body.data.at(-1).id}`
    }
  }
  const dayOf = (epoch: number | null) => (epoch === null ? null : textOf(localDay(epoch * 1_000, ZONE)))

  return {
    api,
    service,
    customer,
    dayOf,
    async until(day, hour = 10) {
      const to = startOf(dayNumberOf(day), ZONE) / 1_000 + hour * 3_600
      const { status, body } = await api.post('/test_clock/advance', { to })
      equal(status, 200, JSON.stringify(body))
      equal(body.done, true)
      return body.ran
    },
    async subscribe(name, { amount, interval, count = 1, card, more = {} }) {
      const { id: product } = await api.made('/products', { name: `Plan of ${name}` })
      const recurring = { interval, interval_count: count }
      const { id: price } = await api.made('/prices', { product, unit_amount: amount, recurring })
      const response = await api.post('/subscriptions', { ...(await customer(name, card)), price, ...more })
      if (response.status === 201) ids.set(name, response.body.id)
      return response
    },
    subscription: async (name) => (await api.get(`/subscriptions/${idOf(name)}`)).body,
    payments: async (name) =>
      (await paymentsOf(name)).map(({ created, status, amount }) => `${dayOf(created)} ${status} ${amount}`),
    paymentId: async (name, index) => (await paymentsOf(name))[index]?.id,
    post: (name, path, body) => api.post(`/subscriptions/${idOf(name)}${path}`, body),
    cancel: (name) => api.delete(`/subscriptions/${idOf(name)}`),
    events: async (name) => (await eventsOf(service, idOf(name))).map(({ type }) => type),
    [Symbol.asyncDispose]: () => service.close(),
  }
}
