import type { SettlePreview } from '../../../contract/dashboard/batches-api.ts'
import type { Business } from '../../businesses/business.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import type { Batch } from '../../payments/batches/batch.ts'
import { lookAtBalance, lookAtOpenBatch } from '../../payments/batches/look-at-batch.ts'
import { summarize } from '../../payments/batches/member-queries.ts'
import { settleBatch } from '../../payments/batches/settle-batch.ts'
import type { SendingServices } from '../../payments/services.ts'
import { settlePreview } from './batch-view.ts'

/**
 * Previews what the gateway would settle now.
 *
 * @throws ApiError `batch_failed`; `conflict` while a settlement is under way
 * @see DSH-5
 */
export async function previewSettlement(
  services: SendingServices,
  business: Business,
  terminal: Terminal,
): Promise<SettlePreview> {
  const looked = await lookAtOpenBatch(services, business, terminal)
  if (looked.batch.status !== 'open') {
    throw new ApiError('conflict', { message: 'A settlement of this batch is under way. Wait for its outcome.' })
  }
  const totals = await lookAtBalance(services, terminal)
  return settlePreview(looked, totals, await summarize(services.db, looked.batch))
}

/**
 * Settles the open batch as its preview showed it. If it changed since, the call fails with a conflict that carries the
 * new preview.
 *
 * @throws ApiError what `settleBatch` throws
 * @see DSH-5, REF-15
 */
export async function settlePreviewed(
  services: SendingServices,
  { business, terminal, expectedNet }: { business: Business; terminal: Terminal; expectedNet: Cents },
): Promise<Batch> {
  try {
    return await settleBatch(services, { business, terminal, expectedNet })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    const preview = await previewSettlement(services, business, terminal).catch(() => null)
    throw preview ? new ApiError('conflict', { ...error.detail, extra: { preview } }) : error
  }
}
