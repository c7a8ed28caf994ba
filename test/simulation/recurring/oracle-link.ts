import { OUTCOMES, VERIFICATIONS, type VerificationName } from './gateway-outcomes.ts'
import type { Model, ModelLink, ModelSession } from './model.ts'
import { begin } from './new-model.ts'
import { type Sell, today } from './oracle.ts'

// The effect of the customer's card on a subscription that waits for one, by the specification alone (SUB-3, SUB-41,
// SUB-42).

const SESSION_MS = 24 * 3_600_000
const ATTEMPTS = 3

/** The page's text after a payment. */
export type PageResponse =
  | 'paid'
  | 'declined'
  | 'gateway_timeout'
  | 'gateway_unavailable'
  | 'payment_in_progress'
  | 'session_completed'
  | 'session_failed'
  | 'session_expired'
  | 'session_cancelled'

/** Returns the session of the link; `null` if the next one begins. */
export function currentSession(model: Model, { sessions }: ModelLink, nowMs: number): ModelSession | null {
  const last = sessions.at(-1)
  if (!last || model.status !== 'pending_payment_method') return last ?? null
  return last.expiresMs > nowMs || isBeingPaid(model, last) ? last : null
}

export function beginSession({ sessions }: ModelLink, token: string, nowMs: number): ModelSession {
  const session: ModelSession = { token, expiresMs: nowMs + SESSION_MS, attempts: 0, end: null }
  sessions.push(session)
  return session
}

const isBeingPaid = ({ openSale }: Model, session: ModelSession) => openSale?.session === session

/** Expires sessions, like the job. A payment that began in time may still complete them. */
export function expireSessions(model: Model, nowMs: number): void {
  for (const session of model.link?.sessions ?? [])
    if (session.end === null && session.expiresMs <= nowMs && !isBeingPaid(model, session)) session.end = 'expired'
}

/** @param learn takes the outcome of the sale, or of the verification if the subscription starts later */
export function payPage(
  model: Model,
  session: ModelSession,
  nowMs: number,
  { sell, verification }: { sell: Sell; verification: VerificationName },
): PageResponse {
  const { link } = model
  if (!link) throw new Error('A subscription without a link has no page')
  const refused = refusalOf(model, session, nowMs)
  if (refused) return refused
  const isLater = link.start !== null && link.start > today(model, nowMs)
  if (isLater) {
    const { learned } = VERIFICATIONS[verification]
    if (learned === 'unknown') return 'gateway_unavailable'
    return learned === 'verified' ? activate(model, link, session, nowMs, link.start) : decline(session)
  }
  const outcome = sell()
  const { learned } = OUTCOMES[outcome]
  if (learned === 'unknown') {
    model.openSale = { kind: 'link', outcome, sentMs: nowMs, session }
    return 'gateway_timeout'
  }
  return learned === 'approved' ? activate(model, link, session, nowMs, null) : decline(session)
}

function refusalOf(model: Model, session: ModelSession, nowMs: number): PageResponse | null {
  if (session.end === 'paid') return 'session_completed'
  if (session.end === 'failed') return 'session_failed'
  if (session.end === 'expired') return 'session_expired'
  if (isBeingPaid(model, session)) return 'payment_in_progress'
  if (model.status !== 'pending_payment_method') return 'session_cancelled'
  return session.expiresMs <= nowMs ? 'session_expired' : null
}

function activate(
  model: Model,
  link: ModelLink,
  session: ModelSession,
  nowMs: number,
  start: number | null,
): PageResponse {
  session.end = 'paid'
  link.isUnused = false
  begin(model, start, nowMs)
  return 'paid'
}

function decline(session: ModelSession): PageResponse {
  session.attempts += 1
  if (session.attempts === ATTEMPTS) session.end = 'failed'
  return 'declined'
}
