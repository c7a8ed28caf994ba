import type { SESSION_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import { SessionsExport } from '../../../contract/dashboard/sessions-api.ts'
import { businessNow } from '../../businesses/business.ts'
import { paymentStatus, statusAt } from '../../checkout/sessions/session.ts'
import { type ListedSession, listSessionPage, matching } from '../../checkout/sessions/session-list-queries.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import type { Cents } from '../../lib/money.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import { sessionFilter } from './session-filter.ts'

/** A session with its status at the time of the export. */
interface ExportedSession {
  session: ListedSession
  status: ListedSession['status']
}

/** Returns the route that exports the list of sessions. */
export function sessionExport(dashboard: DashboardRoutes): Route {
  const { db, clock } = dashboard
  return dashboard.export('POST /checkout_sessions/export', {
    permission: 'export.payments',
    list: 'checkout_sessions',
    body: SessionsExport,
    columns: COLUMNS,
    count: ({ member: { business }, body }) =>
      boundedRead(db, async (tx) => countUpTo(tx, matching(tx, await sessionFilter(tx, { business, clock }, body)))),
    read: ({ member: { business }, body }, after: ExportedSession | null, limit) =>
      boundedRead(db, async (tx) => {
        const page = { limit, ...(after && { starting_after: after.session.id }) }
        const { rows } = await listSessionPage(tx, await sessionFilter(tx, { business, clock }, body), page)
        const now = businessNow(clock, business)
        return rows.map((session) => {
          const { status, expires_at: expiresAt, payment_in_progress: isBeingPaid } = session
          return { session, status: statusAt({ status, expiresAt }, now, isBeingPaid) }
        })
      }),
  })
}

const COLUMNS: Record<(typeof SESSION_COLUMNS)[number], (row: ExportedSession) => CsvCell> = {
  id: ({ session }) => session.id,
  created: ({ session }) => session.created_at,
  status: ({ status }) => status,
  payment_status: ({ status }) => paymentStatus(status),
  amount_total: ({ session }) => ({ cents: session.amount_total as Cents }),
  currency: ({ session }) => session.currency,
  ui_mode: ({ session }) => session.ui_mode,
  mode: ({ session }) => session.mode,
  customer: ({ session }) => session.customer_id,
  customer_name: ({ session }) => session.customer_name,
  customer_email: ({ session }) => session.customer_email,
  reference: ({ session }) => session.client_reference_id,
  description: ({ session }) => session.description,
  attempts: ({ session }) => session.attempt_count,
  expires: ({ session }) => session.expires_at,
  completed: ({ session }) => session.completed_at,
}
