import type { SessionDetail, SessionRow } from '../../../contract/dashboard/sessions-api.ts'
import type { Business } from '../../businesses/business.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import { PAYMENT_ATTEMPTS_MAX, paymentStatus, statusAt } from '../../checkout/sessions/session.ts'
import { type DetailsServices, sessionDetails } from '../../checkout/sessions/session-details.ts'
import type { ListedSession } from '../../checkout/sessions/session-list-queries.ts'
import { findSession } from '../../checkout/sessions/session-queries.ts'
import { findCustomer } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { findApprovedPayment } from '../../payments/approved-payment-queries.ts'
import { listResultsOfSession } from '../../three-d-secure/shown-authentication-queries.ts'
import { shownAuthentication } from '../shown-authentication.ts'
import { listAttempts } from './attempt-queries.ts'

/** Returns an entry of the list. @param now in the business's time */
export function sessionRow(row: ListedSession, now: Date): SessionRow {
  const { customer_id: id, customer_name: name, customer_email: email } = row
  const status = statusAt({ status: row.status, expiresAt: row.expires_at }, now, row.payment_in_progress)
  return {
    object: 'checkout_session',
    id: row.id,
    status,
    payment_status: paymentStatus(status),
    charges_nothing: row.charges_nothing,
    amount_total: row.amount_total,
    currency: row.currency as SessionRow['currency'],
    ui_mode: row.ui_mode,
    mode: row.mode as SessionRow['mode'],
    customer: id === null && email === null ? null : { id, name, email },
    description: row.description,
    client_reference_id: row.client_reference_id,
    attempt_count: row.attempt_count,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    created: epochSeconds(row.created_at),
    expires_at: epochSeconds(row.expires_at),
    completed_at: row.completed_at && epochSeconds(row.completed_at),
  }
}

/**
 * Reads the page of a session without its link and token, which only a separate call shows (DSH-110).
 *
 * @throws ApiError `not_found`
 */
export async function readSession(services: DetailsServices, business: Business, id: string): Promise<SessionDetail> {
  const { db } = services
  const found = await findSession(services, business.id, id)
  if (!found) throw noSuchSession()
  const { session, knownCustomerId } = found
  const { checkout_session: details, transaction } = await sessionDetails(services, business, id)
  const [attempts, authentications, payment, customer] = await Promise.all([
    listAttempts(db, business.id, id),
    listResultsOfSession(db, business.id, id),
    findApprovedPayment(db, business.id, id),
    customerOf(db, session, knownCustomerId),
  ])
  const view = {
    ...amountsOf(session),
    amount_surcharge: payment?.surchargeAmount || null,
    ...timesOf(session),
    customer,
    attempts,
    authentications: authentications.map(shownAuthentication),
    payment: payment?.id ?? null,
    charges_nothing: session.mode === 'setup' || (session.status === 'COMPLETED' && payment === undefined),
    first_bill_date: session.verification?.first_bill_date ?? null,
    is_payment_link: session.clientId === null && session.mode === 'payment',
  }
  // The details are what the checkout API returns, so their schema is in its documentation.
  return { ...details, token: null, checkout_url: null, object: 'checkout_session', transaction, view } as SessionDetail
}

export const noSuchSession = () => new ApiError('not_found', { message: 'No such session' })

const amountsOf = ({ amountTotal, amountSubtotal, amountTax, amountDiscount }: Session) => ({
  amount_total: amountTotal,
  amount_subtotal: amountSubtotal,
  amount_tax: amountTax,
  amount_discount: amountDiscount,
})

const secondsOf = (at: Date | null) => at && epochSeconds(at)

const timesOf = ({ createdAt, expiresAt, completedAt, canceledAt }: Session) => ({
  created: epochSeconds(createdAt),
  expires_at: epochSeconds(expiresAt),
  completed_at: secondsOf(completedAt),
  canceled_at: secondsOf(canceledAt),
})

async function customerOf(db: Db, session: Session, knownCustomerId: string | null) {
  const { businessId, customerId, payerCustomerId, customerName, customerEmail } = session
  const id = customerId ?? payerCustomerId ?? knownCustomerId
  const customer = id === null ? undefined : await findCustomer(db, businessId, id)
  if (customer) return { id: customer.id, name: customer.name, email: customer.email }
  return customerEmail === null ? null : { id: null, name: customerName, email: customerEmail }
}
