import type { NewCustomer } from '../customers/customer-queries.ts'
import type { NewStoredCard } from '../customers/stored-card-queries.ts'
import { newId } from '../lib/ids.ts'
import type { SealedCard } from '../vault/sealed-card.ts'
import { keepsCard, type PayServices, type PendingSale } from './pending-sale.ts'
import { sessionPayer } from './session-customer.ts'

/** An unknown e-mail becomes a customer when the session is paid; a known one gets the payment, and is not changed. */
export function customerToMake({ open, card, customerId }: PendingSale, createdAt: Date): NewCustomer | null {
  const { email, name, phone } = sessionPayer(open.session)
  if (customerId !== null || email === null) return null
  return {
    businessId: open.session.businessId,
    id: newId(),
    name: name ?? card.nameOnCard,
    email,
    phone,
    metadata: {},
    createdAt,
  }
}

/** The card as it will be stored, sealed before the transaction, because sealing may need its data key. */
export async function cardToKeep(
  { vault }: PayServices,
  sale: PendingSale,
  { networkTransactionId = null }: { networkTransactionId?: string | null },
  createdAt: Date,
): Promise<{ stored: NewStoredCard; sealed: SealedCard } | null> {
  const { open, card } = sale
  if (!keepsCard(sale) || (sale.customerId === null && !open.session.customerEmail)) return null
  const sealed = await vault.seal(open.session.businessId, card.number)
  const { brand, first6, last4, expMonth, expYear, nameOnCard, postalCode, funding } = card
  return {
    sealed,
    stored: {
      businessId: open.session.businessId,
      id: sealed.id,
      brand,
      first6,
      last4,
      expMonth,
      expYear,
      nameOnCard,
      postalCode,
      funding,
      // A card from before the master key was exchanged keeps its fingerprint: it is found by it, and not stored twice.
      fingerprint: sale.sameCard?.fingerprint ?? sealed.fingerprint,
      fingerprintKeyId: sale.sameCard?.fingerprintKeyId ?? sealed.fingerprint_key_id,
      networkTransactionId,
      createdAt,
    },
  }
}
