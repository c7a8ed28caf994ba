import { type Business, businessNow } from '../../businesses/business.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { findLastDecline } from '../../payments/operation-queries.ts'
import { transactionView } from '../../payments/payment.ts'
import { findPaymentOfSession } from '../../payments/payment-queries.ts'
import { findByToken, type LookupServices } from './load-session.ts'
import { statusAt } from './session.ts'
import { findSession } from './session-queries.ts'
import type { SessionTokens } from './session-token.ts'
import { createdView, detailsView, type Links } from './session-view.ts'

export interface DetailsServices extends Omit<LookupServices, 'sessionTokens'> {
  sessionTokens: SessionTokens
  links: Links
}

/**
 * A session as the merchant sees it.
 *
 * @param tokenOrId either finds it
 * @throws ApiError `not_found`
 * @see CHK-35
 */
export async function sessionDetails(services: DetailsServices, business: Business, tokenOrId: string) {
  const { db, sessionTokens, clock, links } = services
  const found = isUuid(tokenOrId)
    ? await findSession(services, business.id, tokenOrId)
    : await findByToken(services, tokenOrId, business.id)
  if (!found) throw new ApiError('not_found', { message: 'No such session' })
  const { session, paymentInProgress } = found
  // The business is read again, because the caller's may be cached for a second and its test clock may have moved.
  const status = statusAt(session, businessNow(clock, found.business), paymentInProgress)
  const payment = status === 'COMPLETED' ? await findPaymentOfSession(db, business.id, session.id) : undefined
  const isDeclined = session.attemptCount > 0 && status !== 'COMPLETED'
  const declined = isDeclined ? await findLastDecline(db, business.id, session.id) : undefined
  const token = sessionTokens.make(session)
  return {
    ok: true,
    message: 'Checkout session',
    status,
    checkout_session: {
      ...createdView(session, token, links),
      ...detailsView(session, status, payment?.surchargeAmount ?? null),
      last_decline: declined ?? null,
    },
    transaction: payment ? transactionView(payment) : null,
  }
}
