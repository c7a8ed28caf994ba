import type { DddInitResponse } from '../../../contract/three-ds.ts'
import { businessNow } from '../../businesses/business.ts'
import { transaction } from '../../db/transaction.ts'
import { commitUnflushed } from '../../db/unflushed.ts'
import { newId } from '../../lib/ids.ts'
import type { Cents } from '../../lib/money.ts'
import {
  AUTHENTICATIONS_MAX,
  type AuthenticationSource,
  dddSessionId,
  expiryOf,
  METHOD_TIMEOUT_MS,
} from '../../three-d-secure/authentication.ts'
import { findAuthentication, insertAuthentication } from '../../three-d-secure/authentication-queries.ts'
import {
  countBegun,
  expireUnfinished,
  type Lookup,
  recordFailure,
  recordLookup,
} from '../../three-d-secure/authentication-state-queries.ts'
import { sealCard } from '../../three-d-secure/sealed-card.ts'
import type { LookupResult } from '../../three-d-secure/three-ds-server.ts'
import { type Card, readUncodedCard, refuseCode } from '../../vault/card.ts'
import { chooseCard } from '../pay/choose-card.ts'
import { billingPlaces } from '../pay/pay-session.ts'
import { needsAuthentication } from '../pay/payer-proof.ts'
import { requireAmount } from '../pay/read-pay-request.ts'
import { fundingOfPayment, surchargeOf, withShipping } from '../pay/surcharge.ts'
import { type LoadedSession, paymentInProgress } from '../sessions/load-session.ts'
import { methodUrl } from './bridge-urls.ts'
import { callThreeDsServer, hasFailed, logFailure } from './call-three-ds-server.ts'
import type { DddInitRequest } from './init-request.ts'
import { lockSession } from './session-lock-queries.ts'
import {
  authenticationExpired,
  cardNotSupported,
  notAuthenticated,
  threeDsServerFailed,
  tooManyAuthentications,
} from './three-ds-refusals.ts'
import type { ThreeDsCaller, ThreeDsServices } from './three-ds-services.ts'

const NOT_REQUIRED: DddInitResponse = {
  ok: true,
  status: 'not_required',
  ddd_session_id: null,
  three_ds_server_trans_id: null,
  message_version: null,
  method: null,
  expires_at: null,
}

/** The authentication that is to begin. */
interface Begun {
  id: string
  loaded: LoadedSession
  card: Card
  fingerprint: Buffer
  source: AuthenticationSource
  /** Amount in cents, including the surcharge. */
  amount: Cents
}

/**
 * Begins an authentication: looks up the card at the 3-D Secure server, and stores it, sealed, for the request.
 *
 * @throws ApiError `validation_failed`, `not_found`, `payment_in_progress`, `rate_limited`, and TDS-13, TDS-15 to
 * TDS-17
 * @see TDS-2
 */
export async function initAuthentication(
  services: ThreeDsServices,
  caller: ThreeDsCaller,
  body: DddInitRequest,
): Promise<DddInitResponse> {
  const begun = await checkInit(services, caller, body)
  if (begun === null) return NOT_REQUIRED
  await begin(services, begun)
  const { number } = begun.card
  const found = await callThreeDsServer<LookupResult>(services, (server, signal) => server.lookUp({ number, signal }))
  return recordFound(services, begun, found)
}

/** @returns `null` when no authentication is needed */
async function checkInit(
  services: ThreeDsServices,
  { loaded, payerIpPrefix }: ThreeDsCaller,
  body: DddInitRequest,
): Promise<Begun | null> {
  const { session, business } = loaded
  refuseCode(body)
  const card = await chooseCard(services, loaded, body, readUncodedCard)
  const places = withShipping(billingPlaces(card, body), body.shipping_address)
  const surcharge = surchargeOf(session, business, {
    funding: fundingOfPayment(card, body.amount, session),
    places,
  })
  requireAmount(loaded, body, surcharge)
  if (loaded.paymentInProgress) throw paymentInProgress()
  const amount = surcharge.total
  if (!needsAuthentication(business, { card, amount })) return null
  if (session.mode === 'subscription') await services.signUps.requireSignature(loaded)
  const fingerprint = services.vault.fingerprint(session.businessId, card.number).value
  const storedCardId = card.stored?.id ?? null
  await services.cardTesting.refuse({ business, payerIpPrefix, fingerprint, storedCardId })
  return { id: newId(), loaded, card, fingerprint, source: body.payment_method_type, amount }
}

