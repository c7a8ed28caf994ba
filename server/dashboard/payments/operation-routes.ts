import type { Static } from 'typebox'
import { type DashboardSale, DashboardSaleBody, OperationsQuery } from '../../../contract/dashboard/payments-api.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Route } from '../../http/route.ts'
import { ApiError, type ErrorCode } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { type Cents, decimalFromCents } from '../../lib/money.ts'
import { isOpen } from '../../payments/operation.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { resolveNow } from '../../payments/recovery/resolve-operations.ts'
import type { ChargeServices } from '../../payments/services.ts'
import { chargeStoredCard } from '../../payments/stored-card-sale/charge-stored-card.ts'
import { knownResponse, readKey } from '../../payments/stored-card-sale/sale-request.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { openOperation } from './open-operation.ts'
import { countOpenOperations, listOpenOperations } from './open-operations-queries.ts'

/** Operations whose outcome is open, and new sales on stored cards. */
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
    dashboard.once('POST /operations/{id}/inquire', {
      permission: 'payments.inquire',
      action: 'operation.inquire',
      asks: ({ params }) => ({ object: { type: 'operation', id: params.id ?? '' } }),
      handle: async ({ member, params }) => ({ body: await inquire(services, member.business.id, params.id ?? '') }),
    }),
    dashboard.once('POST /sales', {
      permission: 'payments.sell',
      action: 'sale.create',
      body: DashboardSaleBody,
      asks: ({ body }, operation) => ({
        object: { type: 'customer', id: body.customer },
        after: { operation, ...body },
      }),
      async handle({ member: { business }, body }, key) {
        const order = { business, customerId: body.customer, body: saleOf(body), idempotencyKey: key }
        return { status: 201, body: await outcomeOf(chargeStoredCard(services, order), ['gateway_timeout']) }
      },
      async recover({ member: { business }, body }, key) {
        const request = readKey(key, { customerId: body.customer, body: saleOf(body), now: clock.now() })
        const known = knownResponse(services, business.id, request)
        const outcome = await outcomeOf(known, ['gateway_timeout', 'payment_in_progress'])
        return outcome && { status: 201, body: outcome }
      },
    }),
  ]
}

const saleOf = ({ amount, payment_method: cardId }: Static<typeof DashboardSaleBody>) => ({
  amount: decimalFromCents(amount as Cents),
  cardId,
})

/**
 * Nobody sets an outcome by hand: the gateway is inquired about it, as recovery does.
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

type Charged = Awaited<ReturnType<typeof knownResponse>>

/** @param unknown refusals that say that the outcome is being resolved; an approval that is found later is given back */
async function outcomeOf<Response extends Charged>(
  charged: Promise<Response>,
  unknown: readonly ErrorCode[],
): Promise<DashboardSale | (Response extends null ? null : never)> {
  try {
    const response = await charged
    if (response === null) return null as Response extends null ? null : never
    const { code, message, recordID: id } = response
    if (!response.ok) return { object: 'sale', status: 'failed', id, code, message, receipt_id: null }
    return { object: 'sale', status: 'succeeded', id, code, message, receipt_id: response.receiptID }
  } catch (error) {
    const isUnknown = error instanceof ApiError && unknown.includes(error.code) && error.detail.extra?.charged !== false
    if (!isUnknown) throw error
    return { object: 'sale', status: 'pending', id: null, code: null, message: error.message, receipt_id: null }
  }
}
