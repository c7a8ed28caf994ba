import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { REDELIVERIES_PER_HOUR } from '../../contract/webhook-delivery.ts'
import { transaction } from '../../server/db/transaction.ts'
import { deleteEventsBeyondRetention } from '../../server/events/webhooks/delete-old-events.ts'
import { countRedelivered, readBudgets, requireBudget } from '../../server/events/webhooks/redelivery-budget.ts'
import { lockEndpoint } from '../../server/events/webhooks/webhook-endpoint-queries.ts'
import { addSeconds } from '../../server/lib/clock.ts'
import { ApiError } from '../../server/lib/errors.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import type { Response } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { type StillClock, stillClock } from '../support/still-clock.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { oldEvent, oldEvents } from '../support/webhook-rows.ts'

// EVT-143: an endpoint has a limited number of redeliveries in an hour, however they are requested.

const START = new Date(Math.floor(Date.now() / 60_000) * 60_000)
const HOUR_MS = 3_600_000

let clock: StillClock
let service: TestService
let other: TestService
let events: string[]
before(async () => {
  clock = stillClock(START.toISOString())
  service = await openService({ clock })
  callInProcess(service)
  other = await openService({ clock, beside: service })
  const made = []
  for (let index = 0; index < 4; index++) made.push(await oldEvent(service, { days: 1 }))
  events = made.sort()
})
after(async () => {
  await other.close()
  await service.close()
})

const db = () => service.app.services.db
/** Calls with a new session, because a session ends while the clock moves. */
const call = async (name: string, options: Parameters<DashboardClient['call']>[1]) =>
  (await signIn(service, { isSteppedUp: true })).call(name, options)
const endpointOf = async (): Promise<string> => {
  // A business has at most ten.
  await db().updateTable('webhook_endpoint').set({ deleted_at: START }).execute()
  const { id } = await makeEndpoint(service.app.services, {
    businessId: service.demo.business_id,
    url: 'https://shop.example/w',
  })
  return id
}
const given = (id: string) => ({ businessId: service.demo.business_id, endpointIds: [id], at: clock.now() })
const leftOf = async (id: string) => (await readBudgets(db(), given(id)))[0]?.left
const use = (id: string, deliveries: number) =>
  transaction(db(), (tx) => countRedelivered(tx, { ...given(id), deliveries }))
const deliveriesTo = (id: string) =>
  db().selectFrom('webhook_delivery').select('event_id').where('endpoint_id', '=', id).execute()

/** Every way to redeliver, by its route, with the number of requested deliveries. */
const WAYS: Record<string, { wanted: number; call(id: string, on?: TestService): Promise<Response> }> = {
  'POST /api/v1/webhook_endpoints/{id}/test': {
    wanted: 1,
    call: (id, on = service) => merchantApiOf(on).post(`/webhook_endpoints/${id}/test`),
  },
  'POST /api/v1/webhook_endpoints/{id}/redeliver': {
    wanted: 4,
    call: (id, on = service) =>
      merchantApiOf(on).post(`/webhook_endpoints/${id}/redeliver`, { since: 0, status: ['missing', 'failed'] }),
  },
  'POST /api/v1/events/{id}/redeliver': {
    wanted: 1,
    call: (_id, on = service) => merchantApiOf(on).post(`/events/${events[0]}/redeliver`),
  },
  'POST /webhook_endpoints/{id}/test': {
    wanted: 1,
    call: (id, on = service) => call(`POST /webhook_endpoints/${id}/test`, { on }),
  },
  'POST /webhook_endpoints/{id}/redeliver': {
    wanted: 4,
    call: (id, on = service) => call(`POST /webhook_endpoints/${id}/redeliver`, { body: { since: 0 }, on }),
  },
  'POST /webhook_endpoints/{id}/deliveries/redeliver': {
    wanted: 4,
    call: (id, on = service) =>
      call(`POST /webhook_endpoints/${id}/deliveries/redeliver`, { body: { events }, key: newId(), on }),
  },
  'POST /events/{id}/redeliver': {
    wanted: 1,
    call: (id, on = service) => call(`POST /events/${events[0]}/redeliver`, { body: { webhook_endpoint: id }, on }),
  },
}

