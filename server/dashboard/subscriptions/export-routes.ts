import type { SUBSCRIPTION_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import type { SubscriptionSummary } from '../../../contract/dashboard/subscription-views.ts'
import { SubscriptionExport } from '../../../contract/dashboard/subscriptions-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { priceIdsOf } from '../../catalog/price-queries.ts'
import type { Route } from '../../http/route.ts'
import { asOf } from '../../subscriptions/lifecycle/change-subscription.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import { listPassed } from '../../subscriptions/subscription-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import { countFiltered, listFiltered, type SubscriptionFilters, todayOf } from './subscription-list-queries.ts'
import { readSummaries } from './subscription-summary.ts'

interface ExportedSubscription {
  loaded: LoadedSubscription
  summary: SubscriptionSummary
}

/** Returns the route that exports the list of subscriptions. */
export function subscriptionExport(dashboard: DashboardRoutes): Route {
  const { db, clock } = dashboard
  const which = async (business: Business, filters: SubscriptionFilters) => {
    const now = businessNow(clock, business)
    const passed = await listPassed(db, business.id, now)
    const pricesOfProduct = filters.product === undefined ? [] : await priceIdsOf(db, business.id, filters.product)
    return { businessId: business.id, filters, passed, today: todayOf(business, now), pricesOfProduct }
  }
  return dashboard.export('POST /subscriptions/export', {
    permission: 'export.payments',
    list: 'subscriptions',
    body: SubscriptionExport,
    columns: COLUMNS,
    count: async ({ member: { business }, body }) => countFiltered(db, await which(business, body)),
    async read({ member: { business }, body }, after: ExportedSubscription | null, limit) {
      const page = { limit, ...(after && { starting_after: after.loaded.subscription.id }) }
      const { rows } = await listFiltered(db, await which(business, body), page)
      const now = businessNow(clock, business)
      const current = rows.map((one) => asOf(one, now))
      const summaryOf = await readSummaries(db, business.id, current)
      return current.map((loaded) => ({ loaded, summary: summaryOf(loaded) }))
    },
  })
}

const COLUMNS: Record<(typeof SUBSCRIPTION_COLUMNS)[number], (row: ExportedSubscription) => CsvCell> = {
  id: ({ loaded }) => loaded.subscription.id,
  created: ({ loaded }) => loaded.subscription.createdAt,
  customer: ({ loaded }) => loaded.subscription.customerId,
  customer_name: ({ summary }) => summary.customer.name,
  customer_email: ({ summary }) => summary.customer.email,
  what: ({ summary }) => summary.description,
  status: ({ summary }) => summary.status,
  frequency: ({ summary }) => summary.frequency.label,
  amount: ({ loaded }) => ({ cents: loaded.subscription.amount }),
  tax: ({ loaded }) => ({ cents: loaded.subscription.taxAmount }),
  surcharge: ({ loaded }) => ({ cents: loaded.subscription.surchargeAmount }),
  currency: ({ loaded }) => loaded.subscription.currency,
  paid_bills: ({ loaded }) => loaded.subscription.paidBills,
  installments: ({ loaded }) => loaded.subscription.installments,
  start_date: ({ loaded }) => dayCell(loaded.subscription.startDate),
  next_bill: ({ summary }) => dayCell(summary.next_billing_date),
  last_payment: ({ loaded }) => loaded.subscription.lastPaymentAt,
  last_failed: ({ loaded }) => loaded.subscription.lastFailedAttemptAt,
  card_brand: ({ summary }) => summary.card?.brand ?? null,
  card_last4: ({ summary }) => summary.card?.last4 ?? null,
  reference: ({ summary }) => summary.reference,
}

const dayCell = (day: string | null) => (day === null ? null : { day })
