import { newId } from '../../server/lib/ids.ts'
import type { SubscriptionPayment } from '../../server/payments/subscription-payment.ts'
import { moneyRows } from './money-rows.ts'
import type { TestService } from './service.ts'
import { type StoredCardIds, sellTo, storeCard } from './stored-card.ts'

type Service = Pick<TestService, 'url' | 'demo' | 'databaseUrl'>

export interface PaymentOfSubscription {
  id: string
  subscription: string
}

/**
 * Charges a stored card by a saved-card sale and turns the payment into one of a subscription, which has no row of its
 * own.
 */
export async function payForSubscription(
  service: Service,
  stored: StoredCardIds,
  {
    amount = 12.34,
    ...columns
  }: { amount?: number } & Partial<Pick<SubscriptionPayment, 'subscriptionId' | 'surchargeAmount' | 'taxAmount'>> = {},
): Promise<PaymentOfSubscription> {
  const { body } = await sellTo(service, stored, { amount })
  if (body.ok !== true) throw new Error(`The sale was not approved: ${JSON.stringify(body)}`)
  const subscription = columns.subscriptionId ?? newId()
  await using book = moneyRows(service.databaseUrl)
  await book.query(
    `update payment set subscription_id = $2, bill_id = $3, trigger = 'scheduled', attempt = 1, surcharge_amount = $4,
       tax_amount = $5, period_start = '2026-11-01', period_end = '2026-12-01' where id = $1`,
    [body.recordID, subscription, newId(), columns.surchargeAmount ?? 0, columns.taxAmount ?? 0],
  )
  return { id: body.recordID, subscription }
}

/** A stored card with an approved payment of a subscription. */
export async function paidSubscription(service: TestService, email = 'ana@example.com') {
  const stored = await storeCard(service, email)
  return { stored, ...(await payForSubscription(service, stored)) }
}
