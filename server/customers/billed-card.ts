import type { CardBrand } from '../vault/card-brands.ts'
import type { ChargeableCard } from './stored-card.ts'

/** A stored card as read for a scheduled charge. */
export interface BilledCard extends ChargeableCard {
  businessId: string
  customerId: string
  brand: CardBrand
  fingerprint: Buffer
  detachedAt: Date | null
  /** Result code that blocks charges without the payer; `null` if none does (BIL-20). */
  chargeBlock: string | null
}
