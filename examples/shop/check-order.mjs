// Whether an order is paid. Everybody may ask, as often as they like: the goods are shipped once.
import { closeOrder, customerOf, openOrders, orderOfSession, rememberCustomer } from './orders.mjs'
import { sessionDetails } from './rialto.mjs'

const NEVER_PAID = ['EXPIRED', 'CANCELLED', 'FAILED']

/**
 * Asks Rialto about a session and brings its order up to date.
 *
 * @param tokenOrId a browser may say which session, but not what became of it
 * @returns the session as Rialto has it, and the order as it stands now
 */
export async function checkOrder(tokenOrId) {
  const { checkout_session: session, transaction } = await sessionDetails(tokenOrId)
  // Any session of this business can be brought here, also a cheaper one: only the order's own pays it.
  const order = orderOfSession(session.id)
  if (!order) throw Object.assign(new Error('No order belongs to this payment'), { status: 404 })
  if (session.session_status === 'COMPLETED' && session.payment_status === 'PAID')
    recordPaid(order, session, transaction)
  else if (NEVER_PAID.includes(session.session_status)) closeOrder(order, 'not_paid')
  return { order, session, transaction }
}

function recordPaid(order, { amount_total, currency, customer_id }, { receipt_id }) {
  if (amount_total !== order.amount || currency !== order.currency) {
    const isNew = closeOrder(order, 'disputed', { receipt: receipt_id })
    if (isNew)
      console.error(`Order ${order.id} costs ${order.amount} ${order.currency}, paid ${amount_total} ${currency}`)
    return
  }
  if (!closeOrder(order, 'shipped', { receipt: receipt_id, shipped_at: new Date().toISOString() })) return
  rememberCustomer(customerOf(order), customer_id)
  console.log(`Paid: ship it. Receipt ${receipt_id}, order ${order.id}`)
}

/** For payers who never come back to the shop: their tab was closed, or the connection was lost. */
export async function checkOpenOrders() {
  for (const { session } of openOrders()) {
    await checkOrder(session).catch((error) => console.error(`Session ${session}: ${error.message}`))
  }
}
