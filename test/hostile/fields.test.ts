import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseJsonBody } from '../../server/http/json-body.ts'
import { validatorOf } from '../../server/http/schema-validator.ts'
import type { BodyRoute } from '../support/hostile-route.ts'
import {
  assertBodyRefused,
  BODY_ROUTES,
  bodyRoutes,
  codeOf,
  HOSTILE_CARD,
  isMerchantRoute,
} from '../support/hostile-routes.ts'
import { type HostileValue, hostileValues } from '../support/hostile-values.ts'
import { bodyRefusal, mountedRoute, refusalOf } from '../support/read-request.ts'
import { assertRefused } from '../support/refusal.ts'
import { bodyWith, type Field, fieldsOf } from '../support/schema-fields.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { countRows } from '../support/whole-database.ts'

// FLT-62 to FLT-70: every field of the schemas, combined with every value that may be sent in it.

const AT_ONCE = 8

let service: TestService
let routes: BodyRoute[]

before(async () => {
  service = await openService({ timeScale: 0.5 })
  callInProcess(service)
  routes = await bodyRoutes(service)
})
after(() => service.close())

const routeOf = (name: string) => routes.find((route) => route.name === name) as BodyRoute

interface Case {
  field: Field
  value: HostileValue
}

const casesOf = ({ schema, method }: BodyRoute, isRefused: boolean): Case[] =>
  fieldsOf(schema).flatMap((field) =>
    hostileValues(field.schema, field.isRequired, isElement(field) ? 'PATCH' : method)
      .filter((value) => value.isRefused === isRefused)
      .map((value) => ({ field, value })),
  )

/** Whether it is an element of a list, or a member of a map, which cannot be omitted by a blank value. */
const isElement = ({ path }: Field) => ['0', 'note'].includes(path.at(-1) ?? '')

const nameOf = ({ field, value }: Case) => `${field.name}, ${value.name}`

/** Returns a case of each field, with another value than the field before. */
const onePerField = (cases: Case[]): Case[] =>
  [...Map.groupBy(cases, ({ field }) => field.name).values()].flatMap((some, index) => some[index % some.length] ?? [])

/**
 * Returns what reads a body as the route does, with the schema of a body that its handler checks. It tells whether the
 * body is refused for the field.
 */
function reader(route: BodyRoute): (text: string, field: Field) => boolean {
  const mounted = mountedRoute(service.app.routes, route.method, route.url)
  const check = mounted.body ? null : validatorOf(route.schema, route.method === 'PATCH' ? 'change' : 'body')
  return (text, { name }) => {
    const refusal =
      bodyRefusal(mounted, text) ?? (check && refusalOf(() => check(parseJsonBody(Buffer.from(text)) as object)))
    const named = Object.keys(refusal?.detail.errors ?? {})
    const isNamed = isMerchantRoute(route) ? named[0] === name : named.includes(name)
    return refusal?.status === 422 && refusal.code === 'validation_failed' && isNamed
  }
}

