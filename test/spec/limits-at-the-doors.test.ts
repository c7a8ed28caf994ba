import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newSecret } from '../../server/access/tokens/token.ts'
import { newId } from '../../server/lib/ids.ts'
import { DOORS, get, post, preflight, tally } from '../support/limited-doors.ts'
import { merchantOf, SESSION, send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// Which requests count for which limit, and before which checks. Each test has its own address.

const ORIGIN = 'https://shop.example'
const MALFORMED = ['x', 'a'.repeat(63), '~'.repeat(64), '+'.repeat(64), `${'a'.repeat(64)}0`]

let service: TestService
let book: pg.Client
let tokens: string[]
before(async () => {
  service = await openService({ rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } })
  callInProcess(service)
  book = new pg.Client({ connectionString: service.databaseUrl })
  await book.connect()
  tokens = await Promise.all(Array.from({ length: 8 }, () => merchantOf(service).sessionToken()))
})
after(async () => {
  await book.end()
  await service.close()
})

let addresses = 0
const nextAddress = () => `198.51.100.${++addresses}`
const rowCount = async () => (await book.query('select count(*)::int as rows from rate_limit')).rows[0].rows as number
const rowKeys = async (): Promise<string[]> =>
  (await book.query('select key from rate_limit')).rows.map(({ key }) => key)
/**
 * Counts further requests in the rows that are new, as if they had come with the last one. @returns the number of rows
 */
const countMore = async (requests: number, known: string[]): Promise<number | null> =>
  (
    await book.query(
      `update rate_limit set counted_at = counted_at || array_fill(counted_at[cardinality(counted_at)], array[$1::int])
       where key <> all($2)`,
      [requests, known],
    )
  ).rowCount
const madeUp = () => randomBytes(32).toString('hex')
const create = (token: string, body: object, path = '/checkout/create') =>
  post(`${service.url}/api/${service.demo.business_id}${path}`, body, {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    origin: ORIGIN,
    'sec-fetch-site': 'cross-site',
  })
const browserToken = async (input: object = {}) =>
  (await merchantOf(service).post('/browser-tokens', { origin: ORIGIN, ...input })).body.browser_token as string

describe('A malformed token is 404 before it is counted', () => {
  for (const [name, { call }] of Object.entries(DOORS)) {
    test(name, async () => {
      const before = await rowCount()
      for (const token of MALFORMED) equal((await call(service, token)(nextAddress())).status, 404, token)
      equal(await rowCount(), before)
    })
  }

  test('for the merchant’s server too, before anybody asks who it is', async () => {
    const before = await rowCount()
    const path = `${service.url}/api/${service.demo.business_id}/checkout`
    for (const token of MALFORMED) {
      equal((await get(`${path}/${token}/details`)(nextAddress())).status, 404)
      equal((await post(`${path}/${token}/cancel`, {})(nextAddress())).status, 404)
    }
    equal(await rowCount(), before)
  })
})

describe('Made-up tokens are counted for their address', () => {
  for (const [name, { call }] of Object.entries(DOORS)) {
    test(`${name}: 30 a minute, in one row`, async () => {
      const known = await rowKeys()
      const from = nextAddress()
      const first = await tally(1, from, () => call(service, madeUp()))
      equal(await countMore(27, known), 1, 'rows')
      const counts = await tally(4, from, () => call(service, madeUp()))
      deepEqual([first[429], counts[429], (counts[404] ?? 0) + (counts[422] ?? 0)], [undefined, 2, 2])
      equal((await rowKeys()).length, known.length + 1)
      ok((await call(service, madeUp())(nextAddress())).status !== 429, 'another address is not held up')
    })
  }

  test('over all paths together, and a caller with a real token can go on', async () => {
    const known = await rowKeys()
    const from = nextAddress()
    const calls = Object.values(DOORS)
    const call = (index: number) => calls[index % calls.length]?.call(service, madeUp()) as never
    equal((await tally(calls.length, from, call))[429], undefined)
    equal(await countMore(29 - calls.length, known), 1, 'rows')
    equal((await tally(3, from, call))[429], 2)
    equal((await DOORS.page?.call(service, tokens[0] ?? '')(from))?.status, 200)
    equal((await DOORS.data?.call(service, tokens[0] ?? '')(from))?.status, 200)
  })
})

