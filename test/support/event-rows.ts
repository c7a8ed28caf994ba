import type { EventType } from '../../contract/event.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from './card-numbers.ts'
import { lifecycleCalls } from './lifecycle-calls.ts'
import { merchantOf, payBody, payerOf, type Response } from './merchant.ts'
import type { TestService } from './service.ts'
import { type StoredCardIds, savedCardBody, sellTo, storeCard } from './stored-card.ts'

// How each event comes about: by requests of merchants and payers, and by the test clock. Subscriptions and their
// payments are in event-rows-billing.ts.

type Shown = Response['body']

/** An event that has just happened, and its object as the API shows it. */
export interface Happened {
  objectId: string
  shown: Shown
  /** The previous object as the API showed it, for an event that says what has changed. */
  before?: Shown
  /** Members that have changed in between without an event of this object. */
  changedBefore?: string[]
  refund?: Shown
}

export interface EventRow {
  type: EventType
  /** Description, if a type has several rows. */
  how?: string
  happen(world: EventWorld): Promise<Happened>
}

export type EventWorld = ReturnType<typeof eventWorldOf>

export function eventWorldOf(service: TestService) {
  const { api, ...calls } = lifecycleCalls(service)
  const read = async (path: string): Promise<Shown> => (await api.get(path)).body
  return {
    service,
    api,
    calls,
    merchant: merchantOf(service),
    payer: payerOf(service),
    read,
    /** Returns the effect of a change on the object at a path. */
    async changed(path: string, change: () => Promise<Response>): Promise<Happened> {
      const before = await read(path)
      const { status, body } = await change()
      if (status >= 300) throw new Error(`The change was refused: ${JSON.stringify(body)}`)
      const shown = await read(path)
      return { objectId: shown.id, shown, before }
    },
    days: (days: number) => api.post('/test_clock/advance', { days }),
    newCard: (cardNumber?: string) =>
      storeCard(service, `${newId()}@example.com`, cardNumber === undefined ? {} : { cardNumber }),
  }
}

const SESSION_ROWS: EventRow[] = [
  {
    type: 'checkout.session.completed',
    async happen(world) {
      const { id, token } = await newSession(world)
      await world.payer.pay(token)
      return session(world, id, token)
    },
  },
  {
    type: 'checkout.session.completed',
    how: 'with a saved card, after a decline',
    async happen(world) {
      const { customerId, cardId } = await world.newCard()
      const { id, token } = await newSession(world, { customer_id: customerId, customer_email: undefined })
      await world.payer.pay(token, payBody(CARDS.declined))
      await world.payer.pay(token, savedCardBody(cardId))
      return session(world, id, token)
    },
  },
  {
    type: 'checkout.session.failed',
    async happen(world) {
      const { id, token } = await newSession(world)
      for (let attempt = 1; attempt <= 3; attempt++) await world.payer.pay(token, payBody(CARDS.declined))
      return session(world, id, token)
    },
  },
  {
    type: 'checkout.session.canceled',
    async happen(world) {
      const { id, token } = await newSession(world)
      await world.merchant.cancel(token)
      return session(world, id, token)
    },
  },
  {
    type: 'checkout.session.canceled',
    how: 'after a decline',
    async happen(world) {
      const { id, token } = await newSession(world)
      await world.payer.pay(token, payBody(CARDS.declined))
      await world.merchant.cancel(token)
      return session(world, id, token)
    },
  },
  {
    type: 'checkout.session.expired',
    async happen(world) {
      const { id, token } = await newSession(world)
      await world.payer.pay(token, payBody(CARDS.cvvMismatch))
      await world.days(2)
      return session(world, id, token)
    },
  },
]

export async function newSession({ merchant }: EventWorld, input: object = {}): Promise<{ id: string; token: string }> {
  return (await merchant.createSession({ customer_email: `${newId()}@example.com`, ...input })).body.checkout_session
}

/**
 * Returns a session as its details show it, without the token and URL that would open it, and with only the last four
 * digits of the card.
 */
export async function session({ merchant }: EventWorld, id: string, sessionToken: string): Promise<Happened> {
  const { checkout_session, transaction: paid } = (await merchant.details(sessionToken)).body
  const { token: _token, checkout_url: _url, ...shown } = checkout_session
  const transaction = paid && { ...paid, card: `************${paid.card.slice(-4)}` }
  return { objectId: id, shown: { ...shown, transaction } }
}

const SALE_ROWS: EventRow[] = [
  {
    type: 'sale.succeeded',
    happen: async (world) => sale(world, await world.newCard()),
  },
  {
    type: 'sale.failed',
    happen: async (world) => sale(world, await world.newCard(CARDS.onlyWhenTyped)),
  },
]

