import type { Locale } from '../../../contract/payment-page.ts'
import type { NewCustomer } from '../../customers/customer.ts'
import type { NewStoredCard, SameCard } from '../../customers/stored-card.ts'
import { findSameCard } from '../../customers/stored-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Card, CardPlace } from '../../vault/card.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import type { Vault } from '../../vault/vault.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Session } from '../sessions/session.ts'
import { keepsEveryCard, mayKeepCard, sessionPayer } from '../sessions/session-customer.ts'

/** A customer that the payment creates; the approval sets the time. */
export type NewPayerCustomer = Omit<NewCustomer, 'createdAt'>

/** A card sealed before anything is sent. The approval adds the time and the network transaction id. */
export interface PreparedCard {
  stored: Omit<NewStoredCard, 'createdAt' | 'networkTransactionId' | 'dsTransactionId'>
  sealed: SealedCard
}

/**
 * Whether the card is to be stored: always in the modal and for a subscription, in the form if the payer chose to, and
 * only if the session allows it. Otherwise `saveCard` is ignored.
 */
export function keepsCard(session: Session, card: Card): boolean {
  return card.stored === null && card.wallet === null && mayKeepCard(session) && (card.save || keepsEveryCard(session))
}

/** Returns the customer that the payment creates for an unknown e-mail address. A known customer is not changed. */
export function customerToCreate(
  session: Session,
  card: Card,
  { customerId, locale }: { customerId: string | null; locale: Locale | null },
): NewPayerCustomer | null {
  const { email, name, phone } = sessionPayer(session)
  if (customerId !== null || email === null) return null
  const { businessId } = session
  return { businessId, id: newId(), name: name ?? card.nameOnCard, email, phone, locale, metadata: {} }
}

/** Finds the same card of the same customer, if the card is to be stored. */
export async function findKeptCard(
  { db, vault }: { db: Db; vault: Vault },
  { businessId }: Session,
  card: Card,
  customerId: string | null,
): Promise<SameCard | null> {
  if (customerId === null) return null
  const fingerprints = vault.fingerprints(businessId, card.number)
  return (await findSameCard(db, { businessId, customerId, fingerprints })) ?? null
}

/**
 * Whether the card is refused because it is already stored with the same expiry. Where every card is stored, the stored
 * one is used as it is.
 */
export function isDuplicate(session: Session, card: Card, known: SameCard): boolean {
  return !keepsEveryCard(session) && known.expMonth === card.expMonth && known.expYear === card.expYear
}

export function duplicateCard({ session }: LoadedSession, { id, brand, last4 }: SameCard): ApiError {
  return new ApiError('duplicate_card', {
    message: 'This card is already saved. Choose the saved card, or pay without saving it.',
    errors: { cardData: ['is already saved: choose the saved card'] },
    extra: { charged: false, ...(session.customerId && { card: { id, brand, last4 } }) },
  })
}

export async function cardToKeep(
  { vault }: { vault: Vault },
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
      // A card stored before a rotation of the master key has a fingerprint under an older key.
      fingerprint: sameCard?.fingerprint ?? sealed.fingerprint,
      fingerprintKeyId: sameCard?.fingerprintKeyId ?? sealed.fingerprint_key_id,
    },
  }
}
