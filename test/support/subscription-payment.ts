import { newId } from '../../server/lib/ids.ts'
import type { Payment } from '../../server/payments/payment.ts'
import type { Bill } from '../../server/subscriptions/bill.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import { rowOfBill, rowOfSubscription } from '../../server/subscriptions/stored-rows.ts'
import { merchantApiOf } from './merchant-api.ts'
import { type MoneyRows, moneyRows } from './money-rows.ts'
import type { TestService } from './service.ts'
import { type StoredCardIds, sellTo } from './stored-card.ts'
import { subscriptionOf } from './subscription-of.ts'

type Service = Pick<TestService, 'url' | 'demo' | 'databaseUrl'>

export interface PaymentOfSubscription {
  id: string
  subscription: string
  bill: string
}

const PERIOD = { start: '2026-11-01' as Day, end: '2026-12-01' as Day }

/**
 * Charges a stored card by a saved-card sale and turns it into the charge of a subscription's bill.
 *
 * @param withRows `false` when the test itself inserts the subscription and its bill
 */
export async function saleOfSubscription(
  service: Service,
  stored: StoredCardIds,
  {
    amount = 12.34,
    withRows = true,
    ...columns
  }: { amount?: number; withRows?: boolean } & Partial<
    Pick<Payment, 'subscriptionId' | 'surchargeAmount' | 'taxAmount'>
  > = {},
): Promise<PaymentOfSubscription> {
  const { body } = await sellTo(service, stored, { amount })
  if (body.ok !== true) throw new Error(`The sale was not approved: ${JSON.stringify(body)}`)
  const payment = { id: body.recordID, subscription: columns.subscriptionId ?? newId(), bill: newId() }
  await using book = moneyRows(service.databaseUrl)
  await book.query(
    `with paid as (
       update payment set subscription_id = $2, bill_id = $3, trigger = 'scheduled', attempt = 1, surcharge_amount = $4,
         tax_amount = $5, period_start = $6, period_end = $7 where id = $1 returning operation_id
     ), charged as (update operation o set owner_kind = 'bill', owner_id = $3 from paid where o.id = paid.operation_id)
     update event set type = 'payment.succeeded' where object_id = $1`,
    [
      payment.id,
      payment.subscription,
      payment.bill,
      columns.surchargeAmount ?? 0,
      columns.taxAmount ?? 0,
      PERIOD.start,
      PERIOD.end,
    ],
  )
  if (withRows) await insertRows(book, service, stored, payment)
  return payment
}

/** Inserts the subscription, if it is new, and the bill that the payment has paid. */
async function insertRows(
  book: MoneyRows,
  { demo }: Service,
  stored: StoredCardIds,
  { id, subscription, bill }: PaymentOfSubscription,
): Promise<void> {
  const row = subscriptionOf({
    businessId: demo.business_id,
    id: subscription,
    customerId: stored.customerId,
    storedCardId: stored.cardId,
    currency: 'USD',
    startDate: PERIOD.start,
    paidBills: 0,
    paid: null,
    latestPaymentId: id,
    dueAt: null,
  })
  await book.query(
    `insert into subscription select r.* from jsonb_populate_record(null::subscription, $1::jsonb) r on conflict do nothing`,
    [JSON.stringify(rowOfSubscription(row))],
  )
  const [counted] = await book.query<{ paid_bills: number }>(
    'update subscription set paid_bills = paid_bills + 1 where id = $1 returning paid_bills',
    [subscription],
  )
  const fulfilled: Bill = {
    id: bill,
    segmentNo: 0,
    periodNo: (counted?.paid_bills ?? 1) - 1,
    periodStart: PERIOD.start,
    periodEnd: PERIOD.end,
    status: 'FULFILLED',
    closedReason: null,
    failedAttempts: 0,
    nextAttemptAt: null,
    lastAttemptAt: row.createdAt,
    paymentId: id,
    createdAt: row.createdAt,
    closedAt: row.createdAt,
  }
  await book.query('insert into bill select r.* from jsonb_populate_record(null::bill, $1::jsonb) r', [
    JSON.stringify(rowOfBill(row, fulfilled)),
  ])
}

/** Subscribes the customer of a stored card to a new price, and returns the first payment. */
export async function payForSubscription(
  service: Pick<TestService, 'url' | 'demo'>,
  { customerId, cardId }: StoredCardIds,
  unitAmount = 1234,
): Promise<{ id: string; subscription: string }> {
  const api = merchantApiOf(service)
  const { id: product } = await api.made('/products', { name: 'Gold' })
  const recurring = { interval: 'month' }
  const { id: price } = await api.made('/prices', { product, unit_amount: unitAmount, recurring })
  const subscription = await api.made('/subscriptions', { customer: customerId, payment_method: cardId, price })
  return { id: subscription.latest_payment, subscription: subscription.id }
}