describe('The budget of redeliveries', () => {
  test('is that of every route that redelivers', () => {
    const routes = service.app.routes
      .filter(({ method, path }) => method === 'POST' && /redeliver$|webhook_endpoints\/\{id\}\/test$/.test(path))
      .map(({ method, path }) => `${method} ${path.replace(/^\/dashboard\/api\/b\/\{business_id\}/, '')}`)
    deepEqual(routes.sort(), Object.keys(WAYS).sort())
  })

  for (const [name, { wanted, call: ask }] of Object.entries(WAYS)) {
    test(`counts what is asked for by ${name}`, async () => {
      const id = await endpointOf()
      const response = await ask(id)
      equal(response.status, 200, JSON.stringify(response.body))
      equal(await leftOf(id), REDELIVERIES_PER_HOUR - wanted)
    })

    test(`refuses with nothing done, says how long, and then allows it: ${name}`, async () => {
      const id = await endpointOf()
      clock.advance(17)
      await use(id, REDELIVERIES_PER_HOUR)
      clock.advance(120)
      const before = await deliveriesTo(id)
      const response = await ask(id)
      equal(response.status, 429, JSON.stringify(response.body))
      const wait = Number(response.headers.get('retry-after'))
      match(response.body.error.message, new RegExp(`has 0 left. Try again in ${wait} seconds`))
      if (name.includes('/api/v1/')) assertMerchantRefused(response, 429, 'rate_limit_exceeded', null)
      else deepEqual([response.body.error.retry_after, response.body.error.redeliveries_left], [wait, 0])
      deepEqual([await deliveriesTo(id), await leftOf(id)], [before, 0])
      clock.advance(wait - 1)
      equal((await ask(id)).status, 429)
      clock.advance(1)
      equal((await ask(id)).status, 200)
    })

    test(`holds for parallel calls in two processes: ${name}`, async () => {
      const id = await endpointOf()
      await use(id, REDELIVERIES_PER_HOUR - wanted)
      const responses = await Promise.all([1, 2, 3, 4].flatMap(() => [ask(id), ask(id, other)]))
      const statuses = responses.map(({ status }) => status)
      // A range without further events to redeliver is complete.
      ok(
        statuses.every((status) => [200, 429].includes(status)),
        `${statuses}`,
      )
      if (wanted === 1) equal(statuses.filter((status) => status === 200).length, 1)
      equal(await leftOf(id), 0)
    })
  }

  test('is not touched by what an event makes by itself', async () => {
    const id = await endpointOf()
    await merchantApiOf(service).made('/products', { name: 'Gold' })
    deepEqual([(await deliveriesTo(id)).length, await leftOf(id)], [1, REDELIVERIES_PER_HOUR])
  })

  test('of one endpoint leaves another one its own, but an event goes to all or to none', async () => {
    const id = await endpointOf()
    const { id: free } = await makeEndpoint(service.app.services, {
      businessId: service.demo.business_id,
      url: 'https://shop.example/free',
    })
    await use(id, REDELIVERIES_PER_HOUR)
    const all = await merchantApiOf(service).post(`/events/${events[0]}/redeliver`)
    deepEqual([all.status, all.body.error.message.includes(id)], [429, true])
    equal(await leftOf(free), REDELIVERIES_PER_HOUR)
    const one = await merchantApiOf(service).post(`/events/${events[0]}/redeliver`, { webhook_endpoint: free })
    deepEqual([one.body.deliveries, await leftOf(free)], [1, REDELIVERIES_PER_HOUR - 1])
  })

  test('cuts a range where it ends, and the next hour continues', async () => {
    const id = await endpointOf()
    await oldEvents(service, { days: 2, count: 6_000 })
    await use(id, REDELIVERIES_PER_HOUR - 5_500)
    const range = (after?: string) =>
      merchantApiOf(service).post(`/webhook_endpoints/${id}/redeliver`, {
        since: 0,
        ...(after && { starting_after: after }),
      })
    const { body: first } = await range()
    deepEqual([first.deliveries, first.has_more, first.remaining], [5_500, true, 0])
    equal((await range(first.last_event)).status, 429)
    clock.advance(first.retry_after)
    const { body: next } = await range(first.last_event)
    deepEqual([next.has_more, next.retry_after], [false, null])
    const { count } = await db()
      .selectFrom('event')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('type', '<>', 'ping')
      .executeTakeFirstOrThrow()
    equal((await deliveriesTo(id)).length, Number(count))
    equal(next.remaining, REDELIVERIES_PER_HOUR - next.deliveries)
  })

  test('of several deliveries is said in the preview, and refuses more than are left as a whole', async () => {
    const id = await endpointOf()
    await use(id, REDELIVERIES_PER_HOUR - 3)
    const path = `POST /webhook_endpoints/${id}`
    const { body: preview } = await call(`${path}/redeliver/preview`, { body: { since: 0 } })
    deepEqual([preview.remaining, preview.retry_after], [3, null])
    const refused = await call(`${path}/deliveries/redeliver`, { body: { events }, key: newId() })
    deepEqual([refused.status, refused.body.error.redeliveries_left], [429, 3])
    const fits = await call(`${path}/deliveries/redeliver`, { body: { events: events.slice(1) }, key: newId() })
    deepEqual([fits.body.done.length, await leftOf(id)], [3, 0])
  })

  test('forgets what counts no more, and keeps the rest', async () => {
    const id = await endpointOf()
    await use(id, 1)
    clock.advance(3_700)
    await use(id, 2)
    await deleteEventsBeyondRetention({ db: db(), clock, eventDays: 30 })
    const rows = await db().selectFrom('webhook_redelivery').select('deliveries').execute()
    deepEqual([rows, await leftOf(id)], [[{ deliveries: 2 }], REDELIVERIES_PER_HOUR - 2])
  })
})

