import { CARDS } from './card-numbers.ts'
import { type EventRow, type EventWorld, type Happened, newSession, session } from './event-rows.ts'
import { payBody, type Response } from './merchant.ts'
import { openedLink, planInput, waitingSubscription } from './sign-up.ts'

// How the events of subscriptions, their payments and refunds come about.

type Shown = Response['body']

const MONTH_DAYS = 31
/** Days after the due date on which a bill is retried. */
const RETRY_DAYS = 3

/** Creates an active subscription of 25.00 a month, with its first bill paid. */
async function subscribe(
  { api, newCard }: EventWorld,
  { card, interval = 'month', ...more }: { card?: string; interval?: string; [member: string]: unknown } = {},
): Promise<Shown> {
  const { customerId: customer, cardId: payment_method } = await newCard(card)
  const { id: product } = await api.made('/products', { name: 'Gold plan' })
  const { id: price } = await api.made('/prices', { product, unit_amount: 2500, recurring: { interval } })
  return api.made('/subscriptions', { customer, price, payment_method, ...more })
}

const pathOf = ({ id }: Shown) => `/subscriptions/${id}`

async function latestPayment({ read }: EventWorld, subscription: Shown): Promise<Happened> {
  const { latest_payment: id } = await read(pathOf(subscription))
  return { objectId: id, shown: await read(`${pathOf(subscription)}/payments/${id}`) }
}

/** Returns the effect of a call on a subscription that was prepared for it. */
const byCall =
  (call: (world: EventWorld, subscription: Shown) => Promise<Response>, prepare?: typeof call): EventRow['happen'] =>
  async (world) => {
    const subscription = await subscribe(world, { tax_rate: 8.875 })
    await prepare?.(world, subscription)
    return world.changed(pathOf(subscription), () => call(world, subscription))
  }

/** Pays a session of mode subscription. */
async function signUp(world: EventWorld, plan: Record<string, unknown> = {}) {
  const { id, token } = await newSession(world, planInput({}, plan))
  await world.payer.pay(token)
  return session(world, id, token)
}

async function inDays({ read }: EventWorld, days: number): Promise<string> {
  const { now } = await read('/test_clock')
  return new Date((now + days * 86_400) * 1_000).toISOString().slice(0, 10)
}

const SIGN_UP_ROWS: EventRow[] = [
  {
    type: 'checkout.session.completed',
    how: 'of a plan',
    happen: (world) => signUp(world),
  },
  {
    type: 'checkout.session.completed',
    how: 'of a plan that begins later',
    happen: async (world) => signUp(world, { start_date: await inDays(world, 10) }),
  },
  {
    type: 'subscription.created',
    how: 'by a session',
    async happen(world) {
      const { shown } = await signUp(world)
      const { subscription_id: id } = shown
      return { objectId: id, shown: await world.read(`/subscriptions/${id}`) }
    },
  },
]

