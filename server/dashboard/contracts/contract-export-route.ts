import { type ContractRow, ContractsExport } from '../../../contract/dashboard/contracts-api.ts'
import type { CONTRACT_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import { contractFilter, listContractPage, matchingContracts } from './contracts-queries.ts'

/** Returns the route that exports the list of contracts. */
export function contractExport(dashboard: DashboardRoutes): Route {
  const { db } = dashboard
  return dashboard.export('POST /contracts/export', {
    permission: 'export.customers',
    list: 'contracts',
    body: ContractsExport,
    columns: COLUMNS,
    count: ({ member: { business }, body }) =>
      boundedRead(db, (tx) => countUpTo(tx, matchingContracts(tx, contractFilter(business.id, body)))),
    async read({ member: { business }, body }, after: ContractRow | null, limit) {
      const page = { limit, ...(after && { starting_after: after.id }) }
      return (await boundedRead(db, (tx) => listContractPage(tx, contractFilter(business.id, body), page))).rows
    },
  })
}

const at = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))

const COLUMNS: Record<(typeof CONTRACT_COLUMNS)[number], (contract: ContractRow) => CsvCell> = {
  id: ({ id }) => id,
  created: ({ created }) => at(created),
  title: ({ title }) => title,
  status: ({ status }) => status,
  customer: ({ customer }) => customer.id,
  customer_name: ({ customer }) => customer.name,
  customer_email: ({ customer }) => customer.email,
  subscription: ({ subscription }) => subscription,
  is_awaited: (contract) => contract.is_awaited,
  sent: (contract) => at(contract.sent_at),
  signed: (contract) => at(contract.signed_at),
  voided: (contract) => at(contract.voided_at),
}
