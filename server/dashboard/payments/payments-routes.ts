import { type PaymentFilters, PaymentsQuery } from '../../../contract/dashboard/payment-row.ts'
import { PaymentsExport } from '../../../contract/dashboard/payments-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { readList } from '../read-list.ts'
import { letterRoutes } from './letter-routes.ts'
import { operationRoutes } from './operation-routes.ts'
import { paymentDetail } from './payment-detail.ts'
import { PAYMENT_CELLS } from './payment-export.ts'
import { paymentFilter } from './payment-filter.ts'
import { paymentRow } from './payment-row.ts'
import { countPaymentRows, findPaymentRows, type StoredPaymentRow, selectSales } from './payment-row-queries.ts'
import { refundAndVoidRoutes } from './refund-void-routes.ts'
import { saleRoutes } from './sale-routes.ts'
import { paymentTimeline } from './timeline.ts'

type Services = ChargeServices & { makeRateLimiter: MakeRateLimiter; letterLimit: LetterLimit }

/**
 * Returns the routes of payments of all kinds: the list, its export, a payment with its history, and what moves money.
 */
export function paymentsRoutes(dashboard: DashboardRoutes, services: Services): Route[] {
  return [
    ...readRoutes(dashboard),
    ...refundAndVoidRoutes(dashboard, services),
    ...operationRoutes(dashboard, services),
    ...saleRoutes(dashboard, services),
    ...letterRoutes(dashboard, services),
  ]
}

function readRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.read('GET /payments', {
      permission: 'payments.read',
      query: PaymentsQuery,
      async handle({ member, query: { limit, starting_after, ending_before, ...filters } }) {
        const filter = paymentFilter(member.business, filters)
        const now = clock.now()
        const page = { limit, now, ...(starting_after && { starting_after }), ...(ending_before && { ending_before }) }
        const { page: rows, counted } = await readList(db, page, {
          filter: () => filter,
          select: (reading) => selectSales(reading, filter, page),
          count: (reading) => countPaymentRows(reading, filter, now),
          rows: (ids) => findPaymentRows(db, filter.businessId, ids),
        })
        return { body: dashboardList(rows, counted, paymentRow) }
      },
    }),
    dashboard.export('POST /payments/export', {
      permission: 'export.payments',
      list: 'payments',
      body: PaymentsExport,
      columns: PAYMENT_CELLS,
      count: ({ member, body }) =>
        boundedRead(db, (tx) => countPaymentRows(tx, paymentFilter(member.business, filtersOf(body)), clock.now())),
      async read({ member, body }, last: StoredPaymentRow | null, limit) {
        const filter = paymentFilter(member.business, filtersOf(body))
        const page = { limit, now: clock.now(), ...(last && { starting_after: last.operationId }) }
        const { rows: ids } = await boundedRead(db, (reading) => selectSales(reading, filter, page))
        return findPaymentRows(db, filter.businessId, ids)
      },
    }),
    dashboard.read('GET /payments/{id}', {
      permission: 'payments.read',
      handle: async ({ member, params }) => ({ body: await paymentDetail(db, member.business.id, params.id ?? '') }),
    }),
    dashboard.read('GET /payments/{id}/timeline', {
      permission: 'payments.read',
      handle: async ({ member, params }) => ({ body: await paymentTimeline(db, member.business.id, params.id ?? '') }),
    }),
  ]
}

function filtersOf({ columns: _columns, time_zone: _zone, ...filters }: PaymentFilters & Record<string, unknown>) {
  return filters
}
