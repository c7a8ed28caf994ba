import { BatchBalanceQuery, BatchSettle } from '../../../contract/batch.ts'
import type { BearerCaller } from '../../access/tokens/token.ts'
import { CHECKOUT_API } from '../../http/family.ts'
import { type Access, type Limit, type Route, route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import { type Cents, centsFromSum } from '../../lib/money.ts'
import type { SendingServices } from '../services.ts'
import { checkoutBatch } from './batch.ts'
import { batchBalance, terminalOf } from './batch-balance.ts'
import { BATCH_DOCUMENTS as documents } from './batch-openapi.ts'
import { summarize } from './member-queries.ts'
import { settleBatch } from './settle-batch.ts'

export interface OpenBatchRouteServices extends SendingServices {
  bearer: Access<BearerCaller>
  /** 60 requests a minute per business, over all its paths (ACC-25). */
  limits: Limit<Pick<BearerCaller, 'business'>>[]
}

/** Routes of the checkout API for the balance and the settlement of the open batch. */
export function openBatchRoutes(services: OpenBatchRouteServices): Route[] {
  const shared = { family: CHECKOUT_API, access: services.bearer, limits: services.limits }
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/{business_id}/batch/balance',
      scope: 'batches:read',
      query: BatchBalanceQuery,
      document: documents.balance,
      async handle({ caller: { business }, query }) {
        const terminal = await terminalOf(services, business, query.currency)
        const { batch, totals, summary } = await batchBalance(services, business, terminal)
        return { body: { ok: true, message: 'The open batch', batch: checkoutBatch(batch, totals, summary) } }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/{business_id}/batch/settle',
      scope: 'settle',
      body: BatchSettle,
      document: documents.settle,
      async handle({ caller: { business }, body }) {
        const terminal = await terminalOf(services, business, body.currency)
        const expectedNet = readSum(body.expected_net_amount)
        const batch = await settleBatch(services, { business, terminal, expectedNet })
        const summary = await summarize(services.db, batch)
        const shown = checkoutBatch(batch, batch.totals ?? summary.totals, summary)
        return { body: { ok: true, message: 'The batch is settled', batch: shown } }
      },
    }),
  ]
}

function readSum(sum: number | undefined): Cents | null {
  if (sum === undefined) return null
  const cents = centsFromSum(sum)
  if (cents === null) throw invalidField('expected_net_amount', 'must be an amount with at most two decimals')
  return cents
}
