import type { Funding } from '../vault/bin-table.ts'
import type { CardPlace } from '../vault/card.ts'
import type { FoundCard } from '../vault/vault-queries.ts'

/** A stored card, with the fields that may be shown. */
export interface StoredCard {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  nameOnCard: string | null
  funding: Funding
  place: CardPlace
}

/** A stored card with the fingerprint under which it was stored. */
export interface SameCard extends StoredCard {
  fingerprint: Buffer
  fingerprintKeyId: string
}

/** A stored card with the fields that a charge needs, except its number, which is in the vault. */
export interface ChargeableCard extends StoredCard {
  first6: string
  networkTransactionId: string | null
  /** Transaction id of the authentication with which the card was stored; `null` if there was none. */
  dsTransactionId: string | null
  /** Sealed card, if it was read in advance together with others; if absent, it is read when the card is opened. */
  sealed?: FoundCard | undefined
}

export interface NewStoredCard {
  businessId: string
  id: string
  brand: string
  first6: string
  last4: string
  expMonth: number
  expYear: number
  nameOnCard: string | null
  place: CardPlace
  funding: Funding
  fingerprint: Buffer
  fingerprintKeyId: string
  networkTransactionId: string | null
  dsTransactionId: string | null
  createdAt: Date
}
