// Initial rows of webhook benchmarks, inserted many at a time.
import pg from 'pg'
import { newWebhookSecret, sealWebhookSecret } from '../server/events/webhooks/webhook-secret.ts'
import { newId } from '../server/lib/ids.ts'
import { createKeyring } from '../server/lib/keyring.ts'

/** Master key, also of the service under test. */
export const BENCH_MASTER_KEY = Buffer.alloc(32, 7)
/** Number of rows that one statement inserts: a longer statement times out. */
const PORTION = 2_000
const keyring = createKeyring([BENCH_MASTER_KEY])

export async function withDatabase<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function insertEndpoint(client: pg.Client, businessId: string, url: string): Promise<string> {
  const id = newId()
  await client.query(
    `insert into webhook_endpoint (business_id, id, url, enabled_events, ordered, status, secret, created_at, updated_at)
    values ($1, $2, $3, '{*}', false, 'enabled', $4, $5, $5)`,
    [businessId, id, url, sealWebhookSecret(keyring, { businessId, id }, newWebhookSecret()), new Date()],
  )
  return id
}

/** Inserts events of two kilobytes, each waiting for its first attempt at one of the endpoints. */
export async function insertBacklog(
  client: pg.Client,
  endpoints: readonly { businessId: string; id: string }[],
  count: number,
): Promise<void> {
  const data = JSON.stringify({ object: { id: newId(), description: 'x'.repeat(2_000) } })
  const each = Math.ceil(count / endpoints.length)
  const portions = endpoints.flatMap(({ businessId, id }) =>
    Array.from({ length: Math.ceil(each / PORTION) }, (_, index) => ({
      businessId,
      id,
      rows: Math.min(PORTION, each - index * PORTION),
    })),
  )
  for (const { businessId, id, rows } of portions) {
    await client.query(
      `with recorded as (
        insert into event (business_id, id, type, object_id, sequence, data, created_at)
        select $1, gen_random_uuid(), 'product.created', gen_random_uuid(), 1, $4::jsonb, $5
        from generate_series(1, $3::integer) returning *
      )
      insert into webhook_delivery (business_id, event_id, endpoint_id, object_id, sequence, ordered, status, due_at)
      select business_id, id, $2, object_id, sequence, false, 'pending', '-infinity' from recorded`,
      [businessId, id, rows, data, new Date()],
    )
  }
  await client.query('analyze event, webhook_delivery, webhook_endpoint')
}
