import { randomUUID } from 'node:crypto'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import type { MessageVersion } from '../three-ds-server.ts'
import { type CardBehaviour, cardBehaviour } from './card-behaviour.ts'
import type { Message } from './messages.ts'

/** How long an id of a lookup can be used, and how long the result of a challenge is kept. Never scaled. */
const LOOKUP_LIVES_MS = 80_000
const RESULT_LIVES_MS = 300_000

/** One lookup, the authentication that may follow it, and its challenge. In memory only. */
export interface Transaction {
  serverTransactionId: string
  acsTransactionId: string
  dsTransactionId: string
  number: string
  behaviour: CardBehaviour
  /** `null` before the authentication request. */
  request: AcceptedRequest | null
  challenge: ChallengeState
  /** The result of the challenge (RReq), once the bank has sent it. */
  result: { message: Message; at: number } | null
  lookedUpAt: number
}

/** What the bank needs of an AReq. */
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
  /** Buttons that the payer has pressed. */
  interactions: number
  wrongCodes: number
  /** Returned to the shop unread; `null` when the shop sent none. */
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

  /** The transaction of a lookup that has not been used and is not too old. */
  findUnused(serverTransactionId: unknown, now: number): Transaction | undefined {
    const found = this.find(serverTransactionId)
    if (!found || found.request !== null) return undefined
    return found.lookedUpAt > this.#expiredBefore && now - found.lookedUpAt < LOOKUP_LIVES_MS ? found : undefined
  }

  /** `undefined` until the bank has sent the result of the challenge. */
  resultOf(serverTransactionId: unknown, now: number): Message | undefined {
    const result = this.find(serverTransactionId)?.result
    return result && now - result.at < RESULT_LIVES_MS ? result.message : undefined
  }

  /** As if every lookup until now were too old. */
  expireLookups(now: number): void {
    this.#expiredBefore = now
  }
}
