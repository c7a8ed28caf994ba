import { PageQuery } from '../../../contract/list.ts'
import { listObject, type MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { type Route, route } from '../../http/route.ts'
import { paymentObject } from '../payment.ts'
import { type Batch, batchObject, noSuchBatch } from './batch.ts'
import { BATCH_DOCUMENTS as documents } from './batch-openapi.ts'
import { findBatch, listBatches, openFirstBatches } from './batch-queries.ts'
import { listBatchPayments, summarize } from './member-queries.ts'

/** Batch routes of docs/specification/refunds-voids-batches.md in the merchant API. */
export function batchRoutes({ db, clock, shared }: MerchantApi): Route[] {
  const shown = async (batch: Batch) => batchObject(batch, await summarize(db, batch))
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/batches',
      scope: 'batches:read',
      query: PageQuery,
      document: documents.list,
      async handle({ caller: { business }, query }) {
        await openFirstBatches(db, business.id, businessNow(clock, business))
        const { rows, hasMore } = await listBatches(db, business.id, query)
        const objects = []
        for (const batch of rows) objects.push(await shown(batch))
        return { body: listObject({ rows: objects, hasMore }, (object) => object) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/batches/{id}',
      scope: 'batches:read',
      document: documents.retrieve,
      async handle({ caller, params }) {
        return { body: await shown(await requireBatch(caller.business, params.id)) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/batches/{id}/payments',
      scope: 'batches:read',
      query: PageQuery,
      document: documents.listPayments,
      async handle({ caller, params, query }) {
        const batch = await requireBatch(caller.business, params.id)
        return { body: listObject(await listBatchPayments(db, batch, query), paymentObject) }
      },
    }),
  ]

  async function requireBatch({ id: businessId }: Business, id = ''): Promise<Batch> {
    const batch = await findBatch(db, businessId, id)
    if (!batch) throw noSuchBatch()
    return batch
  }
}
