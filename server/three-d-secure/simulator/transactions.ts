import { randomUUID } from 'node:crypto'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import type { MessageVersion } from '../three-ds-server.ts'
import { type CardBehaviour, cardBehaviour } from './card-behaviour.ts'
import type { Message } from './messages.ts'

/** How long the id of a lookup can be used, and how long the result of a challenge is stored. Never scaled. */
const LOOKUP_LIVES_MS = 80_000
const RESULT_LIVES_MS = 300_000

/** A lookup, the authentication that may follow it, and its challenge. In memory only. */
export interface Transaction {
  serverTransactionId: string
  acsTransactionId: string
  dsTransactionId: string
  number: string
  behaviour: CardBehaviour
  /** `null` before the authentication request. */
  request: AcceptedRequest | null
  challenge: ChallengeState
  /** Result of the challenge (RReq), once the bank has sent it. */
  result: { message: Message; at: number } | null
  lookedUpAt: number
}

/** Data of an AReq that the bank needs. */
export interface AcceptedRequest {
  version: MessageVersion
  category: string
  notificationUrl: string
  language: string
  merchantName: string
  amount: { minorUnits: string; currency: string; exponent: string } | null
}

interface ChallengeState {
  stage: 'none' | 'required' | 'open' | 'over'
  /** Number of times that the payer has pressed a button. */
  interactions: number
  wrongCodes: number
  /** Returned to the shop unread; `null` if the shop sent none. */
  sessionData: string | null
}

export class Transactions {
  readonly #byServerId = createBoundedMap<Transaction>()
  readonly #byAcsId = createBoundedMap<Transaction>()
  #expiredBefore = 0

  create(number: string, now: number): Transaction {
    const transaction: Transaction = {
      serverTransactionId: randomUUID(),
      acsTransactionId: randomUUID(),
      dsTransactionId: randomUUID(),
      number,
      behaviour: cardBehaviour(number),
      request: null,
      challenge: { stage: 'none', interactions: 0, wrongCodes: 0, sessionData: null },
      result: null,
      lookedUpAt: now,
    }
    this.#byServerId.set(transaction.serverTransactionId, transaction)
    this.#byAcsId.set(transaction.acsTransactionId, transaction)
    return transaction
  }

  find(serverTransactionId: unknown): Transaction | undefined {
    return typeof serverTransactionId === 'string' ? this.#byServerId.get(serverTransactionId) : undefined
  }

  findByAcsId(acsTransactionId: unknown): Transaction | undefined {
    return typeof acsTransactionId === 'string' ? this.#byAcsId.get(acsTransactionId) : undefined
  }

  /** Finds the transaction of a lookup that is unused and not too old. */
  findUnused(serverTransactionId: unknown, now: number): Transaction | undefined {
    const found = this.find(serverTransactionId)
    if (!found || found.request !== null) return undefined
    return found.lookedUpAt > this.#expiredBefore && now - found.lookedUpAt < LOOKUP_LIVES_MS ? found : undefined
  }

  /** Returns the result of the challenge; `undefined` until the bank has sent it. */
  resultOf(serverTransactionId: unknown, now: number): Message | undefined {
    const result = this.find(serverTransactionId)?.result
    return result && now - result.at < RESULT_LIVES_MS ? result.message : undefined
  }

  /** Makes all lookups so far too old. */
  expireLookups(now: number): void {
    this.#expiredBefore = now
  }
}