/** Tries all cases, and returns the names of those with a wrong response. */
async function wrongOf(cases: Case[], check: (one: Case) => Promise<void>): Promise<string[]> {
  const left = [...cases]
  const wrong: string[] = []
  const work = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      await check(one).catch(({ message }: Error) => {
        wrong.push(`${nameOf(one)}: ${message.split('\n').slice(0, 6).join(' ')}`)
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return wrong
}

/** Returns the reason of a failed request, as the operator reads it. */
const whyOf = (requestId: string) =>
  service
    .logged()
    .split('\n')
    .find((line) => line.includes(requestId) && line.includes('"err"'))

describe('A body with one hostile field', () => {
  for (const name of BODY_ROUTES) {
    test(`${name}: what the schema refuses gets a 422 that names the field, and writes nothing`, async () => {
      const route = routeOf(name)
      const before = await countRows(service.databaseUrl)
      const cases = casesOf(route, true)
      ok(cases.length > 0)
      const refuses = reader(route)
      const isRead = ({ field, value }: Case) => refuses(bodyWith(route.body, field.path, value.json), field)
      const { read = [], unread = [] } = Object.groupBy(cases, (one) => (isRead(one) ? 'read' : 'unread'))
      ok(read.length > 0)
      // What only the handler refuses needs a request.
      const wrong = await wrongOf([...onePerField(read), ...unread], async ({ field, value }) => {
        const response = await route.send(bodyWith(route.body, field.path, value.json))
        if (name === 'token' && response.body.code !== 'validation_failed')
          equal(response.body.code, 'unsupported_grant_type')
        else assertBodyRefused(route, response, 422, 'validation_failed')
        const named = isMerchantRoute(route)
          ? [response.body.error.param]
          : Object.keys(response.body.errors ?? { [field.name]: [] })
        ok(named.includes(field.name), `names ${named}`)
      })
      deepEqual(wrong, [])
      deepEqual(await countRows(service.databaseUrl), before)
    })

    test(`${name}: what the schema accepts gets a response, and never 500`, async () => {
      // A refused request has not used up its object.
      const unused: BodyRoute[] = []
      const wrong = await wrongOf(casesOf(routeOf(name), false), async ({ field, value }) => {
        const route = unused.pop() ?? (await routeOf(name).fresh())
        const { status, body, headers } = await route.send(bodyWith(route.body, field.path, value.json))
        ok(
          [200, 201, 400, 401, 402, 404, 409, 417, 422].includes(status),
          `${status} ${whyOf(headers.get('request-id') ?? '')}`,
        )
        if (status > 201) equal(typeof codeOf({ body }), 'string')
        if (status === 404 || status === 422) unused.push(route)
      })
      deepEqual(wrong, [])
    })
  }

  test('the bodies are valid before they are made hostile', async () => {
    const fresh = await bodyRoutes(service)
    for (const { name, body, okStatus, send } of fresh) {
      const response = await send(JSON.stringify(body))
      equal(response.status, okStatus, `${name} ${JSON.stringify(response.body)}`)
    }
  })

  test('nothing of a card was logged', () => {
    ok(service.logged().includes('"path":"/api/checkout/{token}/pay"'))
    ok(!service.logged().includes(HOSTILE_CARD))
  })
})

describe('Text of people is stored and shown as it was sent', () => {
  for (const text of [
    '🎂🏳️‍🌈',
    'مرحبا',
    'a\u202eb',
    'Zoë',
    "'; drop table business; --",
    '%_\\',
    '<script>alert(1)</script>',
    '{{7*7}}',
  ]) {
    test(JSON.stringify(text), async () => {
      const route = routeOf('create')
      const given = { customer_name: text, description: text, client_reference_id: text, metadata: { note: text } }
      const created = await route.send(JSON.stringify({ ...route.body, ...given }))
      equal(created.status, 200)
      const url = route.url.replace('create', `${created.body.checkout_session.token}/details`)
      const details = await fetch(url, { headers: route.headers, signal: AbortSignal.timeout(10_000) })
      const { checkout_session: session } = (await details.json()) as { checkout_session: typeof given }
      const { customer_name, description, client_reference_id, metadata } = session
      deepEqual({ customer_name, description, client_reference_id, metadata }, given)
    })
  }

  test('metadata: 51 keys, a key of 41 characters, an empty key and 501 characters are refused', async () => {
    const route = routeOf('create')
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x']))
    for (const metadata of [many, { ['k'.repeat(41)]: 'x' }, { '': 'x' }, { note: 'x'.repeat(501) }, { 'a\0b': 'x' }]) {
      assertRefused(await route.send(JSON.stringify({ ...route.body, metadata })), 422, 'validation_failed')
    }
    const { key50: _, ...fifty } = many
    equal((await route.send(JSON.stringify({ ...route.body, metadata: fifty }))).status, 200)
  })

  test('10,000 combining marks are refused like any long text', async () => {
    const route = routeOf('create')
    const customer_name = `e${'\u0301'.repeat(10_000)}`
    assertRefused(await route.send(JSON.stringify({ ...route.body, customer_name })), 422, 'validation_failed', [
      'customer_name',
    ])
  })
})
