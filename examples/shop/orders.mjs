// The books of the shop: its customers, and what they ordered. A file here; a database in a real shop.
import { randomUUID } from 'node:crypto'
import { CURRENCY, ORDERS_FILE, readJson, writeJson } from './settings.mjs'

const ANA = { id: 'ana', name: 'Ana', email: 'ana@example.com', rialtoId: null }
const books = readJson(ORDERS_FILE) ?? { customers: [ANA], orders: [] }
const keep = () => writeJson(ORDERS_FILE, books)

/**
 * Who is signed in. This example has one customer, who always is; a real shop asks its own session cookie, and has checked
 * that the e-mail address is the customer's.
 */
export const signedInCustomer = () => books.customers[0]

/** Rialto's id of a customer, known after the first payment: with it the next payment page shows the cards kept there. */
export function rememberCustomer(customer, rialtoId) {
  if (!rialtoId || customer.rialtoId === rialtoId) return
  customer.rialtoId = rialtoId
  keep()
}

/** The recurring price of the tea club at Rialto, made once. */
export const clubPrice = () => books.clubPrice ?? null
export function keepClubPrice(id) {
  books.clubPrice = id
  keep()
}

/** An order is written down before anybody is asked for money, with what it costs today. */
export function placeOrder(customer, items) {
  const amount = items.reduce((cents, { total }) => cents + Math.round(total * 100), 0) / 100
  const order = {
    id: randomUUID(),
    customer: customer.id,
    items,
    amount,
    currency: CURRENCY,
    status: 'open',
    session: null,
    receipt: null,
    placed_at: new Date().toISOString(),
    shipped_at: null,
  }
  books.orders.push(order)
  keep()
  return order
}

/** Ties an order to the one session that may pay it. */
export function tieToSession(order, sessionId) {
  order.session = sessionId
  keep()
}

export const ordersOf = (customer) => books.orders.filter((order) => order.customer === customer.id)
export const orderOfSession = (sessionId) => books.orders.find((order) => order.session === sessionId)
export const openOrders = () => books.orders.filter(({ status, session }) => status === 'open' && session)
export const customerOf = (order) => books.customers.find(({ id }) => id === order.customer)

/**
 * Takes an order out of `open`, which only one caller can do: the return page, a callback and the check in the background may
 * all come at once. In a database: `update … set status = $1 where id = $2 and status = 'open'`, and the row count.
 *
 * @returns whether this call did it
 */
export function closeOrder(order, status, more = {}) {
  if (order.status !== 'open') return false
  Object.assign(order, { status, ...more })
  keep()
  return true
}
