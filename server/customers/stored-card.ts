import type { Funding } from '../vault/bin-table.ts'
import type { CardPlace } from '../vault/card.ts'
import type { FoundCard } from '../vault/vault-queries.ts'

/** A card on file: what may be shown of it. */
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

/** A card on file with the fingerprint it was stored under. */
export interface SameCard extends StoredCard {
  fingerprint: Buffer
  fingerprintKeyId: string
}

/** What a charge needs of a card on file, beside its number from the vault. */
export interface ChargeableCard extends StoredCard {
  first6: string
  networkTransactionId: string | null
  /** Of the authentication with which the card was stored; `null` without one. */
  dsTransactionId: string | null
  /** What the vault has of it, where it was read ahead with others; absent: it is read when the card is opened. */
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
