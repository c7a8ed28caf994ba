import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { openDb } from '../../test/support/pool.ts'
import { newId } from '../lib/ids.ts'
import type { OperationTrigger } from './operation.ts'
import { finalize, finalizeReversal } from './outcome-queries.ts'

// The list of payments uses `lost_code` to find sales that took no money.

test('each outcome without money has its code in the index of lost sales, and no other', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const db = openDb(database.url)
  const businessId = newId()
  const now = new Date()

  async function insert(state: string, kind = 'sale', parentId: string | null = null): Promise<string> {
    const id = newId()
    await client.query(
      `insert into operation (business_id, id, kind, state, owner_kind, owner_id, parent_id, merchant_ref, terminal_id,
         amount, currency, code, sent_at, deadline_at)
       values ($1, $2, $3, $4, 'session', $2, $5, $7, $1, 100, 'USD', $8, $6, $6)`,
      [businessId, id, kind, state, parentId, now, id, state === 'REVERSING' ? 'AA' : null],
    )
    return id
  }
  const finalized = async (trigger: OperationTrigger, code: string | null, kind?: string) => {
    const id = await insert('SENT', kind, kind ? newId() : null)
    await finalize(db, { businessId, operationId: id, epoch: 1, trigger, code, now })
    return codesOf(id)
  }
  const codesOf = async (id: string) =>
    (await client.query(`select state, code, lost_code from operation where id = $1`, [id])).rows[0]

  try {
    deepEqual(await finalized('approved', 'AA'), { state: 'APPROVED', code: 'AA', lost_code: null })
    deepEqual(await finalized('declined', 'ND'), { state: 'DECLINED', code: 'ND', lost_code: 'ND' })
    deepEqual(await finalized('found not charged', null), { state: 'NOT_CHARGED', code: null, lost_code: null })
    deepEqual(await finalized('declined', 'ND', 'refund'), { state: 'DECLINED', code: 'ND', lost_code: null })
    const sale = await insert('REVERSING')
    const reversal = await insert('SENT', 'reversal_void', sale)
    const outcome = { businessId, operationId: reversal, epoch: 1, trigger: 'approved' as const, code: 'AA', now }
    await finalizeReversal(db, outcome, { businessId, operationId: sale, now })
    deepEqual(await codesOf(sale), { state: 'REVERSED', code: 'AA', lost_code: 'AA' })
  } finally {
    await Promise.all([db.destroy(), client.end()])
  }
})
