import type { CardBrand } from '../vault/card-brands.ts'
import type { ChargeableCard } from './stored-card.ts'

/** A stored card as a scheduled charge finds it. */
export interface BilledCard extends ChargeableCard {
  businessId: string
  customerId: string
  brand: CardBrand
  fingerprint: Buffer
  detachedAt: Date | null
  /** The result code that forbids charges without the payer (BIL-20). */
  chargeBlock: string | null
}
