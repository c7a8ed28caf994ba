import { addSeconds } from '../lib/clock.ts'
import type { Cents, Currency } from '../lib/money.ts'
import { stateTable } from '../lib/state-table.ts'
import type { ChallengeWindow, MessageVersion, TransStatus } from './three-ds-server.ts'

/** Used in `/data`, in init and for the browser. */
export const METHOD_TIMEOUT_MS = 10_000
export const CHALLENGE_TIMEOUT_MS = 600_000
/** Our timeout of the request to the directory server; longer than the server's own of 10 s. */
export const REQUEST_TIMEOUT_MS = 12_000
/** A call without a result after this time will never get one: its process has died. */
export const ABANDONED_AFTER_SECONDS = 15
/** How long the server knows a transaction after the lookup: 80 s, less the time of the request itself. */
export const LOOKUP_SECONDS = 68
/** Time from init to the result. */
const WHOLE_SECONDS = 15 * 60
/** Time from the result to the charge. */
const USE_SECONDS = 10 * 60
/** Time that the protocol allows to open the challenge. */
export const OPEN_CHALLENGE_SECONDS = 30
/** Time within which the result of a challenge arrives after the browser came back. */
export const RESULT_WAIT_SECONDS = 30
/** How long the server stores the result of a challenge. */
export const RESULT_KEPT_SECONDS = 300
/** Time within which a canceled challenge may still get a result. */
export const CANCEL_WAIT_SECONDS = 3
export const AUTHENTICATIONS_MAX = 10
/** `errorCode` of a card that took part at first, but not when its transaction was renewed. */
export const NOT_SUPPORTED = 'not_supported'

export const AUTHENTICATION_STATES = [
  /** Init looks up the card; the issuer's method may run. */
  'STARTED',
  /** The request was sent to the directory server. */
  'SENT',
  'CHALLENGE',
  /** Y or A: one charge may use the authentication. */
  'AUTHENTICATED',
  'CONSUMED',
  /** N, R, U, I, or a failure of the server. */
  'FAILED',
  /** Too late, or replaced by a newer authentication of the session. */
  'EXPIRED',
] as const
export type AuthenticationState = (typeof AUTHENTICATION_STATES)[number]

export type AuthenticationTrigger = 'send' | 'challenge' | 'authenticated' | 'failed' | 'expire' | 'use'

/** @see TDS-3, TDS-8, TDS-9 */
export const nextAuthenticationState = stateTable<AuthenticationState, AuthenticationTrigger>([
  ['STARTED', 'send', 'SENT'],
  ['STARTED', 'failed', 'FAILED'],
  ['STARTED', 'expire', 'EXPIRED'],
  ['SENT', 'challenge', 'CHALLENGE'],
  ['SENT', 'authenticated', 'AUTHENTICATED'],
  ['SENT', 'failed', 'FAILED'],
  ['SENT', 'expire', 'EXPIRED'],
  ['CHALLENGE', 'authenticated', 'AUTHENTICATED'],
  ['CHALLENGE', 'failed', 'FAILED'],
  ['CHALLENGE', 'expire', 'EXPIRED'],
  ['AUTHENTICATED', 'use', 'CONSUMED'],
  ['AUTHENTICATED', 'expire', 'EXPIRED'],
])

export type AuthenticationSource = 'new_card' | 'saved_card' | 'google_pay'

/** One run of 3-D Secure, after the card was looked up. Times are in the business's time. */
export interface Authentication {
  businessId: string
  id: string
  sessionId: string
  state: AuthenticationState
  source: AuthenticationSource
  cardFingerprint: Buffer
  storedCardId: string | null
  amount: Cents
  currency: Currency
  serverTransactionId: string
  messageVersion: MessageVersion
  methodUrl: string | null
  methodDoneAt: Date | null
  challengeUrl: string | null
  acsTransactionId: string | null
  dsTransactionId: string | null
  challengeWindow: ChallengeWindow | null
  challengeOpenedAt: Date | null
  challengeReturnedAt: Date | null
  challengeCanceledAt: Date | null
  transStatus: TransStatus | null
  transStatusReason: string | null
  cardholderInfo: string | null
  errorCode: string | null
  errorComponent: 'S' | 'D' | 'A' | null
  eci: string | null
  operationId: string | null
  createdAt: Date
  expiresAt: Date
  lookedUpAt: Date
  sentAt: Date | null
  challengedAt: Date | null
  inquiredAt: Date | null
  decidedAt: Date | null
}

/** Returns `ddd_session_id`: the id with a prefix that shows its type. */
export const dddSessionId = ({ id }: Pick<Authentication, 'id'>): string => `${PREFIX}${id}`

/** @returns the id contained in it; `null` if it is not valid */
export function authenticationIdOf(dddSessionId: string): string | null {
  const [, id = null] = /^ddd_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(dddSessionId) ?? []
  return id
}

const PREFIX = 'ddd_'

export const expiryOf = (createdAt: Date): Date => addSeconds(createdAt, WHOLE_SECONDS)

/** Returns until when a charge may use what was decided then. */
export const payBefore = (decidedAt: Date): Date => addSeconds(decidedAt, USE_SECONDS)

/** Returns the time since which a decision may be used now; earlier ones are too old. */
export const usableSince = (now: Date): Date => addSeconds(now, -USE_SECONDS)

/** Whether the issuer bears the loss of a fraudulent payment. */
export const shiftsLiability = (transStatus: TransStatus): boolean => transStatus === 'Y' || transStatus === 'A'
