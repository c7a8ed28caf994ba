import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { findCanaries } from '../support/canary-scan.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, type Response, send } from '../support/merchant.ts'
import { bodyRefusal, queryRefusal, refusedBody } from '../support/read-request.ts'
import { type Field, fieldsOf, type JsonSchema } from '../support/schema-fields.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { storeCard } from '../support/stored-card.ts'
import { countRows, dumpRows } from '../support/whole-database.ts'

// Every text field of every mounted route, combined with every way to write a card number in it, so that a new route or
// field is tested automatically.

const NUMBER = withCheckDigit('453957866666666')
const grouped = (mark: string) => NUMBER.match(/.{4}/g)?.join(mark) ?? ''
const SPELLINGS = [
  NUMBER,
  grouped(' '),
  grouped('-'),
  grouped('\u2013'),
  grouped('\u200b'),
  `order 12 ${grouped('.')} 12/29`,
  NUMBER.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
]
const CANARIES = { numbers: [NUMBER], cvvs: [] }
const SECRETS = ['opaque', 'card-number']

let service: TestService
let owner: DashboardClient
const responses: string[] = []
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

/**
 * Returns the routes without the page, which is posted to below, and reports of browsers, of which only known words are
 * stored.
 */
const routes = () =>
  service.app.routes.filter(({ path, acceptsReports }) => !path.startsWith('/customer/') && !acceptsReports)
const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Returns the headers of a page of the dashboard. */
const headersOf = ({ cookie, csrf }: DashboardClient) => ({
  cookie,
  'sec-fetch-site': 'same-origin',
  origin: service.formUrl,
  'x-csrf-token': csrf,
  'idempotency-key': newId(),
})

