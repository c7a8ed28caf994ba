import { sql } from 'kysely'
import { firstIdAt, newId } from '../../server/lib/ids.ts'
import type { TestService } from './service.ts'

// Deliveries and events that are written without the API and the workers.

type Services = Pick<TestService, 'app' | 'demo'>

export interface DeliveryRow {
  endpoint_id: string
  status: string
  attempts: number
  retries: number
  due_at: unknown
  lease_epoch: number
  finished_at: Date | null
  ordered: boolean
}

/** Returns the deliveries of an event. */
export function deliveriesOf({ app, demo }: Services, eventId: string): Promise<DeliveryRow[]> {
  return app.services.db
    .selectFrom('webhook_delivery')
    .select(['endpoint_id', 'status', 'attempts', 'retries', 'due_at', 'lease_epoch', 'finished_at', 'ordered'])
    .where('business_id', '=', demo.business_id)
    .where('event_id', '=', eventId)
    .orderBy('endpoint_id')
    .execute()
}

/** Ends all deliveries of an event. */
export async function endDeliveries(
  { app, demo }: Services,
  eventId: string,
  status: 'succeeded' | 'failed' | 'canceled',
): Promise<void> {
  await app.services.db
    .updateTable('webhook_delivery')
    .set({ status, due_at: null, retries: 9, finished_at: new Date() })
    .where('business_id', '=', demo.business_id)
    .where('event_id', '=', eventId)
    .execute()
}

/** Records an event that is some days old, of a new object by default. */
export async function oldEvent(
  { app, demo }: Services,
  event: { days: number; type?: string; objectId?: string; sequence?: number; businessId?: string },
): Promise<string> {
  const { days, type = 'product.created', objectId = newId(), sequence = 1, businessId = demo.business_id } = event
  const created_at = new Date(Date.now() - days * 86_400_000)
  // Ids of the same millisecond differ in their random bits.
  const id = firstIdAt(created_at).slice(0, 19) + newId().slice(19)
  const data = JSON.stringify({ object: { id: objectId } })
  const row = { business_id: businessId, id, type, object_id: objectId, sequence, data, created_at }
  await app.services.db.insertInto('event').values(row).execute()
  return id
}

/** Records many events of one day. */
export async function oldEvents(
  { app, demo }: Services,
  { days, count }: { days: number; count: number },
): Promise<void> {
  const createdAt = new Date(Date.now() - days * 86_400_000)
  const prefix = firstIdAt(createdAt).slice(0, 19)
  await sql`insert into event (business_id, id, type, object_id, sequence, data, created_at)
    select ${demo.business_id}::uuid, (${prefix}::text || substr(gen_random_uuid()::text, 20))::uuid, 'product.created',
      gen_random_uuid(), 1, '{"object":{}}', ${createdAt}
    from generate_series(1, ${count}::int)`.execute(app.services.db)
}
