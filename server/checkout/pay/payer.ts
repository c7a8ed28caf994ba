import type { SameCard } from '../../customers/stored-card-queries.ts'
import { newId } from '../../lib/ids.ts'
import type { CardPlace } from '../../vault/card.ts'
import { sessionPayer } from '../sessions/session-customer.ts'
import type { NewPayerCustomer, PayServices, PendingSale, PreparedCard } from './pending-sale.ts'

/** An unknown e-mail becomes a customer when the session is paid; a known one gets the payment, and is not changed. */
export function customerToMake({
  open,
  card,
  customerId,
}: Pick<PendingSale, 'open' | 'card' | 'customerId'>): NewPayerCustomer | null {
  const { email, name, phone } = sessionPayer(open.session)
  if (customerId !== null || email === null) return null
  return {
    businessId: open.session.businessId,
    id: newId(),
    name: name ?? card.nameOnCard,
    email,
    phone,
    metadata: {},
  }
}

/** The card as it will be stored, sealed: what an approval adds is the time, and the network's name of the payment. */
export async function cardToKeep(
  { vault }: PayServices,
  { open, card, place, sameCard }: Pick<PendingSale, 'open' | 'card'> & { place: CardPlace; sameCard: SameCard | null },
): Promise<PreparedCard> {
  const { businessId } = open.session
  const sealed = await vault.seal(businessId, card.number)
  const { brand, first6, last4, expMonth, expYear, nameOnCard, funding } = card
  return {
    sealed,
    stored: {
      businessId,
      id: sealed.id,
      brand,
      first6,
      last4,
      expMonth,
      expYear,
      nameOnCard,
      place,
      funding,
      // A card from before the master key was exchanged keeps its fingerprint: it is found by it, and not stored twice.
      fingerprint: sameCard?.fingerprint ?? sealed.fingerprint,
      fingerprintKeyId: sameCard?.fingerprintKeyId ?? sealed.fingerprint_key_id,
    },
  }
}
