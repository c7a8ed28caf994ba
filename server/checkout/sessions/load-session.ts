import type { SessionPayment } from '../../../contract/checkout-form.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { ApprovedPayment } from '../../payments/approved-payment.ts'
import { findApprovedPayment } from '../../payments/approved-payment-queries.ts'
import { returnUrl } from './return-url.ts'
import { CLOSED, type Session, statusAt } from './session.ts'
import { type FoundSession, findSession } from './session-queries.ts'
import type { SessionTokens } from './session-token.ts'

export interface LookupServices {
  db: Db
  clock: Clock
  merchants: Merchants
  sessionTokens: Pick<SessionTokens, 'open'>
}

/** Services for a merchant's request, which may name a session by its id. */
export interface MerchantLookupServices extends LookupServices {
  sessionTokens: SessionTokens
}

export interface LoadedSession extends FoundSession {
  token: string
  /** Current time of the business. */
  now: Date
}

/**
 * Finds a session by its token.
 *
 * @param businessId business to which the session must belong, for a merchant's request
 * @throws ApiError `not_found`, whether the token is malformed, unknown or belongs to another business
 */
export async function findByToken(
  services: LookupServices,
  token: string,
  businessId?: string,
): Promise<LoadedSession> {
  const found = await lookUp(services, token, businessId)
  if (!found) throw noSuchSession()
  return found
}

/**
 * Finds the session that a merchant's server names.
 *
 * @throws ApiError `not_found`
 * @see CHK-23
 */
export async function findByTokenOrId(
  services: MerchantLookupServices,
  tokenOrId: string,
  businessId: string,
): Promise<LoadedSession> {
  if (!isUuid(tokenOrId)) return findByToken(services, tokenOrId, businessId)
  const found = await findSession(services, businessId, tokenOrId)
  if (!found) throw noSuchSession()
  const { sessionTokens, clock } = services
  return { ...found, token: sessionTokens.make(found.session), now: businessNow(clock, found.business) }
}

export const noSuchSession = () => new ApiError('not_found', { message: 'No such session' })

/** Finds a session by its token, like `findByToken`, but returns `null` if there is none. */
export async function lookUp(
  { db, clock, merchants, sessionTokens }: LookupServices,
  token: string,
  businessId?: string,
): Promise<LoadedSession | null> {
  const place = sessionTokens.open(token)
  const isForeign = businessId !== undefined && place?.businessId !== businessId
  const found = place === null || isForeign ? null : await findSession({ db, merchants }, place.businessId, place.id)
  return found && { ...found, token, now: businessNow(clock, found.business) }
}

/**
 * Loads a session that can still be paid.
 *
 * @param businessId business to which the session must belong, for a merchant's request
 * @throws ApiError `not_found`, `session_expired`, `session_completed`, `session_cancelled`, `session_failed`
 */
export async function findPayable(
  services: LookupServices,
  token: string,
  businessId?: string,
): Promise<LoadedSession> {
  const found = await findByToken(services, token, businessId)
  refuseClosed(found, await sessionPayment(services.db, found))
  return found
}

/** Returns the payment of a paid session, as the merchant's page receives it. */
export async function sessionPayment(
  db: Db,
  { session }: Pick<FoundSession, 'session'>,
): Promise<SessionPayment | undefined> {
  const payment =
    session.status === 'COMPLETED' ? await findApprovedPayment(db, session.businessId, session.id) : undefined
  if (payment) return paymentView(payment)
  return session.status === 'COMPLETED' ? verificationView(session) : undefined
}

/** Returns a payment of 0 for a verified card of a subscription that begins later or continues. */
function verificationView({ verification, subscriptionId, currency }: Session): SessionPayment | undefined {
  const id = verification?.id ?? subscriptionId
  return id === null ? undefined : { transaction_id: id, receipt_id: '', amount: 0, currency }
}

function paymentView({ id, receiptId, amount, currency }: ApprovedPayment): SessionPayment {
  return { transaction_id: id, receipt_id: receiptId, amount: decimalFromCents(amount), currency }
}

export function refuseClosed(
  { session, token, now, paymentInProgress }: Omit<LoadedSession, 'business' | 'terminal'>,
  payment?: SessionPayment,
): void {
  const status = statusAt(session, now, paymentInProgress)
  if (status === 'PENDING') return
  const { code, message } = CLOSED[status]
  const [name, url] = status === 'COMPLETED' ? ['success_url', session.successUrl] : ['cancel_url', session.cancelUrl]
  const link = url != null && name && { [name]: returnUrl(url, token) }
  throw new ApiError(code, { message, extra: { status, ...link, ...(payment && { payment }) } })
}

export function paymentInProgress(): ApiError {
  return new ApiError('payment_in_progress', {
    message: 'A payment for this session is in progress or being resolved. Do not pay again; check its status.',
    extra: { charged: null },
  })
}
