import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { countBuffers } from '../../../test/support/buffers-read.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../lib/ids.ts'
import { findSettledBy } from './batch-list-queries.ts'

// 6,000 audit entries, one in a hundred of them about a settlement.
const ENTRIES = 6_000
const ENTRY = (n: string) => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))`

test('the batch of a settlement is found without reading the audit log', async () => {
  await using database = await createTestDatabase()
  await using buffers = await countBuffers(database.url)
  const { client, count } = buffers
  const businessId = newId()
  await client.query(
    `insert into audit_entry (business_id, number, id, created_at, actor_kind, action, object_type, object_id, after,
        outcome, hash)
      select $1, n, ${ENTRY('n')}::uuid, now(), 'person', case n % 100 when 0 then 'batch.settle' else 'product.update' end,
        'batch', 'batch ' || n, jsonb_build_object('settlement', ${ENTRY('n')}, 'currency', 'USD'), 'requested', ''
      from generate_series(1, ${ENTRIES}) n`,
    [businessId],
  )
  await client.query('vacuum analyze audit_entry')
  const settlement = '01900000-0000-7000-8000-000000000064'
  const find = (id: string) => async (db: Parameters<typeof findSettledBy>[0]) =>
    equal(await findSettledBy(db, businessId, id), id === settlement ? 'batch 100' : null)

  for (const id of [settlement, newId()]) {
    const read = await count(find(id))
    ok(read <= 6, `${read} buffers`)
  }
  const without = await count(find(newId()), 'audit_entry_settlement')
  ok(without > 100, `${without} buffers without the index`)
})
