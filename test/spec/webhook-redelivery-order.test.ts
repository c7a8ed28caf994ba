import { deepEqual, equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { REDELIVERIES_PER_HOUR } from '../../contract/webhook-delivery.ts'
import { REDELIVER_PORTION, redeliverAfter } from '../../server/events/webhooks/webhook-delivery-queries.ts'
import { firstIdAt } from '../../server/lib/ids.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// EVT-21: events are redelivered oldest first, whatever their order in the database.

const DAY_MS = 86_400_000

let service: TestService
let endpoint: string
before(async () => {
  service = await openService()
  callInProcess(service)
  const input = { url: 'https://shop.example/w', enabled_events: ['*'] }
  endpoint = (await merchantApiOf(service).made('/webhook_endpoints', input)).id
})
after(() => service.close())

/** Records events of one day, newest first in the table. @returns the ids, oldest first */
async function eventsInReverse(days: number, count: number): Promise<string[]> {
  const at = new Date(Date.now() - days * DAY_MS)
  const prefix = firstIdAt(at).slice(0, 24)
  const { rows } = await sql<{ id: string }>`insert into event
      (business_id, id, type, object_id, sequence, data, created_at)
    select ${service.demo.business_id}::uuid, (${prefix}::text || lpad(to_hex(n), 12, '0'))::uuid, 'product.created',
      gen_random_uuid(), 1, '{"object":{}}', ${at}
    from generate_series(${count}::int, 1, -1) n returning id`.execute(service.app.services.db)
  return rows.map(({ id }) => id).reverse()
}

/**
 * Redelivers without the indexes, whose order would be correct by chance: the database may choose such a plan at any
 * time.
 */
function redeliver(days: number, status: string) {
  const after = firstIdAt(new Date(Date.now() - days * DAY_MS - 60_000))
  const given = { businessId: service.demo.business_id, endpointId: endpoint, after, statuses: [status] }
  return service.app.services.db.transaction().execute(async (tx) => {
    await sql`set local enable_indexscan = off`.execute(tx)
    await sql`set local enable_indexonlyscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return redeliverAfter(tx, { ...given, limit: REDELIVERIES_PER_HOUR, at: new Date() })
  })
}

test('a request looks at the oldest events, and says after which one the next continues', async () => {
  const ids = await eventsInReverse(20, REDELIVER_PORTION + 50)
  const { scanned, lastEvent } = await redeliver(20, 'missing')
  deepEqual([scanned, lastEvent], [REDELIVER_PORTION, ids[REDELIVER_PORTION - 1]])
  const { rows } = await sql<{ id: string }>`select max(event_id::text) as id from webhook_delivery`.execute(
    service.app.services.db,
  )
  equal(rows[0]?.id, ids[REDELIVER_PORTION - 1])
})

test('deliveries are locked oldest first, so that two requests wait for each other', async () => {
  const [first = '', second = '', third = ''] = await eventsInReverse(2, 3)
  const { db } = service.app.services
  const business = service.demo.business_id
  await sql`insert into webhook_delivery
      (business_id, event_id, endpoint_id, object_id, sequence, ordered, status, finished_at)
    select business_id, id, ${endpoint}::uuid, object_id, sequence, false, 'failed', now() from event
    where business_id = ${business}::uuid and id in (${first}::uuid, ${second}::uuid, ${third}::uuid)
    order by id desc`.execute(db)
  await sql`analyze event, webhook_delivery`.execute(db)
  const byEvent = 'select event_id from webhook_delivery where event_id = any($1) for update'
  await using other = await holdLock(service, byEvent, [[second]])
  const redelivered = redeliver(2, 'failed')
  await untilAtLock(service)
  const free = await other.query<{ event_id: string }>(`${byEvent} skip locked`, [[first, third]])
  deepEqual(
    free.rows.map(({ event_id }) => event_id),
    [third],
  )
  await other.release()
  equal((await redelivered).deliveries, 3)
})
