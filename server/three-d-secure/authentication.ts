import { addSeconds } from '../lib/clock.ts'
import type { Cents, Currency } from '../lib/money.ts'
import { stateTable } from '../lib/state-table.ts'
import type { ChallengeWindow, MessageVersion, TransStatus } from './three-ds-server.ts'

/** In `/data`, in init and for the browser. */
export const METHOD_TIMEOUT_MS = 10_000
export const CHALLENGE_TIMEOUT_MS = 600_000
/** The request to the directory server; ours, longer than the 10 s that the server gives it. */
export const REQUEST_TIMEOUT_MS = 12_000
/** A call without a result after this time never gets one: its process died. */
export const ABANDONED_AFTER_SECONDS = 15
/** For how long the server knows a transaction after the lookup: 80 s, less the time of the request itself. */
export const LOOKUP_SECONDS = 68
/** From init to the result. */
const WHOLE_SECONDS = 15 * 60
/** From the result to the charge. */
const USE_SECONDS = 10 * 60
/** The protocol's time to open the challenge. */
export const OPEN_CHALLENGE_SECONDS = 30
/** How long the result of a challenge may take to arrive after the browser came back. */
export const RESULT_WAIT_SECONDS = 30
/** How long the server keeps the result of a challenge. */
export const RESULT_KEPT_SECONDS = 300
/** How long a canceled challenge may still have a result. */
export const CANCEL_WAIT_SECONDS = 3
export const AUTHENTICATIONS_MAX = 10
/** `errorCode` of a card that took part at first, and no longer when its transaction was renewed. */
export const NOT_SUPPORTED = 'not_supported'

export const AUTHENTICATION_STATES = [
  /** Init looks the card up; the issuer's method may run. */
  'STARTED',
  /** The request is at the directory server. */
  'SENT',
  'CHALLENGE',
  /** Y or A: one charge may use it. */
  'AUTHENTICATED',
  'CONSUMED',
  /** N, R, U, I, or a failure of the server. */
  'FAILED',
  /** Too late, or replaced by a newer one of the session. */
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

/** One run of 3-D Secure, once the card was looked up. Times are the business's. */
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

/** `ddd_session_id`: the id with a prefix that tells what it is. */
export const dddSessionId = ({ id }: Pick<Authentication, 'id'>): string => `${PREFIX}${id}`

/** @returns the id in it, or `null` when it is none */
export function authenticationIdOf(dddSessionId: string): string | null {
  const [, id = null] = /^ddd_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(dddSessionId) ?? []
  return id
}

const PREFIX = 'ddd_'

export const expiryOf = (createdAt: Date): Date => addSeconds(createdAt, WHOLE_SECONDS)

/** Until when a charge may use what was decided then. */
export const payBefore = (decidedAt: Date): Date => addSeconds(decidedAt, USE_SECONDS)

/** What was decided before then is too old to be used now. */
export const usableSince = (now: Date): Date => addSeconds(now, -USE_SECONDS)

/** The issuer takes the loss of a fraudulent payment. */
export const shiftsLiability = (transStatus: TransStatus): boolean => transStatus === 'Y' || transStatus === 'A'
