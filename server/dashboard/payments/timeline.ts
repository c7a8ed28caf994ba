import type { PaymentTimeline, TimelineEntry } from '../../../contract/dashboard/timeline.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { isUuid, timeOfId } from '../../lib/ids.ts'
import { noSuchPayment } from '../../payments/refunds/begin-refund.ts'
import { saleOf } from './payment-row-queries.ts'
import { readTimeline, TIMELINE_MAX, type TimelineRow } from './timeline-queries.ts'

/** What an entry of the audit log says about the operation that it started. */
interface Begun {
  reason?: string
  note?: string
  /** Description of a sale. */
  description?: string
}

/**
 * Returns everything that happened to a payment, oldest first, and who started each operation.
 *
 * @param id id of the payment, or of its sale
 * @throws ApiError `not_found`
 */
export async function paymentTimeline(db: Db, businessId: string, id: string): Promise<PaymentTimeline> {
  const sale = isUuid(id) ? await saleOf(db, businessId, id) : undefined
  if (sale === undefined) throw noSuchPayment()
  const rows = await readTimeline(db, businessId, sale)
  const operations = new Set(rows.filter(({ type }) => type === 'operation').map((row) => row.id))
  const audits = rows.filter(({ type }) => type === 'audit')
  const begun = new Map(audits.map((row) => [row.data.began, row]))
  const data = rows
    .filter(({ type, data: { began } }) => type !== 'audit' || !operations.has(String(began)))
    .sort((one, other) => realTime(one) - realTime(other))
    .map((row) => entryOf(row, begun.get(row.id)))
  return { object: 'list', data, is_cut: audits.length >= TIMELINE_MAX || rows.length >= 2 * TIMELINE_MAX }
}

/** Returns the real time of an entry. Events and letters have the time of the business, which a test clock moves. */
const realTime = ({ type, id, at }: TimelineRow) => (type === 'delivery' ? at.getTime() : timeOfId(id))

function entryOf({ type, id, at, data }: TimelineRow, begun: TimelineRow | undefined): TimelineEntry {
  const { after: _after, began: _began, ...members } = data
  const entry = { ...members, type, id, at: epochSeconds(at) }
  if (type !== 'operation') return entry as unknown as TimelineEntry
  const { reason = null, description = null, note = description } = (begun?.data.after ?? {}) as Begun
  return {
    ...entry,
    by: begun?.data.by ?? null,
    audit_entry: begun?.id ?? null,
    reason,
    note,
  } as unknown as TimelineEntry
}
