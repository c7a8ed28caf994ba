import { SESSION_OWNER } from '../checkout/pay/session-owner.ts'
import { type ChargeOwners, chargeOwners } from '../payments/charge-owner.ts'
import type { PaymentServices } from '../payments/services.ts'
import { storedCardSaleOwner } from '../payments/stored-card-sale/stored-card-sale-owner.ts'
import { billOwner } from '../subscriptions/bills/bill-owner.ts'
import { SUBSCRIPTION_START_OWNER } from '../subscriptions/create/subscription-start-owner.ts'
import { subscriptionResumeOwner } from '../subscriptions/resume/subscription-resume-owner.ts'

/** Returns all charge owners: each defines what happens to an approval that recovery finds. */
export function pluggedOwners(services: Pick<PaymentServices, 'db' | 'clock'>): ChargeOwners {
  return chargeOwners([
    SESSION_OWNER,
    storedCardSaleOwner(services),
    billOwner(services),
    SUBSCRIPTION_START_OWNER,
    subscriptionResumeOwner(services),
  ])
}
