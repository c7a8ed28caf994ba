import { CustomersExport } from '../../../contract/dashboard/customers-api.ts'
import type { CUSTOMER_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import { findLimits } from '../../access/members/limits-queries.ts'
import type { Route } from '../../http/route.ts'
import type { Cents } from '../../lib/money.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import { filterOf } from './customers-filter.ts'
import { countCustomers, type ListedCustomer, listCustomerPage, matchingCustomers } from './customers-queries.ts'

/** Returns the route that exports the list of customers. Many customers at once need step-up (DSH-34). */
export function exportRoute(dashboard: DashboardRoutes): Route {
  const { db } = dashboard
  return dashboard.export('POST /customers/export', {
    permission: 'export.customers',
    list: 'customers',
    body: CustomersExport,
    columns: COLUMNS,
    async stepUp({ member: { business }, body }) {
      const { customerExportRows: max } = await findLimits(db, business.id)
      const rows = await countUpTo(db, matchingCustomers(db, filterOf(business, body)), max)
      return rows > max ? 'customers.export' : null
    },
    count: ({ member: { business }, body }) => countCustomers(db, filterOf(business, body)),
    async read({ member: { business }, body }, after: ListedCustomer | null, limit) {
      const page = { limit, ...(after && { starting_after: after.id }) }
      return (await listCustomerPage(db, filterOf(business, body), page)).rows
    },
  })
}

const COLUMNS: Record<(typeof CUSTOMER_COLUMNS)[number], (customer: ListedCustomer) => CsvCell> = {
  id: ({ id }) => id,
  created: ({ created }) => new Date(created * 1000),
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  cards: ({ view }) => view.cards,
  active_subscriptions: ({ view }) => view.active_subscriptions,
  paid_cad: (customer) => paidIn(customer, 'CAD'),
  paid_usd: (customer) => paidIn(customer, 'USD'),
}

function paidIn({ view }: ListedCustomer, currency: 'CAD' | 'USD') {
  const paid = view.paid.find((one) => one.currency === currency)
  return paid ? { cents: paid.amount as Cents } : null
}
