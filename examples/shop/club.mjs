// The tea club: a tin every month, by a subscription. Rialto charges the card that the customer saved.
import { clubPrice, keepClubPrice, rememberCustomer } from './orders.mjs'
import { callMerchantApi } from './rialto.mjs'

/** In cents, in the currency of the business. */
export const CLUB_UNIT_AMOUNT = 1900
const RUNNING = ['active', 'paused', 'pending_payment_method']

/** What the page shows of a membership; `null` without one. */
export async function membershipOf(customer) {
  const subscription = await findSubscription(customer)
  return { membership: subscription && membershipView(subscription) }
}

/**
 * Joins the club. With a saved card the first month is charged at once; without one the customer enters a card at
 * `checkout_url`.
 */
export function joinClub(customer) {
  joining[customer.id] ??= join(customer).finally(() => {
    delete joining[customer.id]
  })
  return joining[customer.id]
}

/** Two clicks at once share one request. A shop of several processes takes a lock in its database instead. */
const joining = {}

async function join(customer) {
  // A second create would be a second subscription, so a repeated request finds the first one here.
  const known = await findSubscription(customer)
  if (known) return { membership: membershipView(known) }
  const id = await customerIdOf(customer)
  const card = await findCard(id)
  const order = { customer: id, price: await priceId(), ...(card && { payment_method: card }) }
  return { membership: membershipView(await callMerchantApi('POST', 'subscriptions', order)) }
}

/** Ends it with the month that is paid. A membership without a running month, waiting or paused, ends at once. */
export async function leaveClub(customer) {
  const subscription = await findSubscription(customer)
  if (!subscription) throw Object.assign(new Error('Not a member'), { status: 404 })
  const left =
    subscription.status === 'active'
      ? await callMerchantApi('POST', `subscriptions/${subscription.id}`, { cancel_at_period_end: true })
      : await callMerchantApi('DELETE', `subscriptions/${subscription.id}`)
  return { membership: membershipView(left) }
}

async function findSubscription({ rialtoId }) {
  const price = clubPrice()
  if (!rialtoId || !price) return null
  const { data } = await callMerchantApi('GET', `subscriptions?customer=${rialtoId}&limit=100`)
  return data.find((one) => one.price === price && RUNNING.includes(one.status)) ?? null
}

async function customerIdOf(customer) {
  if (customer.rialtoId) return customer.rialtoId
  // With a known e-mail this returns the customer that exists.
  const { id } = await callMerchantApi('POST', 'customers', { name: customer.name, email: customer.email })
  rememberCustomer(customer, id)
  return id
}

async function findCard(customerId) {
  const { data } = await callMerchantApi('GET', `customers/${customerId}/payment_methods?limit=1`)
  return data[0]?.id
}

async function priceId() {
  const known = clubPrice()
  if (known) return known
  const product = await callMerchantApi('POST', 'products', { name: 'Tea club' })
  const recurring = { interval: 'month' }
  const price = await callMerchantApi('POST', 'prices', {
    product: product.id,
    unit_amount: CLUB_UNIT_AMOUNT,
    recurring,
  })
  keepClubPrice(price.id)
  return price.id
}

const membershipView = ({ id, status, amount, currency, next_billing_at, cancel_at, checkout_url }) => ({
  id,
  status,
  amount,
  currency,
  next_billing_at,
  cancel_at,
  checkout_url,
})