async function ask(route: Route, { body, query = '' }: { body?: unknown; query?: string }): Promise<Response> {
  const { demo } = service
  const isDashboard = route.path.startsWith('/dashboard/')
  const url = isDashboard ? service.formUrl : service.url
  const credential = { bearer: demo.access_token, 'secret key': demo.api_key }[route.access.name as string]
  const headers = {
    ...(credential && { authorization: `Bearer ${credential}` }),
    ...(isDashboard && headersOf(owner)),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const path = route.path
    .replace('{business_id}', demo.business_id)
    .replace(/\{(session_)?token\}/, 'a'.repeat(64))
    .replace(/\{\w+\}/g, newId())
  const init = { method: route.method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await send(url + path + query, init)
  responses.push(JSON.stringify([response.body, [...response.headers]]))
  return response
}

/** Returns the named field. The token paths also have an `error`, which is a word. */
const namedIn = (body: Response['body']) => (body?.errors ? Object.keys(body.errors)[0] : body?.error?.param)

interface Case {
  name: string
  route: Route
  sent: { body?: unknown; query?: string }
  field: string
}

/** Whether the handler itself reads the body, so that only a request shows what is refused. */
const isReadByHandler = ({ takesCardData, body }: Route) => takesCardData === true && !body

/** Returns status and field of the refusal, without a request. */
function read(route: Route, { body, query }: Case['sent']): string {
  const refusal = query === undefined ? bodyRefusal(route, JSON.stringify(body)) : queryRefusal(route, query.slice(1))
  const refused = refusal && refusedBody(route, refusal)
  responses.push(JSON.stringify(refused))
  return [refusal?.status, namedIn(refused) ?? null].join(' ')
}

async function asked(route: Route, sent: Case['sent']): Promise<string> {
  const { status, body } = await ask(route, sent)
  return [status, namedIn(body) ?? null].join(' ')
}

/** @returns the cases that are not refused; each field has one request, with another spelling than the field before */
async function wrongOf(cases: Case[]): Promise<string[]> {
  ok(cases.length > 0)
  const wrong: string[] = []
  const fields = Map.groupBy(cases, ({ route, field }) => `${nameOf(route)} ${field}`)
  for (const [index, some] of [...fields.values()].entries())
    for (const one of some) {
      const { name, route, sent, field } = one
      const isSent = isReadByHandler(route) || one === some[index % some.length]
      const got = [
        ...(isReadByHandler(route) ? [] : [read(route, sent)]),
        ...(isSent ? [await asked(route, sent)] : []),
      ]
      for (const each of got)
        if (each !== `422 ${field}`) wrong.push(`${nameOf(route)}, ${name}: ${each} and not 422 ${field}`)
    }
  return wrong
}

/** Whether a field is text by its schema, and not a secret. */
function isText({ schema: { type, format = '', anyOf = [] } }: Field): boolean {
  if (anyOf.length > 0) return !anyOf.some((branch) => SECRETS.includes(branch.format ?? ''))
  const types = [type ?? []].flat()
  return (types.length === 0 || types.includes('string')) && !SECRETS.includes(format)
}

const branchesOf = (schema: JsonSchema) => schema.anyOf ?? [schema]
const textsOf = (schema: unknown): Field[] =>
  branchesOf(schema as JsonSchema).flatMap((branch) => fieldsOf(branch as never).filter(isText))

function bodyWithOnly(path: string[], value: unknown): unknown {
  return path.reduceRight((inside, key) => (key === '0' ? [inside] : { [key]: inside }), value)
}

describe('A card number in a text field is 422 that names the field', () => {
  test('in every body of every route', async () => {
    const cases = routes().flatMap((route) => {
      const schema = route.body ?? route.document?.body
      if (!schema) return []
      return textsOf(schema).flatMap(({ path, name }) =>
        SPELLINGS.map((value) => {
          const grant = route.path.endsWith('/token') ? { grant_type: 'password' } : {}
          const body = { ...grant, ...(bodyWithOnly(path, value) as object) }
          return { name: `${name} = ${JSON.stringify(value)}`, route, sent: { body }, field: name }
        }),
      )
    })
    deepEqual(await wrongOf(cases), [])
  })

  test('in members that no route knows, as a number, and as a key', async () => {
    const takers = routes().filter(({ method }) => method === 'POST' || method === 'PATCH')
    const bodies: [body: unknown, field: string][] = [
      [{ unknown: { inner: [grouped(' ')] } }, 'unknown.inner.0'],
      [{ metadata: { order: Number(NUMBER) } }, 'metadata.order'],
      [{ metadata: { [grouped('-')]: 'x' } }, 'metadata'],
    ]
    const cases = takers.flatMap((route) =>
      bodies.map(([body, field]) => ({ name: field, route, sent: { body }, field })),
    )
    deepEqual(await wrongOf(cases), [])
  })

  test('in every query of every route', async () => {
    const cases = routes().flatMap((route) =>
      Object.keys(route.query?.properties ?? {}).flatMap((name) =>
        SPELLINGS.map((value) => {
          const query = `?${new URLSearchParams({ [name]: value })}`
          return { name: `${name}=${value}`, route, sent: { query }, field: name }
        }),
      ),
    )
    const api = cases.filter(({ route }) => /^\/(?:dashboard\/)?api\//.test(route.path))
    deepEqual(await wrongOf(api), [])
  })

  test('in an Idempotency-Key', async () => {
    const { customerId, cardId } = await storeCard(service, 'key@example.com')
    const sale = () =>
      merchantOf(service).post(
        `/customer/${customerId}/sale`,
        { amount: 5, cardId },
        { 'idempotency-key': `order-${grouped('-')}` },
      )
    const refused = await sale()
    deepEqual([refused.status, namedIn(refused.body)], [422, 'Idempotency-Key'])
  })

  test('in every field of the form without JavaScript', async () => {
    const collect = { billing_address_collection: 'required', shipping_address_collection: 'required' }
    const page = `${service.formUrl}/customer/checkout/${await merchantOf(service).sessionToken(collect)}`
    const good = {
      cardnumber: CARDS.visa,
      exp: '12/31',
      cvc: '123',
      ccname: 'Ana Roy',
      email: 'ana@example.com',
    }
    const address = { line1: '1 Main', line2: '2', city: 'Albany', state_us: 'NY', postal: '12207', country: 'US' }
    const shipping = Object.fromEntries(
      Object.entries({ name: 'Ana', ...address }).map(([key, text]) => [`shipping_${key}`, text]),
    )
    const all = { ...good, ...address, ...shipping }
    const before = await countRows(service.databaseUrl)
    const names = Object.keys(all).filter((field) => field !== 'cardnumber')
    for (const [index, name] of names.entries()) {
      // All of them in one field, and one in each other field.
      for (const value of name === 'ccname' ? SPELLINGS : [SPELLINGS[index % SPELLINGS.length] ?? '']) {
        const body = new URLSearchParams({ ...all, [name]: value }).toString()
        const { status, body: html } = await send(page, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        })
        equal(status, 200)
        ok(html.includes('name="cardnumber"'), `${name}: the form is shown again`)
        deepEqual(findCanaries(html, CANARIES), [], name)
        if (/postal|line|city|name/.test(name)) ok(html.includes('looks like a card number'), `${name} is marked`)
      }
    }
    deepEqual(await countRows(service.databaseUrl), before)
  })
})

describe('Afterwards it is', () => {
  test('in no response', () => deepEqual(findCanaries(responses.join('\n'), CANARIES), []))
  test('in no table', async () => deepEqual(findCanaries(await dumpRows(service.databaseUrl), CANARIES), []))
  test('in no log', () => {
    ok(service.logged().includes('"path":"/api/{business_id}/checkout/create"'))
    deepEqual(findCanaries(service.logged(), CANARIES), [])
  })
})
