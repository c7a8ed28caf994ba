import type { DemoCredentials } from '../server/demo/demo-file.ts'

// The business in docs/pictures/: a month of sales and renewals, made by a merchant's ordinary calls.

const DAYS = 30
/** Amounts in cents. Each day has the first few of them; their number changes from day to day. */
const SALES = [1_895, 4_990, 2_550, 12_000, 3_275, 900, 7_450]

interface Listed {
  data: { id: string; customer: string; name?: string }[]
}

type Call = <Response>(path: string, body?: object) => Promise<Response>

export interface PicturedBusiness {
  /** A subscription that renews every week. */
  subscriptionId: string
  /** A payment that is partly refunded. */
  paymentId: string
}

/**
 * Lets a business live for a month.
 *
 * @param makeSamples - creates customers with stored cards, a product and a few payments
 */
export async function liveForAMonth(
  demo: DemoCredentials,
  makeSamples: () => Promise<void>,
): Promise<PicturedBusiness> {
  const call = callsOf(demo)
  await makeSamples()
  const cards = (await call<Listed>('/api/v1/payment_methods?limit=100')).data
  const [first, ...others] = cards
  if (!first) throw new Error('The sample data has no stored card')
  const subscriptionId = await subscribe(call, first)
  for (const other of others) await subscribe(call, other)
  for (let day = 0; day < DAYS; day++) {
    for (const amount of salesOf(day)) await sell(call, demo, cards[amount % cards.length] ?? first, amount)
    await call('/api/v1/test_clock/advance', { days: 1 })
  }
  const [payment] = (await call<Listed>(`/api/v1/subscriptions/${subscriptionId}/payments`)).data
  if (!payment) throw new Error('The subscription has no payment')
  await call('/api/v1/refunds', { payment: payment.id, amount: 500 })
  return { subscriptionId, paymentId: payment.id }
}

const salesOf = (day: number) => SALES.slice(0, 1 + ((day * 3) % SALES.length))

async function subscribe(call: Call, card: Listed['data'][number]): Promise<string> {
  const product = await call<{ id: string }>('/api/v1/products', { name: 'Tea of the week' })
  const recurring = { interval: 'week', interval_count: 1 }
  const price = await call<{ id: string }>('/api/v1/prices', { product: product.id, unit_amount: 2_490, recurring })
  const wanted = { customer: card.customer, price: price.id, payment_method: card.id, tax_rate: 13, installments: 12 }
  return (await call<{ id: string }>('/api/v1/subscriptions', wanted)).id
}

function sell(call: Call, demo: DemoCredentials, card: Listed['data'][number], cents: number): Promise<unknown> {
  const sale = { amount: cents / 100, cardId: card.id }
  return call(`/api/${demo.business_id}/customer/${card.customer}/sale`, sale)
}

/**
 * Creates a session.
 *
 * @returns the URL of a payment page that waits for its payer
 */
export async function newPaymentPage(demo: DemoCredentials): Promise<string> {
  const session = {
    amount_total: 62.25,
    amount_subtotal: 57.5,
    amount_tax: 4.75,
    customer_email: 'ana.roy@mail.example',
    description: 'Order 1001',
    line_items: [
      { name: 'Darjeeling, first flush', quantity: 2, unit_amount: 18.75, total: 37.5 },
      { name: 'Tea pot, porcelain', quantity: 1, unit_amount: 20, total: 20 },
    ],
    success_url: `${demo.redirect_url}/thanks`,
    cancel_url: `${demo.redirect_url}/cart`,
  }
  const created = await callsOf(demo)<{ checkout_session: { checkout_url: string } }>(
    `/api/${demo.business_id}/checkout/create`,
    session,
  )
  return created.checkout_session.checkout_url
}

/** Returns the calls: the merchant API takes the secret key, everything else the access token. */
function callsOf(demo: DemoCredentials): Call {
  return async (path, body) => {
    const credential = path.startsWith('/api/v1/') ? demo.api_key : demo.access_token
    const response = await fetch(demo.base_url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}
