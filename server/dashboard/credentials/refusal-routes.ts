import { type RefusalFilters, RefusalsExport, RefusalsQuery } from '../../../contract/dashboard/credentials-api.ts'
import type { REFUSAL_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import type { Business } from '../../businesses/business.ts'
import type { Db } from '../../db/connection.ts'
import { refusalText } from '../../http/openapi/refusal-texts.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dayRange } from '../day-range.ts'
import type { CsvCell } from '../export/csv.ts'
import { dashboardList } from '../list-object.ts'
import { refusalObject } from './credential-objects.ts'
import { countRefusals, type ListedRefusal, listRefusals, type WhichRefusals } from './refusal-queries.ts'

/** Returns the routes that list and export the refused calls of the merchant's servers. */
export function refusalRoutes(dashboard: DashboardRoutes, { db }: { db: Db }): Route[] {
  return [
    dashboard.read('GET /refusals', {
      permission: 'requests.read',
      query: RefusalsQuery,
      async handle({ member: { business }, query }) {
        const which = refusalFilter(business, query)
        const [page, counted] = await Promise.all([listRefusals(db, which, query), countRefusals(db, which)])
        return { body: dashboardList(page, counted, (row) => refusalObject(row, refusalText(row.code))) }
      },
    }),
    dashboard.export('POST /refusals/export', {
      permission: 'requests.read',
      list: 'refusals',
      body: RefusalsExport,
      columns: CELLS,
      count: ({ member: { business }, body }) => countRefusals(db, refusalFilter(business, body)),
      async read({ member: { business }, body }, after: ListedRefusal | null, limit) {
        const page = { limit, ...(after && { starting_after: after.id }) }
        return (await listRefusals(db, refusalFilter(business, body), page)).rows
      },
    }),
  ]
}

/** @throws ApiError `validation_failed` when the last day is before the first */
function refusalFilter(business: Business, query: RefusalFilters): WhichRefusals {
  const { code, credential: credentialId, ip } = query
  return { businessId: business.id, code, credentialId, ip, ...dayRange(query, business.timeZone) }
}

const CELLS: Record<(typeof REFUSAL_COLUMNS)[number], (refusal: ListedRefusal) => CsvCell> = {
  id: ({ id }) => id,
  time: ({ createdAt }) => createdAt,
  method: ({ method }) => method,
  path: ({ path }) => path,
  status: ({ status }) => status,
  code: ({ code }) => code,
  param: ({ param }) => param,
  credential_kind: ({ credentialKind }) => credentialKind,
  credential: ({ credentialId }) => credentialId,
  credential_name: ({ credentialName }) => credentialName,
  ip: ({ ip }) => ip,
  request_id: ({ requestId }) => requestId,
}