describe('Whatever is asked for, and however the clock moves', () => {
  const SECONDS = fc.oneof(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: -7_200, max: 7_200 }),
    fc.constantFrom(59, 60, 3_540, 3_599, 3_600, 3_601, 3_660),
  )
  const WANTED = fc.oneof(fc.integer({ min: 1, max: REDELIVERIES_PER_HOUR }), fc.constantFrom(1, 100, 5_000))

  test('no hour has more than the budget, and a refused call is allowed when it was said to be', async () => {
    const ask = (id: string, wanted: number) =>
      transaction(db(), async (tx) => {
        await lockEndpoint(tx, service.demo.business_id, id)
        await requireBudget(tx, { ...given(id), wanted })
        await countRedelivered(tx, { ...given(id), deliveries: wanted })
        return null
      }).catch((error) => {
        if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
        return Number(error.detail.headers?.['retry-after'])
      })
    const steps = fc.array(fc.tuple(SECONDS, WANTED), { minLength: 1, maxLength: 25 })
    let refusals = 0
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        clock.set(addSeconds(START, 30))
        const id = await endpointOf()
        const done: { atMs: number; wanted: number }[] = []
        for (const [seconds, wanted] of calls) {
          clock.advance(seconds)
          const wait = await ask(id, wanted)
          if (wait === null) done.push({ atMs: clock.now().getTime(), wanted })
          else refusals++
          // A clock that was set back finds counts from its future.
          const isForwards = calls.every(([moved]) => moved >= 0)
          if (wait !== null && isForwards) {
            clock.advance(wait - 1)
            ok((await ask(id, wanted)) !== null, 'refused until then')
            clock.advance(1)
            equal(await ask(id, wanted), null, 'allowed then')
            done.push({ atMs: clock.now().getTime(), wanted })
          }
        }
        for (const { atMs } of done) {
          const within = done.filter((one) => one.atMs >= atMs && one.atMs < atMs + HOUR_MS)
          ok(within.reduce((sum, { wanted }) => sum + wanted, 0) <= REDELIVERIES_PER_HOUR, JSON.stringify(done))
        }
      }),
      { numRuns: 100 },
    )
    ok(refusals > 100, `${refusals}`)
  })
})
