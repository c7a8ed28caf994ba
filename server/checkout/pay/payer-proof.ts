import type { Business } from '../../businesses/business.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { authenticationIdOf, usableSince } from '../../three-d-secure/authentication.ts'
import {
  type AuthenticationUse,
  consumeAuthentication,
  findRecentUse,
} from '../../three-d-secure/authentication-queries.ts'
import type { PayerProof } from '../../three-d-secure/payer-proof.ts'
import { openValue } from '../../three-d-secure/sealed-card.ts'
import type { Card } from '../../vault/card.ts'
import { findPayable, type LoadedSession, paymentInProgress } from '../sessions/load-session.ts'
import type { SessionServices } from './pay-services.ts'

/**
 * Whether the payer must be authenticated. A device account number of a wallet carries its own proof (GPY-6). An amount
 * of 0 means that a card is stored for payments of unknown amounts, so the payer is authenticated whatever the limit.
 */
export function needsAuthentication(
  { threeDsEnabled, threeDsAbove }: Pick<Business, 'threeDsEnabled' | 'threeDsAbove'>,
  { card, amount }: { card: Pick<Card, 'wallet'> | null; amount: Cents },
): boolean {
  const isProved = card?.wallet?.proof != null
  return threeDsEnabled && !isProved && (threeDsAbove === null || amount === 0 || amount > threeDsAbove)
}

interface Charged {
  loaded: LoadedSession
  card: Card
  /** Amount in cents, including the surcharge. */
  amount: Cents
  /** `three_ds_id` of the request. */
  named: string | null | undefined
  operationId: string
}

/**
 * Consumes the payer's authentication for one charge. It is consumed even if the charge is then not sent because
 * another one has begun: the payer must authenticate again.
 *
 * @returns `null` if no authentication is needed
 * @throws ApiError `three_ds_expired` if none matches this card, amount and currency, or if it was used or is too old;
 *   an error of a closed state or `payment_in_progress` if another request has paid with it
 * @see TDS-8
 */
export async function takePayerProof(services: SessionServices, charged: Charged): Promise<PayerProof | null> {
  const { loaded, card, amount, named, operationId } = charged
  const { session, business, now, token } = loaded
  if (!needsAuthentication(business, { card, amount })) return null
  const id = named == null ? null : authenticationIdOf(named)
  const use: AuthenticationUse = {
    businessId: session.businessId,
    sessionId: session.id,
    id,
    cardFingerprint: services.vault.fingerprint(session.businessId, card.number).value,
    amount,
    currency: session.currency,
    operationId,
    now,
    decidedAfter: usableSince(now),
  }
  const mayExist = named == null || id !== null
  const used = mayExist ? await consumeAuthentication(services.db, use) : undefined
  if (!used) {
    const isTaken = mayExist && (await isBeingUsed(services, use))
    const current = await findPayable(services, token)
    throw isTaken || current.paymentInProgress ? paymentInProgress() : notAuthenticated()
  }
  const { sealedValue, ...proof } = used
  return { ...proof, value: sealedValue && openValue(services.keyring, used.id, sealedValue) }
}

/** Whether another request has consumed the authentication and has not recorded its intent yet. */
async function isBeingUsed({ db }: SessionServices, use: AuthenticationUse): Promise<boolean> {
  const recent = await findRecentUse(db, use)
  if (recent === undefined || recent.operationId === null) return recent !== undefined
  return (await findOperation(db, use.businessId, recent.operationId)) === undefined
}

const notAuthenticated = () =>
  new ApiError('three_ds_expired', {
    message: 'The payer must be authenticated with 3-D Secure first, or the authentication was used or is too old.',
    extra: { charged: false },
  })
