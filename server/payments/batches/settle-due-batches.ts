import { type Business, businessNow } from '../../businesses/business.ts'
import { listClosingDaily } from '../../businesses/business-queries.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { SendingServices } from '../services.ts'
import { noteEmptyAtClose } from './batch-queries.ts'
import { lastClose } from './daily-close.ts'
import { openBatch, settleBatch } from './settle-batch.ts'

/** A failed settlement is not repeated earlier than this. */
const REPEAT_AFTER_SECONDS = 1_800

/**
 * Settles the batches whose daily close has passed. A batch that is empty at its close stays open until the next day.
 *
 * @param scope limits this to one business; all businesses by default
 * @see REF-17
 */
export async function settleDueBatches(services: SendingServices, scope: { businessId?: string } = {}): Promise<void> {
  for (const business of await listClosingDaily(services.db)) {
    if (scope.businessId !== undefined && scope.businessId !== business.id) continue
    for (const terminal of await findTerminals(services.db, [business.id])) {
      await settleIfDue(services, business, terminal).catch((error: unknown) =>
        services.log.error({ err: error, terminal: terminal.id }, 'the daily settlement of a terminal failed'),
      )
    }
  }
}

async function settleIfDue(services: SendingServices, business: Business, terminal: Terminal): Promise<void> {
  const { clock } = services
  const { batchCloseTime, timeZone } = business
  if (batchCloseTime === null || !services.gateways(terminal.gateway).capabilities.batches) return
  const close = lastClose(batchCloseTime, timeZone, businessNow(clock, business))
  const batch = await openBatch(services, business, terminal)
  if (batch.status !== 'open' || (batch.closeCheckedAt ?? batch.createdAt) >= close) return
  if (batch.failedAt !== null && clock.now() < addSeconds(batch.failedAt, REPEAT_AFTER_SECONDS)) return
  try {
    await settleBatch(services, { business, terminal, expectedNet: null })
  } catch (error) {
    if (!isEmpty(error)) throw error
    await noteEmptyAtClose(services.db, batch, close)
  }
}

function isEmpty(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const gateway = Object(error.detail.extra?.gateway)
  return error.code === 'batch_failed' && gateway.code === 'batch_empty'
}
