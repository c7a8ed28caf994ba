import { pino } from 'pino'
import { createBusiness } from '../../server/businesses/create-business.ts'
import { connect } from '../../server/db/connection.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type DeliveryServices, deliveryTimings } from '../../server/events/delivery/delivery.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../../server/events/delivery/delivery-worker.ts'
import { newEvent } from '../../server/events/event.ts'
import { recordEvent } from '../../server/events/event-queries.ts'
import type { WebhookEndpoint } from '../../server/events/webhooks/webhook-endpoint.ts'
import { noFaults } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { createTestDatabase } from './database.ts'
import { movableClock } from './movable-clock.ts'
import { type MadeEndpoint, makeEndpoint } from './webhook-endpoint.ts'
import { WEBHOOK_MASTER_KEY } from './webhook-master-key.ts'

const SHOP = { name: 'Shop', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto' } as const

// biome-ignore lint/suspicious/noExplicitAny: a test reads rows of any shape.
type Row = any

/** Webhook workers on a database, without the rest of the service. They poll every 50 ms by default. */
export interface WebhookWorld extends AsyncDisposable {
  services: DeliveryServices
  businessId: string
  databaseUrl: string
  clock: ReturnType<typeof movableClock>
  /** Starts another worker; it is stopped when the world is closed. */
  start(changed?: Partial<DeliveryServices>): DeliveryWorker
  business(): Promise<string>
  endpoint(url: string, given?: Partial<WebhookEndpoint>): Promise<MadeEndpoint>
  /** Records events. @returns their ids; each event has its own object by default */
  record(count: number, given?: { businessId?: string; objectId?: string }): Promise<string[]>
  query(text: string, values?: unknown[]): Promise<Row[]>
  logged(): string
}

export async function openWebhookWorld(changed: Partial<DeliveryServices> = {}): Promise<WebhookWorld> {
  await using opened = new AsyncDisposableStack()
  const testDatabase = opened.use(await createTestDatabase())
  const database = connect({ url: testDatabase.url })
  opened.defer(() => database.close())
  const { db, pool } = database
  const clock = movableClock()
  const lines: string[] = []
  const services: DeliveryServices = {
    db,
    clock,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    keyring: createKeyring([WEBHOOK_MASTER_KEY]),
    environment: 'staging',
    subscriptionLink: null,
    faults: noFaults,
    timings: { ...deliveryTimings(1), pollMs: 50 },
    webhookTargets: { environment: 'staging', ownOrigins: [] },
    countDelivery: () => {},
    ...changed,
  }
  const business = async () => (await transaction(db, (tx) => createBusiness({ db: tx, clock }, SHOP))).id
  const businessId = await business()
  const all = opened.move()
  return {
    services,
    businessId,
    databaseUrl: testDatabase.url,
    clock,
    business,
    start(more) {
      const worker = createDeliveryWorker({ ...services, ...more })
      all.defer(() => worker.stop())
      worker.start()
      return worker
    },
    endpoint: (url, given) => makeEndpoint(services, { businessId, url, ...given }),
    async record(count, { businessId: owner = businessId, objectId } = {}) {
      const events = Array.from({ length: count }, () => {
        const id = objectId ?? newId()
        const data = { object: { id, name: 'Zoë 🌊' } }
        return newEvent({ businessId: owner, type: 'product.created', objectId: id, data, createdAt: clock.now() })
      })
      for (const event of events) await transaction(db, (tx) => recordEvent(tx, event))
      return events.map(({ id }) => id)
    },
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    logged: () => lines.join(''),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