/** Charges a sale. There is no path that retrieves a sale: its response is compared. */
async function sale({ service }: EventWorld, stored: StoredCardIds): Promise<Happened> {
  const { status, code, message, recordID: id, receiptID = null } = (await sellTo(service, stored)).body
  const { customerId: customer_id, cardId: card_id } = stored
  const shown = {
    id,
    status,
    amount: 12.34,
    currency: 'USD',
    customer_id,
    card_id,
    code,
    message,
    receipt_id: receiptID,
  }
  return { objectId: id, shown }
}

const PERSON_ROWS: EventRow[] = [
  {
    type: 'customer.created',
    async happen({ api, read }) {
      const { id } = await api.made('/customers', { name: 'Ana Roy', email: `${newId()}@example.com` })
      return { objectId: id, shown: await read(`/customers/${id}`) }
    },
  },
  {
    type: 'customer.created',
    how: 'by a payment',
    async happen({ newCard, read }) {
      const { customerId } = await newCard()
      return { objectId: customerId, shown: await read(`/customers/${customerId}`) }
    },
  },
  {
    type: 'customer.updated',
    async happen({ api, changed }) {
      const { id } = await api.made('/customers', { name: 'Ana Roy', metadata: { tier: 1 } })
      return changed(`/customers/${id}`, () => api.patch(`/customers/${id}`, { name: 'Ana', metadata: { tier: 2 } }))
    },
  },
  {
    type: 'payment_method.attached',
    async happen({ newCard, read }) {
      const { cardId } = await newCard()
      return { objectId: cardId, shown: await read(`/payment_methods/${cardId}`) }
    },
  },
  {
    type: 'payment_method.detached',
    async happen({ api, newCard, changed }) {
      const { cardId } = await newCard()
      return changed(`/payment_methods/${cardId}`, () => api.delete(`/payment_methods/${cardId}`))
    },
  },
]

const CATALOG_ROWS: EventRow[] = [
  {
    type: 'product.created',
    async happen({ api, read }) {
      const { id } = await api.made('/products', { name: 'Gold', description: 'Tea', metadata: { tier: 1 } })
      return { objectId: id, shown: withoutPrices(await read(`/products/${id}`)) }
    },
  },
  {
    type: 'product.updated',
    async happen({ api, changed }) {
      const { id } = await api.made('/products', { name: 'Gold' })
      const change = { description: 'Tea', active: false }
      const { objectId, shown, before } = await changed(`/products/${id}`, () => api.patch(`/products/${id}`, change))
      return { objectId, shown: withoutPrices(shown), before: withoutPrices(before) }
    },
  },
  {
    type: 'price.created',
    async happen(world) {
      const id = await newPrice(world)
      return { objectId: id, shown: await world.read(`/prices/${id}`) }
    },
  },
  {
    type: 'price.updated',
    async happen(world) {
      const id = await newPrice(world)
      return world.changed(`/prices/${id}`, () => world.api.patch(`/prices/${id}`, { nickname: 'Old', active: false }))
    },
  },
]

/** Returns the product as lists show it: the events of its prices are separate. */
function withoutPrices({ prices: _prices, prices_has_more: _more, ...product }: Shown): Shown {
  return product
}

async function newPrice({ api }: EventWorld): Promise<string> {
  const { id: product } = await api.made('/products', { name: 'Gold' })
  const { id } = await api.made('/prices', { product, unit_amount: 2_500, recurring: { interval: 'month' } })
  return id
}

const BATCH_ROWS: EventRow[] = [
  {
    type: 'batch.settle_failed',
    async happen(world) {
      await sale(world, await world.newCard())
      await world.service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
      await world.merchant.post('/batch/settle', {})
      return openBatch(world)
    },
  },
  {
    type: 'batch.settled',
    async happen(world) {
      await sale(world, await world.newCard())
      const { id } = (await world.merchant.post('/batch/settle', {})).body.batch
      return { objectId: id, shown: await world.read(`/batches/${id}`) }
    },
  },
]

async function openBatch({ merchant, read }: EventWorld): Promise<Happened> {
  const { id } = (await merchant.get('/batch/balance')).body.batch
  return { objectId: id, shown: await read(`/batches/${id}`) }
}

const ENDPOINT_ROWS: EventRow[] = [
  {
    type: 'ping',
    async happen({ api, read }) {
      const endpoint = { url: 'https://shop.example/webhooks', enabled_events: ['*'] }
      const { id } = await api.made('/webhook_endpoints', endpoint)
      await api.post(`/webhook_endpoints/${id}/test`)
      return { objectId: id, shown: await read(`/webhook_endpoints/${id}`) }
    },
  },
]

export const EVENT_ROWS = [
  ...SESSION_ROWS,
  ...SALE_ROWS,
  ...PERSON_ROWS,
  ...CATALOG_ROWS,
  ...BATCH_ROWS,
  ...ENDPOINT_ROWS,
]
