import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { findListedSessions, type SessionFilter, selectSessions } from '../../checkout/sessions/session-list-queries.ts'
import type { Db } from '../../db/connection.ts'
import { paymentRow } from '../payments/payment-row.ts'
import { findPaymentRows, selectSales } from '../payments/payment-row-queries.ts'
import { sessionRow } from '../sessions/session-object.ts'

interface Asked {
  businessId: string
  customerId: string
  limit: number
  /** Real time. */
  now: Date
  /** Time of the business. */
  businessNow: Date
}

/**
 * Runs `work`, which selects ids, with statements planned for their values: a customer may have one row or most rows of
 * a business.
 */
export type Selecting = <Result>(work: (reading: Db) => Promise<Result>) => Promise<Result>

/** Reads the newest payments and sessions of a customer, with which the filtered lists also begin (DSH-46). */
export async function readPaymentsAndSessions(
  db: Db,
  selecting: Selecting,
  { businessId, customerId, limit, now, businessNow }: Asked,
): Promise<Pick<CustomerDetail['view'], 'payments' | 'sessions'>> {
  const [sales, listed] = await selecting(async (reading) => [
    await selectSales(reading, { businessId, customer: customerId }, { limit, now }),
    await selectSessions(reading, { ...ALL, businessId, customerId, now: businessNow }, { limit }),
  ])
  const [payments, sessions] = await Promise.all([
    findPaymentRows(db, businessId, sales.rows),
    findListedSessions(db, businessId, listed.rows),
  ])
  return {
    payments: { data: payments.map(paymentRow), has_more: sales.hasMore },
    sessions: { data: sessions.map((row) => sessionRow(row, businessNow)), has_more: listed.hasMore },
  }
}

const ALL = { from: null, to: null, customer: null, status: null, startingAt: null } satisfies Partial<SessionFilter>
