import {
  BatchesExport,
  BatchesQuery,
  BatchPaymentsQuery,
  type ListedBatch,
  SettleOrder,
  SettlePreviewOrder,
} from '../../../contract/dashboard/batches-api.ts'
import type { Business } from '../../businesses/business.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Route } from '../../http/route.ts'
import type { Cents } from '../../lib/money.ts'
import { type Batch, type BatchSummary, noSuchBatch } from '../../payments/batches/batch.ts'
import { terminalOf } from '../../payments/batches/batch-balance.ts'
import { findBatch } from '../../payments/batches/batch-queries.ts'
import { lookAtOpenBatch } from '../../payments/batches/look-at-batch.ts'
import { listBatchPayments, summarize } from '../../payments/batches/member-queries.ts'
import { sumReversals } from '../../payments/batches/reversal-queries.ts'
import { openBatch as findOrOpen } from '../../payments/batches/settle-batch.ts'
import { listFindings } from '../../payments/reconciliation/finding-queries.ts'
import type { SendingServices } from '../../payments/services.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dayRange } from '../day-range.ts'
import { dashboardList } from '../list-object.ts'
import { BATCH_CELLS } from './batch-cells.ts'
import {
  type BatchFilter,
  countBatches,
  findPayers,
  findSettledBy,
  listMatching,
  summarizeSettled,
} from './batch-list-queries.ts'
import { batchPayment, findingObject, listedBatch, openBatch } from './batch-view.ts'
import { previewSettlement, settlePreviewed } from './settle-open-batch.ts'

const FINDINGS_MAX = 100

/** Returns the routes of the batch pages. */
export function batchRoutes(dashboard: DashboardRoutes, services: SendingServices): Route[] {
  return [
    ...listRoutes(dashboard),
    ...findingRoutes(dashboard),
    ...openBatchRoutes(dashboard, services),
    ...oneBatchRoutes(dashboard),
  ]
}

function listRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /batches', {
      permission: 'batches.read',
      query: BatchesQuery,
      async handle({ member: { business }, query }) {
        const filter = filterOf(business, query)
        const [page, counted] = await Promise.all([listMatching(db, filter, query), countBatches(db, filter)])
        const shownOf = await shownBatches(db, business.id, page.rows)
        return { body: dashboardList(page, counted, shownOf) }
      },
    }),
    dashboard.export('POST /batches/export', {
      permission: 'export.payments',
      list: 'batches',
      body: BatchesExport,
      columns: BATCH_CELLS,
      count: ({ member, body }) => countBatches(db, filterOf(member.business, body)),
      async read({ member, body }, last, limit) {
        const page = { limit, ...(last && { starting_after: last.id }) }
        return (await listMatching(db, filterOf(member.business, body), page)).rows
      },
    }),
  ]
}

function findingRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /findings', {
      permission: 'batches.read',
      async handle({ member }) {
        const which = { businessId: member.business.id, withResolved: false, limit: FINDINGS_MAX }
        const data = (await listFindings(db, which)).map(findingObject)
        return { body: { object: 'list' as const, data } }
      },
    }),
  ]
}

function openBatchRoutes(dashboard: DashboardRoutes, services: SendingServices): Route[] {
  const { db, clock, gateways } = services
  return [
    dashboard.read('GET /batches/current', {
      permission: 'batches.read',
      async handle({ member: { business } }) {
        const terminals = await findTerminals(db, [business.id])
        const first = (currency: string) => (currency === business.currency ? 0 : 1)
        terminals.sort((a, b) => first(a.currency) - first(b.currency))
        const data = []
        for (const terminal of terminals) {
          const looked = await lookAtOpenBatch(services, business, terminal)
          const gatewaySettles = !gateways(terminal.gateway).capabilities.batches
          const summary = await summarize(db, looked.batch)
          data.push(openBatch(looked, summary, { business, clock, gatewaySettles }))
        }
        return { body: { object: 'list' as const, data } }
      },
    }),
    dashboard.preview('POST /batches/current/settle/preview', {
      permission: 'batches.settle',
      body: SettlePreviewOrder,
      async handle({ member: { business }, body }) {
        const terminal = await terminalOf(services, business, body.currency)
        return { body: await previewSettlement(services, business, terminal) }
      },
    }),
    settleRoute(dashboard, services),
  ]
}

