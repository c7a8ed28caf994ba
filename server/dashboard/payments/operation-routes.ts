import { OperationsExport, OperationsQuery } from '../../../contract/dashboard/payments-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { isOpen } from '../../payments/operation.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { resolveNow } from '../../payments/recovery/resolve-operations.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { openOperation } from './open-operation.ts'
import { countOpenOperations, listOpenOperations } from './open-operations-queries.ts'
import { OPERATION_CELLS } from './operation-export.ts'

/** Returns the routes of operations without an outcome. */
export function operationRoutes(dashboard: DashboardRoutes, services: ChargeServices): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.read('GET /operations', {
      permission: 'payments.read',
      query: OperationsQuery,
      handle: ({ member: { business }, query }) =>
        boundedRead(db, async (tx) => {
          const now = clock.now()
          const page = await listOpenOperations(tx, { businessId: business.id, now }, query)
          return { body: dashboardList(page, await countOpenOperations(tx, business.id, now), openOperation) }
        }),
    }),
    dashboard.export('POST /operations/export', {
      permission: 'export.payments',
      list: 'operations',
      body: OperationsExport,
      columns: OPERATION_CELLS,
      count: ({ member }) => boundedRead(db, (tx) => countOpenOperations(tx, member.business.id, clock.now())),
      async read({ member: { business } }, last, limit) {
        const which = { businessId: business.id, now: clock.now() }
        const page = { limit, ...(last && { starting_after: last.id }) }
        return (await boundedRead(db, (tx) => listOpenOperations(tx, which, page))).rows
      },
    }),
    dashboard.once('POST /operations/{id}/inquire', {
      permission: 'payments.inquire',
      action: 'operation.inquire',
      asks: ({ params }) => ({ object: { type: 'operation', id: params.id ?? '' } }),
      handle: async ({ member, params }) => ({ body: await inquire(services, member.business.id, params.id ?? '') }),
    }),
  ]
}

/**
 * Inquires of the gateway about an operation, as recovery does. Nobody sets an outcome by hand.
 *
 * @throws ApiError `not_found`; `conflict` while its sender may still get a response
 */
async function inquire(services: ChargeServices, businessId: string, id: string) {
  const found = isUuid(id) ? await findOperation(services.db, businessId, id) : undefined
  if (!found) throw new ApiError('not_found', { message: 'No such operation' })
  const isInquired = await resolveNow(services, businessId, id)
  const { state } = (await findOperation(services.db, businessId, id)) ?? found
  const stillOpen = isOpen(state)
  if (!isInquired && stillOpen)
    throw new ApiError('conflict', { message: 'The gateway may still respond. Try again in a minute.' })
  return { id, object: 'operation' as const, is_open: stillOpen }
}
