import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { createApiKey } from '../../../server/access/keys/create-api-key.ts'
import { type App, createApp } from '../../../server/app/app.ts'
import { createBusiness } from '../../../server/businesses/create-business.ts'
import { type Config, readConfig } from '../../../server/config.ts'
import { transaction } from '../../../server/db/transaction.ts'
import { createJobs } from '../../../server/jobs/jobs.ts'
import { newId } from '../../../server/lib/ids.ts'
import { resolveJob } from '../../../server/payments/recovery/recovery-jobs.ts'
import { Secret } from '../../../server/vault/secret.ts'
import { createTestDatabase } from '../../support/database.ts'
import type { OutcomeName } from './gateway-outcomes.ts'
import { type SimClock, simClock } from './sim-clock.ts'
import { openSimGateway, type SimGateway } from './sim-gateway.ts'

// The real service in this process, on a separate database, with a clock that stands still and a gateway that follows a
// script.

export interface Shop {
  id: string
  zone: string
  key: string
  /** Time at which its batches are settled automatically; `null` leaves them to the merchant. */
  closesAt: string | null
  /** Whether the outcome of a settlement is unknown. */
  hasOpenSettlement: boolean
  afterLastRetry: 'keep' | 'pause' | 'cancel'
  /** Time at which bills are charged on their day, and how many missed ones are charged without a decision. */
  runsAt: string
  missedMax: number
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface World extends AsyncDisposable {
  app: App
  clock: SimClock
  gateway: SimGateway
  shops: Shop[]
  /** Returns the errors that the service has logged. */
  errors(): string[]
  call(shop: Shop, method: Method, path: string, body?: object): Promise<Called>
  /** Pays on the hosted page with a new card. @returns the text of the page */
  pay(token: string, card: number, amount: number): Promise<string>
  /** Creates a customer with a stored card. */
  addCustomer(
    shop: Shop,
    card: number,
    outcomes?: readonly OutcomeName[],
  ): Promise<{ customerId: string; cardId: string }>
  /** Stores another card of a customer. @returns its id */
  addCard(shop: Shop, customerId: string, card: number): Promise<string>
  addShop(zone: string, afterLastRetry: Shop['afterLastRetry']): Promise<Shop>
}

export interface Called {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads responses of any shape.
  body: any
}

export const ZONES: [string, Shop['afterLastRetry']][] = [
  ['America/Toronto', 'keep'],
  ['America/Vancouver', 'pause'],
  ['America/St_Johns', 'keep'],
  ['America/Phoenix', 'cancel'],
  ['Pacific/Auckland', 'keep'],
  ['UTC', 'keep'],
]

/** Run times by seed, so that each zone has each of them. Clocks of some zones show half past one twice a year. */
const RUNS_AT = ['00:00', '01:30', '00:00', '18:30', '03:15', '23:59']
const MISSED_MAX = [3, 3, 0, 12, 1, 3]

/** Closing times of the first shops. */
const CLOSES_AT = ['23:30', '02:30', '00:00']

/** Number of connections: each plans its statements itself, and one seed uses few at once. */
const CONNECTIONS = 4

const NO_SCRIPT = { file: 'none.js', integrity: '', code: Buffer.from('') }

export async function openWorld(seed: number, startMs: number): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await createTestDatabase())
  const clock = simClock(startMs)
  const gateway = await openSimGateway(seed, clock)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const config: Config = { ...readConfig({}), rateLimits: false, databaseConnections: CONNECTIONS }
  const app = createApp({
    config,
    databaseUrl: database.url,
    masterKeys: [Buffer.alloc(32, 7)],
    gateways: { simulator: gateway.gateway },
    page: { render: () => '', headers: () => ({}), assets: { ...NO_SCRIPT, wallet: NO_SCRIPT } },
    library: { current: [], released: [] },
    log,
    clock,
  })
  opened.defer(() => app.close())
  await createQueue(database.url, log)
  const shops: Shop[] = []
  for (const [index, [zone, afterLastRetry]] of ZONES.entries()) {
    const at = (index + seed) % ZONES.length
    const settings = { runsAt: RUNS_AT[at] ?? '00:00', missedMax: MISSED_MAX[at] ?? 3 }
    shops.push(await addShop(app, { zone, afterLastRetry, closesAt: CLOSES_AT[index] ?? null, ...settings }))
  }
  const all = opened.move()
  return {
    app,
    clock,
    gateway,
    shops,
    errors: () => lines.splice(0),
    call: (shop, method, path, body) => call(app, shop, method, path, body),
    pay: (token, card, amount) => pay(app, { clock, gateway }, { token, card, amount }),
    addCustomer: (shop, card, outcomes) => addCustomer(app, gateway, shop, { card, outcomes }),
    addCard: (shop, customerId, card) => addCard(app, gateway, shop, { customerId, card, outcomes: undefined }),
    addShop: (zone, afterLastRetry) =>
      addShop(app, { zone, afterLastRetry, closesAt: null, runsAt: '00:00', missedMax: 3 }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Creates the queue for recovery. Nothing runs by real time: the simulation runs it. */
async function createQueue(databaseUrl: string, log: FastifyBaseLogger): Promise<void> {
  const jobs = createJobs({ databaseUrl, preparedStatements: true, log })
  const { name } = resolveJob
  await jobs.start([
    { name, retries: { max: 0, delaySeconds: 60 }, timetable: null, pollSeconds: 60, run: async () => {} },
  ])
  await jobs.stop()
}

async function addShop(
  { services }: App,
  given: Pick<Shop, 'zone' | 'afterLastRetry' | 'closesAt' | 'runsAt' | 'missedMax'>,
): Promise<Shop> {
  const { zone, afterLastRetry, closesAt, runsAt, missedMax } = given
  const { db, keyring, clock } = services
  return transaction(db, async (tx) => {
    const context = { db: tx, keyring, clock, environment: 'staging' as const }
    const wanted = { name: zone, currency: 'USD', country: 'US', timeZone: zone } as const
    const { id } = await createBusiness(context, wanted)
    await tx
      .updateTable('business')
      .set({
        after_last_retry: afterLastRetry,
        batch_close_time: closesAt,
        billing_run_local_time: runsAt,
        missed_dates_max: missedMax,
      })
      .where('id', '=', id)
      .execute()
    const { key } = await createApiKey(context, { businessId: id, name: zone, allowedIps: ['127.0.0.1'] })
    return { ...given, id, key, hasOpenSettlement: false }
  })
}

async function call(app: App, shop: Shop, method: Method, path: string, body?: object): Promise<Called> {
  const response = await app.api.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${shop.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: response.statusCode, body: response.body === '' ? null : response.json() }
}

async function pay(
  { api }: App,
  { clock, gateway }: { clock: SimClock; gateway: SimGateway },
  { token, card, amount }: { token: string; card: number; amount: number },
): Promise<string> {
  const cardNumber = numberOf(card)
  gateway.addCard(cardNumber, card)
  const year = clock.now().getUTCFullYear() + 5
  const cardData = { cardNumber, month: '12', year, nameOnCard: 'Ana Roy', cvv: '123', saveCard: false }
  const address = { postalCode: '10001', line1: '1 Main Street' }
  const response = await api.inject({
    method: 'POST',
    url: `/api/checkout/${token}/pay`,
    headers: { 'content-type': 'application/json' },
    payload: { payment_method_type: 'new_card', amount: amount / 100, cardData: { ...cardData, address } },
  })
  const { ok, attempt_count: attempts, code } = response.json()
  return ok ? 'paid' : attempts === undefined ? code : 'declined'
}

async function addCustomer(
  app: App,
  gateway: SimGateway,
  shop: Shop,
  { card, outcomes }: { card: number; outcomes: readonly OutcomeName[] | undefined },
) {
  const { body } = await call(app, shop, 'POST', '/customers', { name: `Customer ${card}` })
  const customerId: string = body.id
  return { customerId, cardId: await addCard(app, gateway, shop, { customerId, card, outcomes }) }
}

async function addCard(
  app: App,
  gateway: SimGateway,
  shop: Shop,
  { customerId, card, outcomes }: { customerId: string; card: number; outcomes: readonly OutcomeName[] | undefined },
): Promise<string> {
  const { db, vault, clock } = app.services
  const number = numberOf(card)
  gateway.addCard(number, card, outcomes)
  const sealed = await vault.seal(shop.id, new Secret(number))
  const shared = { business_id: shop.id, id: sealed.id, created_at: clock.now() }
  const { fingerprint, fingerprint_key_id } = sealed
  await db
    .insertInto('stored_card')
    .values({
      ...shared,
      customer_id: customerId,
      brand: 'visa',
      first6: number.slice(0, 6),
      last4: number.slice(-4),
      exp_month: 12,
      exp_year: 2099,
      // The country and card with which a surcharge is allowed.
      billing_country: 'US',
      billing_state: 'NY',
      funding: 'credit',
      fingerprint,
      fingerprint_key_id,
      network_transaction_id: `NTI${newId().slice(0, 8)}`,
    })
    .execute()
  const { key_id, number_ciphertext } = sealed
  await db
    .insertInto('vault_card')
    .values({ ...shared, key_id, number_ciphertext, fingerprint, fingerprint_key_id })
    .execute()
  return sealed.id
}

/** Returns a Visa number of the simulator without special behaviour. */
function numberOf(card: number): string {
  const digits = `411112${String(card).padStart(9, '0')}`
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