describe('A limit for the address applies before the one for the token', () => {
  test('pay: who is over its own limit uses up nothing of a session', async () => {
    const from = nextAddress()
    const pay = (token: string) => DOORS.pay?.call(service, token) as never
    deepEqual(await tally(30, from, (index) => pay(tokens[index % 3] ?? '')), { 422: 30 })
    deepEqual(await tally(20, from, () => pay(tokens[3] ?? '')), { 429: 20 })
    deepEqual(await tally(11, nextAddress(), () => pay(tokens[3] ?? '')), { 422: 10, 429: 1 })
  })

  test('the page, validate, data and surcharge: 60 a minute together for a session and address', async () => {
    const from = nextAddress()
    const reads = Object.values(DOORS).filter(({ isRead }) => isRead)
    const call = (token: string) => (index: number) => reads[index % reads.length]?.call(service, token) as never
    const counts = await tally(62, from, call(tokens[4] ?? ''))
    equal(counts[429], 2, JSON.stringify(counts))
    equal((await DOORS.page?.call(service, tokens[4] ?? '')(nextAddress()))?.status, 200)
  })

  test('HEAD counts like GET', async () => {
    const from = nextAddress()
    const head = (url: string) => () => (address: string) =>
      send(url, { method: 'HEAD', headers: { 'x-forwarded-for': address } })
    const page = head(`${service.formUrl}/customer/checkout/${tokens[5]}`)
    deepEqual(await tally(62, from, page), { 200: 60, 429: 2 })
    deepEqual(await tally(32, nextAddress(), head(`${service.url}/api/checkout/${madeUp()}/data`)), { 404: 30, 429: 2 })
  })

  test('300 a minute for an address, whatever the sessions', async () => {
    const from = nextAddress()
    const call = (index: number) => DOORS.validate?.call(service, tokens[index % 8] ?? '') as never
    deepEqual(await tally(305, from, call), { 200: 300, 429: 5 })
  })
})

describe('A page with a browser token', () => {
  test('shuts out neither the merchant’s server nor other pages by what is refused', async () => {
    const token = await browserToken()
    const wrong = { ...SESSION, amount_total: -1 }
    const counts: Record<number, number> = {}
    for (let office = 0; office < 4; office++) {
      const some = await tally(20, nextAddress(), () => create(token, wrong))
      for (const [status, count] of Object.entries(some)) counts[Number(status)] = (counts[Number(status)] ?? 0) + count
    }
    deepEqual(counts, { 422: 80 })
    equal((await merchantOf(service).createSession()).status, 200)
    equal((await create(token, SESSION)(nextAddress())).status, 200)
  })

  test('is counted for its address first: 30 a minute', async () => {
    const token = await browserToken()
    deepEqual(await tally(35, nextAddress(), () => create(token, { ...SESSION, amount_total: -1 })), {
      422: 30,
      429: 5,
    })
    equal((await create(token, SESSION)(nextAddress())).status, 200)
  })

  test('a use that is refused costs the business nothing, not even in a race', async () => {
    const token = await browserToken()
    const from = nextAddress()
    const responses = await Promise.all(Array.from({ length: 25 }, () => create(token, SESSION)(from)))
    equal(responses.filter(({ status }) => status === 200).length, 1)
    equal(responses.filter(({ status }) => status === 401).length, 24)
  })
})

describe('Credentials that open nothing are counted for their address', () => {
  test('made-up access tokens and browser tokens: 60 a minute together; valid ones can go on', async () => {
    const from = nextAddress()
    const guess = (index: number) => create(newSecret(index % 2 ? 'rc_at_' : 'rc_bt_'), SESSION)
    deepEqual(await tally(65, from, guess), { 401: 60, 429: 5 })
    equal((await create(await browserToken(), SESSION)(from)).status, 200)
  })
})

describe('Paths without authentication are counted for the address', () => {
  /** All paths of a listener are counted together. */
  const floods = {
    'the API host': {
      'preflights of creates': () => preflight(`${service.url}/api/${newId()}/checkout/create`, ORIGIN),
      'preflights of the form': () => preflight(`${service.url}/api/checkout/${madeUp()}/pay`, service.formUrl),
      'unknown paths': () => get(`${service.url}/nothing`),
      'paths that cannot be decoded': () => get(`${service.url}/%zz`),
    },
    'the form host': {
      logos: () => get(`${service.formUrl}/logos/${newId()}`),
      'unknown paths': () => get(`${service.formUrl}/nothing`),
      'wrong methods': () => post(`${service.formUrl}/logos/${newId()}`, {}),
      assets: () => get(`${service.formUrl}/assets/form.test.js`),
    },
  }
  for (const [host, kinds] of Object.entries(floods)) {
    test(`of ${host}: 1,200 a minute of ${Object.keys(kinds).join(', ')}`, async () => {
      const from = nextAddress()
      const calls = Object.values(kinds)
      const flood = await tally(1_200, from, (index) => calls[index % calls.length]?.() as never)
      equal(flood[429], undefined, JSON.stringify(flood))
      // If one of them were not counted, or counted elsewhere, the others would still be let in.
      for (const [name, call] of Object.entries(kinds)) {
        equal((await call()(from)).status, 429, name)
        ok((await call()(nextAddress())).status !== 429, name)
      }
      equal((await get(`${service.url}/healthz`)(from)).status, 200, 'health is free, also for who is over the limit')
    })
  }
})

test('readiness is checked once a second, however often it is requested', async () => {
  let monotonicMs = 1_000
  const clock = { now: () => new Date(), monotonicMs: () => monotonicMs }
  await using starting = await openService({ clock })
  const isReady = async () => (await send(`${starting.url}/readyz`)).status === 200
  equal(await isReady(), false)
  await starting.app.startWorker()
  equal(await isReady(), false, 'what was found holds for a second')
  monotonicMs += 1_000
  equal(await isReady(), true)
})