function settleRoute(dashboard: DashboardRoutes, services: SendingServices): Route {
  const { db } = services
  return dashboard.once('POST /batches/current/settle', {
    permission: 'batches.settle',
    action: 'batch.settle',
    body: SettleOrder,
    async asks({ member: { business }, body }, settlement, tx) {
      const terminal = await terminalOf({ ...services, db: tx }, business, body.currency)
      const { id } = await findOrOpen({ ...services, db: tx }, business, terminal)
      return { object: { type: 'batch', id }, after: { settlement, ...body } }
    },
    async handle({ member: { business }, body }) {
      const terminal = await terminalOf(services, business, body.currency)
      const expectedNet = body.expected_net_amount as Cents
      const batch = await settlePreviewed(services, { business, terminal, expectedNet })
      return { body: await shown(db, batch) }
    },
    // Nothing is known of a batch that is not settled. The repeated call settles it, or says that a settlement is under
    // way.
    async recover({ member: { business } }, settlement) {
      const id = await findSettledBy(db, business.id, settlement)
      const batch = id ? await findBatch(db, business.id, id) : null
      return batch?.status === 'settled' ? { body: await shown(db, batch) } : null
    },
  })
}

function oneBatchRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /batches/{id}', {
      permission: 'batches.read',
      async handle({ member, params }) {
        const batch = await requireBatch(db, member.business.id, params.id)
        return { body: await shown(db, batch) }
      },
    }),
    dashboard.read('GET /batches/{id}/payments', {
      permission: 'batches.read',
      query: BatchPaymentsQuery,
      async handle({ member, params, query }) {
        const batch = await requireBatch(db, member.business.id, params.id)
        const [page, { totals }] = await Promise.all([listBatchPayments(db, batch, query), summarize(db, batch)])
        const ids = page.rows.map(({ id }) => id)
        const payers = await findPayers(db, member.business.id, ids)
        const counted = totals.salesCount + totals.voidsCount
        return { body: dashboardList(page, counted, (payment) => batchPayment(payment, payers.get(payment.id))) }
      },
    }),
  ]
}

async function requireBatch(db: Db, businessId: string, id = ''): Promise<Batch> {
  const batch = await findBatch(db, businessId, id)
  if (!batch) throw noSuchBatch()
  return batch
}

/** Reads the settled batches in one statement. At most one batch per terminal is not settled. */
async function shownBatches(db: Db, businessId: string, batches: readonly Batch[]) {
  const reversalsOf = await sumReversals(db, businessId, batches)
  const settled = await summarizeSettled(
    db,
    businessId,
    batches.filter(({ status }) => status === 'settled'),
  )
  const open = batches.filter(({ id }) => !settled.has(id))
  const all = new Map<string, BatchSummary>(settled)
  for (const batch of open) all.set(batch.id, await summarize(db, batch))
  return (batch: Batch): ListedBatch => {
    const summary = all.get(batch.id)
    if (!summary) throw new Error('a batch of the page was not summed')
    return listedBatch(batch, summary, reversalsOf(batch))
  }
}

async function shown(db: Db, batch: Batch): Promise<ListedBatch> {
  const reversalsOf = await sumReversals(db, batch.businessId, [batch])
  return listedBatch(batch, await summarize(db, batch), reversalsOf(batch))
}

/** @throws ApiError `validation_failed` when the last day is before the first */
function filterOf(
  { id: businessId, timeZone }: Business,
  query: Pick<BatchFilter, 'status' | 'currency'> & { settled_from?: string; settled_to?: string },
): BatchFilter {
  const { status, currency, settled_from: from, settled_to: to } = query
  const { since, until } = dayRange({ from, to }, timeZone, 'settled_')
  return {
    businessId,
    status,
    currency,
    settledFrom: since ?? undefined,
    settledBefore: until ?? undefined,
  }
}
