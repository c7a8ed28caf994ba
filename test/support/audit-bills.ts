import type { BookedPayment, BookedSubscription, Books } from './audit-books.ts'

// The audit's rules for subscriptions: whether their bills, payments, operations and events agree.

type Found = { subject: string; detail: string }[]

const OPEN = ['SENT', 'IN_DOUBT']
const FAILED_ATTEMPTS_MAX = 4

/** Whether the payment was approved, even if it has been refunded since. */
export const wasApproved = ({ status }: BookedPayment) => status !== 'failed'

/** AUD-10: a bill is paid by one approved payment, and has a failed one for each failed attempt. */
export function billsArePaidOnce({ bills, payments, operations, subscriptions }: Books): Found {
  const byBill = Map.groupBy(payments, ({ billId }) => billId)
  const statusOf = new Map(subscriptions.map(({ id, status }) => [id, status]))
  const charging = new Set(operations.filter(({ state }) => OPEN.includes(state)).map(({ ownerId }) => ownerId))
  const ofBills = bills.flatMap((bill): string[] => {
    const paid = byBill.get(bill.id) ?? []
    const approved = paid.filter(wasApproved)
    const expected = bill.status === 'FULFILLED' ? [bill.paymentId] : []
    const failed = paid.length - approved.length
    const mayBeOpen = statusOf.get(bill.subscriptionId) === 'active' || charging.has(bill.id)
    return [
      ...(approved.map(({ id }) => id).join() === expected.join() ? [] : [`${approved.length} approved payments`]),
      ...(paid.every(({ subscriptionId }) => subscriptionId === bill.subscriptionId) ? [] : ['another subscription']),
      ...(failed === bill.failedAttempts && failed <= FAILED_ATTEMPTS_MAX ? [] : [`${failed} failed payments`]),
      ...(new Set(paid.map(({ attempt }) => attempt)).size === paid.length ? [] : ['an attempt twice']),
      ...(bill.status !== 'PENDING' || mayBeOpen ? [] : ['open, though nothing is billed']),
    ].map((detail) => `${bill.id} ${bill.status}: ${detail}`)
  })
  const withoutBill = payments
    .filter((payment) => payment.subscriptionId !== null && payment.billId === null && wasApproved(payment))
    .map(({ id }) => `${id} approved without a bill`)
  return [...ofBills, ...withoutBill].map((detail) => ({ subject: 'bill', detail }))
}

/** AUD-11: the count of paid bills equals the number of approved payments, and the last installment completes. */
export function paidBillsAgree({ subscriptions, payments }: Books): Found {
  const isRight = ({ id, status, paidBills, installments }: BookedSubscription) => {
    const approved = payments.filter((payment) => payment.subscriptionId === id && wasApproved(payment)).length
    const isLast = installments !== null && paidBills === installments
    return paidBills === approved && (status === 'completed' ? isLast : !isLast || status === 'canceled')
  }
  return subscriptions
    .filter((one) => !isRight(one))
    .map(({ id, status, paidBills }) => ({ subject: id, detail: `${status} with ${paidBills} paid bills` }))
}

/** AUD-9: a payment of a subscription has one event about its outcome, and an exhausted bill one about its end. */
export function oneEventABill({ payments, events, bills }: Books): Found {
  const count = (id: string, type: string) =>
    events.filter((event) => event.objectId === id && event.type === type).length
  const ofPayments = payments
    .filter(({ subscriptionId }) => subscriptionId !== null)
    .filter((payment) => {
      const expected = wasApproved(payment) ? [1, 0] : [0, 1]
      return [count(payment.id, 'payment.succeeded'), count(payment.id, 'payment.failed')].join() !== expected.join()
    })
    .map(({ id, status }) => ({ subject: id, detail: `${status} without its one event` }))
  const exhausted = bills.filter(({ closedReason }) => closedReason === 'exhausted').length
  const reported = events.filter(({ type }) => type === 'payment.retries_exhausted').length
  return exhausted === reported
    ? ofPayments
    : [...ofPayments, { subject: 'bill', detail: `${exhausted} exhausted, ${reported} reported` }]
}
