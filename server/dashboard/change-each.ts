import type { Static, TSchema } from 'typebox'
import type { BulkFailure, BulkResult } from '../../contract/dashboard/bulk.ts'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import type { foreignGuard } from '../access/sessions/member-access.ts'
import type { AuditEntry } from '../audit/audit.ts'
import { recordAudit } from '../audit/audit-queries.ts'
import type { Db } from '../db/connection.ts'
import { savepoint, type Tx } from '../db/transaction.ts'
import type { Reply } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { DashboardCall } from './dashboard-call.ts'
import type { Bulk, BulkChange, BulkItem } from './defined-routes.ts'
import { onceRequestOf, writeOnce } from './once.ts'

interface BulkServices {
  db: Db
  clock: Clock
  keyring: Keyring
  guardForeign: ReturnType<typeof foreignGuard>
}

/** Handles a call that changes several objects. A repeated call changes nothing, and gets the first response. */
export async function changeEachOnce<Name extends EndpointName, Body extends TSchema, Item extends BulkItem>(
  { db, clock, keyring, guardForeign }: BulkServices,
  { name, definition, call }: { name: Name; definition: Bulk<Name, Body, Item>; call: DashboardCall<Static<Body>> },
): Promise<Reply> {
  const { action, type, items, check, change } = definition
  const { business, actor } = call.member
  const now = clock.now()
  const entry = { businessId: business.id, actor, action }
  let failed: BulkFailure[] = []
  const reply = await writeOnce({ db, now }, onceRequestOf(keyring, name, call), {
    async work(tx) {
      await check?.(call, tx)
      const one = { entry, type, now, items: items(call.body), change: (item: Item) => change(call, item, tx) }
      const body = await changeEach(tx, one)
      failed = body.failed
      return { body }
    },
    kept: ({ body }) => body,
  })
  for (const { id, code } of failed)
    if (code === 'resource_missing')
      await guardForeign(call.member, { action, object: { type, id } }, missing).catch(() => {})
  return reply
}

/** Refuses an object that the business does not have. The refusal is audited after the other changes are committed. */
const missing = () => Promise.reject(new ApiError('not_found', { message: 'No such object' }))

interface ChangeEach<Item extends BulkItem, Done> {
  items: readonly Item[]
  change(item: Item): Promise<BulkChange<Done>>
  /** Members that the audit rows of all objects share. */
  entry: Pick<AuditEntry, 'businessId' | 'actor' | 'action'>
  /** Type of the objects in the audit log. */
  type: string
  now: Date
}

/**
 * Changes each object and writes its audit row, in one transaction. A refused object does not stop the others; any
 * other error fails the whole call.
 *
 * @see DSH-37
 */
async function changeEach<Item extends BulkItem, Done extends BulkItem>(
  tx: Tx,
  { items, change, entry, type, now }: ChangeEach<Item, Done>,
): Promise<BulkResult<Done>> {
  const changes: (BulkChange<Done> & { id: string })[] = []
  const failed: BulkFailure[] = []
  // Always in the same order, so that two calls about the same objects wait for each other without a deadlock.
  for (const item of items.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    try {
      changes.push({ id: item.id, ...(await savepoint(tx, () => change(item))) })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      failed.push({ id: item.id, code: error.v1[1], message: error.message })
    }
  }
  // Last, because the first row locks the end of the log.
  for (const { id, before = null, after = null } of changes)
    await recordAudit(tx, { ...entry, object: { type, id }, before, after, outcome: 'done' }, now)
  return { object: 'bulk_result', done: changes.map(({ done }) => done), failed }
}