const SUBSCRIPTION_ROWS: EventRow[] = [
  {
    type: 'subscription.created',
    how: 'with a card',
    async happen(world) {
      const { id } = await subscribe(world)
      return { objectId: id, shown: await world.read(`/subscriptions/${id}`) }
    },
  },
  {
    type: 'subscription.created',
    how: 'without a card',
    async happen({ api, read }) {
      const { id } = await waitingSubscription(api)
      return { objectId: id, shown: await read(`/subscriptions/${id}`) }
    },
  },
  {
    type: 'subscription.activated',
    async happen({ api, payer, changed }) {
      const { id, checkout_url } = await waitingSubscription(api)
      const token = await openedLink(checkout_url)
      return changed(`/subscriptions/${id}`, () => payer.pay(token, payBody(CARDS.visa, {}, { amount: 25 })))
    },
  },
  {
    type: 'subscription.updated',
    happen: byCall(async ({ api, service, payer, merchant }, { id, customer }) => {
      const token = await merchant.sessionToken({ customer_id: customer, customer_email: undefined })
      await payer.pay(token, payBody(CARDS.mastercard, { saveCard: true }))
      const { data } = (await api.get(`/customers/${customer}/payment_methods`)).body
      service.app.services.merchants.forget()
      return api.post(`/subscriptions/${id}`, { payment_method: data[0].id })
    }),
  },
  { type: 'subscription.cancel_scheduled', happen: byCall(({ calls }, one) => calls.cancelAtEnd(one)) },
  {
    type: 'subscription.cancel_undone',
    happen: byCall(
      ({ calls }, one) => calls.cancelAtEnd(one, false),
      ({ calls }, one) => calls.cancelAtEnd(one),
    ),
  },
  { type: 'subscription.cancelled', happen: byCall(({ calls }, one) => calls.cancel(one, { reason: 'moved away' })) },
  {
    type: 'subscription.cancelled',
    how: 'at the end of its period',
    happen: byCall(
      ({ days }) => days(MONTH_DAYS + 1),
      ({ calls }, one) => calls.cancelAtEnd(one),
    ),
  },
  { type: 'subscription.pause_scheduled', happen: byCall(({ calls }, one) => calls.pauseAtEnd(one)) },
  {
    type: 'subscription.pause_undone',
    happen: byCall(
      ({ calls }, one) => calls.undoPause(one),
      ({ calls }, one) => calls.pauseAtEnd(one),
    ),
  },
  { type: 'subscription.paused', happen: byCall(({ calls }, one) => calls.preserve(one)) },
  {
    type: 'subscription.paused',
    how: 'at the end of its period',
    happen: byCall(
      ({ days }) => days(MONTH_DAYS + 1),
      ({ calls }, one) => calls.pauseAtEnd(one),
    ),
  },
  {
    type: 'subscription.resumed',
    happen: byCall(
      ({ calls }, one) => calls.resume(one, 'now'),
      ({ calls }, one) => calls.preserve(one),
    ),
  },
  {
    type: 'subscription.completed',
    how: 'with its only bill',
    async happen(world) {
      const { id } = await subscribe(world, { installments: 1 })
      return { objectId: id, shown: await world.read(`/subscriptions/${id}`) }
    },
  },
  {
    type: 'subscription.completed',
    how: 'with its last bill',
    async happen(world) {
      const subscription = await subscribe(world, { interval: 'day', installments: 2 })
      const happened = await world.changed(pathOf(subscription), () => world.days(1))
      // The period begins when its bill is attempted; the payment's event reports that.
      return { ...happened, changedBefore: ['current_period_start', 'current_period_end', 'next_billing_at'] }
    },
  },
]

const PAYMENT_ROWS: EventRow[] = [
  {
    type: 'payment.succeeded',
    how: 'of the first bill',
    happen: async (world) => latestPayment(world, await subscribe(world)),
  },
  {
    type: 'payment.succeeded',
    how: 'of a later bill',
    async happen(world) {
      const subscription = await subscribe(world, { interval: 'day' })
      await world.days(1)
      return latestPayment(world, subscription)
    },
  },
  {
    type: 'payment.failed',
    async happen(world) {
      const subscription = await subscribe(world, { interval: 'month', card: CARDS.laterDeclined })
      await world.days(MONTH_DAYS)
      return latestPayment(world, subscription)
    },
  },
  {
    type: 'payment.retries_exhausted',
    async happen(world) {
      const subscription = await subscribe(world, { interval: 'month', card: CARDS.laterDeclined })
      await world.days(MONTH_DAYS + 3 * RETRY_DAYS)
      return latestPayment(world, subscription)
    },
  },
  {
    type: 'payment.refunded',
    happen: (world) => refunded(world, {}),
  },
  {
    type: 'payment.refunded',
    how: 'the rest of it',
    async happen(world) {
      const subscription = await subscribe(world)
      await world.api.made('/refunds', { payment: subscription.latest_payment, amount: 1000 })
      return refunded(world, {}, subscription)
    },
  },
  { type: 'payment.partially_refunded', happen: (world) => refunded(world, { amount: 500 }) },
  {
    type: 'payment.voided',
    async happen(world) {
      const subscription = await subscribe(world)
      const payment = subscription.latest_payment
      return world.changed(`${pathOf(subscription)}/payments/${payment}`, () => world.api.post('/voids', { payment }))
    },
  },
  {
    type: 'refund.failed',
    async happen(world) {
      const { latest_payment: payment } = await subscribe(world, { card: CARDS.refundsDeclined })
      await world.api.post('/refunds', { payment })
      const { id } = (await world.read(`/refunds?payment=${payment}`)).data[0]
      return { objectId: id, shown: await world.read(`/refunds/${id}`) }
    },
  },
]

async function refunded(world: EventWorld, more: object, given?: Shown): Promise<Happened> {
  const subscription = given ?? (await subscribe(world))
  const { latest_payment: payment } = subscription
  const path = `${pathOf(subscription)}/payments/${payment}`
  const happened = await world.changed(path, () => world.api.post('/refunds', { payment, ...more }))
  const [{ id }] = (await world.read(`/refunds?payment=${payment}`)).data
  return { ...happened, refund: await world.read(`/refunds/${id}`) }
}

export const BILLING_ROWS = [...SIGN_UP_ROWS, ...SUBSCRIPTION_ROWS, ...PAYMENT_ROWS]