/**
 * Records the authentication and counts it before the card is looked up: otherwise a session would reveal, for any
 * number of cards, whether they take part in 3-D Secure.
 */
async function begin(
  services: ThreeDsServices,
  { id, loaded, card, fingerprint, source, amount }: Begun,
): Promise<void> {
  const { session, now } = loaded
  const { businessId, id: sessionId } = session
  const rejectedId = await transaction(services.db, async (tx) => {
    await commitUnflushed(tx)
    await lockSession(tx, session)
    const counted = await countBegun(tx, { businessId, sessionId, cardFingerprint: fingerprint })
    if (counted.rejectedId !== null) return counted.rejectedId
    if (counted.begun >= AUTHENTICATIONS_MAX)
      throw tooManyAuthentications(AUTHENTICATIONS_MAX, secondsUntil(session.expiresAt, now))
    await expireUnfinished(tx, { businessId, sessionId })
    await insertAuthentication(tx, {
      businessId,
      id,
      sessionId,
      source,
      cardFingerprint: fingerprint,
      storedCardId: card.stored?.id ?? null,
      amount,
      currency: session.currency,
      createdAt: now,
      expiresAt: expiryOf(now),
    })
    return null
  })
  if (rejectedId === null) return
  const rejected = await findAuthentication(services.db, { businessId, sessionId, id: rejectedId })
  throw notAuthenticated(loaded, 'R', rejected ?? { transStatusReason: null, cardholderInfo: null })
}

const secondsUntil = (end: Date, now: Date): number => Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))

async function recordFound(
  services: ThreeDsServices,
  { id, loaded, card }: Begun,
  found: LookupResult,
): Promise<DddInitResponse> {
  const { db, clock, keyring, log } = services
  const now = businessNow(clock, loaded.business)
  const { businessId } = loaded.session
  const started = { businessId, id, state: 'STARTED' } as const
  if (hasFailed(found)) {
    const { errorCode, component } = found
    logFailure(log, { id }, found, 'a card could not be looked up for 3-D Secure')
    await recordFailure(db, started, { code: errorCode, component, now })
    throw threeDsServerFailed({ errorCode, errorComponent: component })
  }
  if (found.outcome === 'not_supported') {
    await recordFailure(db, started, { code: null, component: null, now })
    throw cardNotSupported()
  }
  const { number, expMonth, expYear, nameOnCard: name } = card
  const sealedCard = sealCard(keyring, id, { number, expMonth, expYear, name })
  if (!(await recordLookup(db, started, { ...found, now, sealedCard }))) throw authenticationExpired()
  return initResponse(services, { id, expiresAt: expiryOf(loaded.now) }, found)
}

function initResponse(
  { links }: ThreeDsServices,
  made: { id: string; expiresAt: Date },
  { serverTransactionId, messageVersion, methodUrl: issuersUrl }: Omit<Lookup, 'now'>,
): DddInitResponse {
  return {
    ok: true,
    status: issuersUrl === null ? 'ready' : 'method_required',
    ddd_session_id: dddSessionId(made),
    three_ds_server_trans_id: serverTransactionId,
    message_version: messageVersion,
    method: issuersUrl === null ? null : { url: methodUrl(links, made), timeout_ms: METHOD_TIMEOUT_MS },
    expires_at: made.expiresAt.toISOString(),
  }
}
