import type { NewCustomer } from '../../customers/customer.ts'
import type { NewStoredCard, SameCard } from '../../customers/stored-card.ts'
import { findSameCard } from '../../customers/stored-card-queries.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Card, CardPlace } from '../../vault/card.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Session } from '../sessions/session.ts'
import { savesCards, sessionPayer } from '../sessions/session-customer.ts'
import type { PayServices } from './pay-services.ts'

/** The approval says when. */
export type NewPayerCustomer = Omit<NewCustomer, 'createdAt'>

/** A card that is sealed before anything is sent; the approval adds the time, and the network's name of the payment. */
export interface PreparedCard {
  stored: Omit<NewStoredCard, 'createdAt' | 'networkTransactionId'>
  sealed: SealedCard
}

/**
 * The modal keeps every card, the form only when asked to; and both only for a customer whom the merchant named. Otherwise a
 * card with `saveCard` is charged like any other.
 */
export function keepsCard(session: Session, card: Card): boolean {
  return card.stored === null && savesCards(session) && (card.save || session.uiMode === 'rapid')
}

/** An unknown e-mail becomes a customer when the session is paid; a known customer gets the payment and is not changed. */
export function customerToMake(session: Session, card: Card, customerId: string | null): NewPayerCustomer | null {
  const { email, name, phone } = sessionPayer(session)
  if (customerId !== null || email === null) return null
  return { businessId: session.businessId, id: newId(), name: name ?? card.nameOnCard, email, phone, metadata: {} }
}

/** The same card on file for the same customer, when the card is to be kept. */
export async function findKeptCard(
  { db, vault }: PayServices,
  { businessId }: Session,
  card: Card,
  customerId: string | null,
): Promise<SameCard | null> {
  if (customerId === null) return null
  const fingerprints = vault.fingerprints(businessId, card.number)
  return (await findSameCard(db, { businessId, customerId, fingerprints })) ?? null
}

/** The same card with the same expiry is on file. The modal charges it silently. */
export function isDuplicate({ uiMode }: Session, card: Card, known: SameCard): boolean {
  return uiMode !== 'rapid' && known.expMonth === card.expMonth && known.expYear === card.expYear
}

export function duplicateCard({ session }: LoadedSession, { id, brand, last4 }: SameCard): ApiError {
  return new ApiError('duplicate_card', {
    message: 'This card is already saved. Choose the saved card, or pay without saving it.',
    errors: { cardData: ['is already saved: choose the saved card'] },
    extra: { charged: false, ...(session.customerId && { card: { id, brand, last4 } }) },
  })
}

export async function cardToKeep(
  { vault }: PayServices,
  { businessId }: Session,
  card: Card,
  { place, sameCard }: { place: CardPlace; sameCard: SameCard | null },
): Promise<PreparedCard> {
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
