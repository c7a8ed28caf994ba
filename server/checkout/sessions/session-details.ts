import type { Business } from '../../businesses/business.ts'
import { findApprovedPayment } from '../../payments/approved-payment-queries.ts'
import { findByTokenOrId, type MerchantLookupServices } from './load-session.ts'
import { statusAt } from './session.ts'
import { sessionTransaction } from './session-transaction.ts'
import { createdView, detailsView, type Links } from './session-view.ts'

export interface DetailsServices extends MerchantLookupServices {
  links: Links
}

/**
 * Returns a session as the merchant sees it.
 *
 * @param tokenOrId token or id of the session
 * @throws ApiError `not_found`
 * @see CHK-35
 */
export async function sessionDetails(services: DetailsServices, business: Business, tokenOrId: string) {
  const { db, links } = services
  // `now` comes from the business as read now: the caller's copy may be cached, and the test clock may have moved.
  const { session, token, now, paymentInProgress } = await findByTokenOrId(services, tokenOrId, business.id)
  const status = statusAt(session, now, paymentInProgress)
  const payment = status === 'COMPLETED' ? await findApprovedPayment(db, business.id, session.id) : undefined
  return {
    ok: true,
    message: 'Checkout session',
    status,
    checkout_session: {
      ...createdView(session, token, links),
      ...detailsView(session, status, payment?.surchargeAmount ?? null),
    },
    transaction: sessionTransaction(session, payment),
  }
}
