import { sql } from 'kysely'
import { newId } from '../../../server/lib/ids.ts'
import type { Endpoint } from './endpoint.ts'
import type { Run } from './run.ts'
import type { Shop } from './world.ts'

// Webhook endpoints that merchants create, change, disable and delete while events are recorded, and the deliveries
// that each event must have: one for each endpoint that was enabled for its type when it was recorded (EVT-14, EVT-20,
// EVT-23).

const TYPES = ['payment.succeeded', 'payment.failed', 'subscription.updated', 'subscription.paused', 'batch.settled']
const ENDPOINTS_MAX = 3

/** @param meanwhile records events while the endpoint is changed */
export async function changeEndpoint(run: Run, meanwhile: (() => Promise<unknown>) | null = null): Promise<void> {
  const { random, world, webhooks, counts, trace } = run
  await auditDeliveries(run)
  const shop = random.pick(world.shops)
  const endpoints = webhooks.byShop.get(shop) ?? []
  webhooks.byShop.set(shop, endpoints)
  const live = endpoints.filter(({ isDeleted }) => !isDeleted)
  counts.endpointChanges += 1
  if (live.length === 0 || (live.length < ENDPOINTS_MAX && random.chance(0.3))) {
    await create(run, shop, endpoints)
    await meanwhile?.()
    return
  }
  const endpoint = random.pick(live)
  const verb = random.pick<Verb>(['types', 'status', 'status', 'delete', 'ping'])
  const before = { ...endpoint }
  const from = newId()
  const [status] = await Promise.all([VERBS[verb](run, shop, endpoint), meanwhile?.()])
  trace.note(`endpoint ${verb} ${status}`)
  if (before.isEnabled !== endpoint.isEnabled) endpoint.mayBeLeft = before.isEnabled && meanwhile !== null
  if (!before.isEnabled && endpoint.isEnabled) endpoint.enabledFrom = from
  if (meanwhile === null) return
  webhooks.racing = { endpoint, before }
  await auditDeliveries(run)
  webhooks.racing = null
}

const drawTypes = ({ random }: Run): string[] =>
  random.chance(0.4) ? ['*'] : TYPES.filter(() => random.chance(0.5)).concat('payment.refunded')

async function create(run: Run, shop: Shop, endpoints: Endpoint[]): Promise<void> {
  const types = drawTypes(run)
  const body = { url: 'https://hooks.shop.example/rialto', enabled_events: types, ordered: run.random.chance(0.3) }
  const { status, body: made } = await run.world.call(shop, 'POST', '/webhook_endpoints', body)
  if (status !== 201) throw new Error(`An endpoint was not made: ${JSON.stringify(made)}`)
  run.trace.note(`endpoint create ${types}`)
  endpoints.push({ id: made.id, types, isEnabled: true, isDeleted: false, enabledFrom: made.id, mayBeLeft: false })
}

type Verb = 'types' | 'status' | 'delete' | 'ping'

const VERBS: Record<Verb, (run: Run, shop: Shop, endpoint: Endpoint) => Promise<number>> = {
  async types(run, shop, endpoint) {
    endpoint.types = drawTypes(run)
    const body = { enabled_events: endpoint.types }
    return requireStatus(200, await run.world.call(shop, 'PATCH', `/webhook_endpoints/${endpoint.id}`, body))
  },
  async status({ world }, shop, endpoint) {
    endpoint.isEnabled = !endpoint.isEnabled
    const body = { status: endpoint.isEnabled ? 'enabled' : 'disabled' }
    return requireStatus(200, await world.call(shop, 'PATCH', `/webhook_endpoints/${endpoint.id}`, body))
  },
  async delete({ world }, shop, endpoint) {
    Object.assign(endpoint, { isEnabled: false, isDeleted: true })
    return requireStatus(200, await world.call(shop, 'DELETE', `/webhook_endpoints/${endpoint.id}`))
  },
  async ping({ world }, shop, { id, isEnabled }) {
    const expected = isEnabled ? 200 : 409
    return requireStatus(expected, await world.call(shop, 'POST', `/webhook_endpoints/${id}/test`))
  },
}

function requireStatus(expected: number, { status, body }: { status: number; body: unknown }): number {
  if (status !== expected) throw new Error(`An endpoint responds ${status}, not ${expected}: ${JSON.stringify(body)}`)
  return status
}

interface Recorded {
  id: string
  type: string
  businessId: string
  objectId: string
  endpoints: string[]
}

/** Compares the deliveries of the events since the last comparison with the endpoints of that time. */
export async function auditDeliveries(run: Run): Promise<void> {
  const { world, webhooks } = run
  const until = newId()
  const { rows } = await sql<Recorded>`
    select e.id, e.type, e.business_id as "businessId", e.object_id as "objectId",
      array(select d.endpoint_id::text from webhook_delivery d where d.business_id = e.business_id and d.event_id = e.id)
        as endpoints
    from event e where e.id > ${webhooks.comparedTo}::uuid`.execute(world.app.services.db)
  webhooks.comparedTo = until
  for (const row of rows) compareEvent(run, row)
  await auditWaiting(run)
}

function compareEvent({ world, webhooks }: Run, { id, type, businessId, objectId, endpoints }: Recorded): void {
  const shop = world.shops.find((one) => one.id === businessId)
  const made = (shop && webhooks.byShop.get(shop)) ?? []
  const { racing } = webhooks
  for (const endpoint of made) {
    const expected = type === 'ping' ? endpoint.id === objectId : receives(endpoint, type)
    const has = endpoints.includes(endpoint.id)
    if (racing?.endpoint === endpoint && has === receives(racing.before, type)) continue
    if (has !== expected) throw new Error(`EVT-14 ${type} ${id} ${has ? 'goes' : 'does not go'} to ${endpoint.id}`)
  }
  const foreign = endpoints.find((one) => made.every((endpoint) => endpoint.id !== one))
  if (foreign) throw new Error(`EVT-14 ${type} ${id} goes to ${foreign}`)
}

const receives = ({ isEnabled, types }: Endpoint, type: string) =>
  isEnabled && (types.includes('*') || types.includes(type))

/**
 * Asserts that pending deliveries of a disabled endpoint are canceled, and stay so when it is enabled again. Nothing is
 * delivered here.
 */
async function auditWaiting({ world, webhooks }: Run): Promise<void> {
  const { rows } = await sql<{ endpointId: string; status: string; first: string; last: string }>`
    select endpoint_id as "endpointId", status, min(event_id::text) as first, max(event_id::text) as last
    from webhook_delivery group by 1, 2`.execute(world.app.services.db)
  const all = [...webhooks.byShop.values()].flat()
  for (const { endpointId, status, first, last } of rows) {
    const endpoint = all.find(({ id }) => id === endpointId)
    if (!endpoint) throw new Error(`EVT-14 deliveries wait for an endpoint that nobody made: ${endpointId}`)
    const { isEnabled, enabledFrom, mayBeLeft } = endpoint
    if (status === 'pending' && !isEnabled && !mayBeLeft)
      throw new Error(`EVT-20 ${last} waits for ${endpointId}, which is disabled`)
    if (status === 'pending' && isEnabled && first < enabledFrom)
      throw new Error(`EVT-20 ${endpointId} is sent ${first}, from before it was enabled`)
    if (status === 'canceled' && isEnabled && last > enabledFrom)
      throw new Error(`EVT-20 ${last} of ${endpointId} is canceled, and it was enabled then`)
  }
}
