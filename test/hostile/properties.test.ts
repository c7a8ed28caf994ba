import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../server/lib/ids.ts'
import { cpuMs } from '../support/cpu-time.ts'
import type { BodyRoute } from '../support/hostile-route.ts'
import { BODY_ROUTES, bodyRoutes, codeOf, HOSTILE_CARD, isMerchantRoute } from '../support/hostile-routes.ts'
import { type Response, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { bodyRefusal, mountedRoute, refusedBody } from '../support/read-request.ts'
import { bodyWith, fieldsOf } from '../support/schema-fields.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// Whatever is sent: no 5xx, a response within a second, the documented envelope. A failing run prints its
// counterexample.

const RUNS = { numRuns: 60, seed: 20_261_121, endOnFailure: true }
/** Limit of a response: a second on an idle machine; this one runs other tests at the same time. */
const ANSWER_WITHIN_MS = 5_000
const DOCUMENTED = [200, 201, 400, 401, 402, 403, 404, 409, 413, 415, 417, 422, 429]

let service: TestService
let routes: BodyRoute[]

before(async () => {
  service = await openService({ timeScale: 0.5 })
  callInProcess(service)
  routes = await bodyRoutes(service)
})
after(() => service.close())

const mounted = ({ method, url }: BodyRoute) => mountedRoute(service.app.routes, method, url)
const routeOf = (name: string) => routes.find((route) => route.name === name) as BodyRoute

/** One in so many refused bodies is sent. */
const SENT = 10
let bodies = 0

/** Bodies that are refused before the handler are only read, with a few exceptions; all others are sent. */
async function respondsWell(route: BodyRoute, body: string): Promise<void> {
  const from = cpuMs()
  const refusal = bodies++ % SENT === 0 ? null : bodyRefusal(mounted(route), body)
  if (refusal) {
    ok(cpuMs() - from < ANSWER_WITHIN_MS)
    ok(DOCUMENTED.includes(refusal.status), `${refusal.status} ${refusal.detail.message}`)
    return isRefusedWell(route, refusedBody(mounted(route), refusal))
  }
  const response = await route.send(body)
  ok(cpuMs() - from < ANSWER_WITHIN_MS)
  ok(DOCUMENTED.includes(response.status), `${response.status} ${JSON.stringify(response.body)}`)
  equal(typeof response.body, 'object')
  if (response.status <= 201) return
  if (isMerchantRoute(route)) {
    return assertMerchantRefused(response, response.status, codeOf(response) ?? '', response.body.error.param)
  }
  isRefusedWell(route, response.body)
  const { code, request_id: id } = response.body
  // A declined card is an outcome, and does not have a request_id.
  if (/^[a-z]/.test(code)) equal(id, response.headers.get('request-id'))
}

function isRefusedWell(route: BodyRoute, body: Response['body']): void {
  const { ok: isOk = false, code, message } = isMerchantRoute(route) ? body.error : body
  match(code, /^[a-z_]+$|^[A-Z][A-Z0-9]$/, route.name)
  equal(isOk, false)
  equal(typeof message, 'string')
}

/** Generates JSON with hostile keys and texts. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'length',
    '\0',
    '\ud800',
    "'; --",
    '{{7*7}}',
    '../..',
    HOSTILE_CARD,
  ),
)
const hostileJson = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(hostileText, fc.double(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(hostileText, tie('any'), { maxKeys: 4 }),
  ),
})).any

describe('Any request gets a documented response', () => {
  for (const name of BODY_ROUTES) {
    test(`${name}: any JSON`, async () => {
      const property = fc.asyncProperty(hostileJson, async (json) => {
        // A cancellation accepts an object with unknown members: its session is closed then, and the response says so.
        await respondsWell(routeOf(name), JSON.stringify(json))
      })
      await fc.assert(property, RUNS)
    })

    test(`${name}: a good body with some fields exchanged for anything`, async () => {
      const route = routeOf(name)
      const change = fc.record({ field: fc.constantFrom(...fieldsOf(route.schema)), json: hostileJson })
      const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let text = JSON.stringify(route.body)
        for (const { field, json } of changes) {
          const body: unknown = JSON.parse(text)
          if (canHold(body, field.path)) text = bodyWith(body, field.path, JSON.stringify(json))
        }
        await respondsWell(route, text)
      })
      await fc.assert(property, RUNS)
    })

    test(`${name}: the text of a good body with a piece cut out, doubled or put in`, async () => {
      const route = routeOf(name)
      const good = JSON.stringify(route.body)
      const place = fc.nat({ max: good.length })
      const property = fc.asyncProperty(
        place,
        place,
        fc.constantFrom('cut', 'double', 'insert'),
        hostileText,
        async (a, b, how, text) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const middle = { cut: '', double: good.slice(from, to).repeat(2), insert: text }[how]
          await respondsWell(route, good.slice(0, from) + middle + good.slice(to))
        },
      )
      await fc.assert(property, RUNS)
    })
  }

  test('any path below the API is answered by its envelope', async () => {
    const segment = fc.oneof(
      fc.stringMatching(/^[\w.~%-]{0,120}$/),
      fc.constantFrom('..', '.', '%00', '%2e%2e', '%zz', '%c0%af', service.demo.business_id, 'x'.repeat(101)),
    )
    const property = fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), async (segments) => {
      for (const base of ['/api/', '/api/v1/', '/api/checkout/']) {
        const response = await send(`${service.url}${base}${segments.join('/')}`)
        const { body } = response
        ok([400, 401, 403, 404, 405].includes(response.status), `${response.status} ${segments.join('/')}`)
        ok(body.code ?? body.error?.code)
        ok(response.headers.get('request-id'))
      }
    })
    await fc.assert(property, RUNS)
  })

  test('any query is answered', async () => {
    const property = fc.asyncProperty(fc.webQueryParameters(), async (query) => {
      ok([200, 422].includes((await send(`${service.url}/healthz?${query}`)).status))
    })
    await fc.assert(property, RUNS)
  })

  test('any query of a list of the merchant API is answered', async () => {
    const api = merchantApiOf(service)
    const name = fc.constantFrom(
      'limit',
      'starting_after',
      'ending_before',
      'active',
      'product',
      'customer',
      'toString',
    )
    const value = fc.oneof(hostileText, fc.constantFrom('', '1', 'true', 'null', '1e309', '-0', '0x10', newId()))
    const members = fc.array(
      fc.tuple(
        name,
        value.map((text) => text.toWellFormed()),
      ),
      { maxLength: 4 },
    )
    const list = fc.constantFrom('customers', 'products', 'prices', 'payment_methods')
    const property = fc.asyncProperty(list, members, async (path, query) => {
      const response = await api.get(`/${path}?${new URLSearchParams(query)}`)
      if (response.status === 200) deepEqual(Object.keys(response.body), ['object', 'data', 'has_more'])
      else assertMerchantRefused(response, 422, codeOf(response) ?? '', response.body.error.param)
    })
    await fc.assert(property, RUNS)
  })
})

test('no prototype was reached, nothing failed inside, no card was logged', () => {
  equal(({} as { polluted?: unknown }).polluted, undefined)
  equal(service.logged().includes('request failed'), false)
  equal(service.logged().includes(HOSTILE_CARD), false)
})

/** Whether the field still has a place: an earlier change may have replaced its container. */
function canHold(body: unknown, path: string[]): boolean {
  let at = body
  for (const key of path.slice(0, -1)) {
    if (!isRecord(at)) return false
    at = at[key] ?? {}
  }
  return isRecord(at)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
