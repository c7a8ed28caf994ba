import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import { validatorOf } from '../../server/http/schema-validator.ts'
import { merchantOf, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { bodyWith, type Field, fieldsOf, sampleOf } from '../support/schema-fields.ts'
import { openService, type TestService } from '../support/service.ts'

// API-24 on every route: a value in the notation of common languages is accepted as that value.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const nameOf = ({ method, path }: Route) => `${method} ${path}`

interface Case {
  route: Route
  field: Field
  /** Reads the body with the given JSON in the field; the others are the schema's samples. */
  read(json: string | undefined): unknown
}

function outcomeOf(check: () => unknown): string {
  try {
    return JSON.stringify(check())
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns every field of every body and query that a route accepts. */
function cases(part: 'body' | 'query'): Case[] {
  return service.app.routes.flatMap((route) => {
    const schema = part === 'query' ? route.query : (route.body ?? route.document?.body)
    if (!schema) return []
    const kind = part === 'query' ? 'querystring' : route.method === 'PATCH' ? 'change' : 'body'
    const check = validatorOf(schema, kind)
    const branches = (schema as { anyOf?: (typeof schema)[] }).anyOf ?? [schema]
    return branches.flatMap((branch) =>
      fieldsOf(branch).map((field) => ({
        route,
        field,
        read: (json: string | undefined) => check(JSON.parse(bodyWith(sampleOf(branch), field.path, json))),
      })),
    )
  })
}

/** @returns the fields that are read differently, and how many were compared */
function compared(all: Case[], sent: string, same: string | undefined) {
  const wrong = all.filter(({ read }) => outcomeOf(() => read(sent)) !== outcomeOf(() => read(same)))
  return { wrong: wrong.map(({ route, field }) => `${nameOf(route)} ${field.name}`), count: all.length }
}

const isMember = ({ path }: Field) => path.at(-1) !== '0' && path.at(-1) !== 'note'
const takes = ({ schema }: Field, type: string) => [schema.type ?? []].flat().includes(type)

describe('On every route', () => {
  for (const nothing of ['null', '""', '"  "', '"\\u00a0"']) {
    test(`${nothing} in an optional field of a create is a field that is not given`, () => {
      const optional = cases('body').filter(
        ({ route, field }) =>
          route.method !== 'PATCH' &&
          !field.isRequired &&
          isMember(field) &&
          !(nothing === 'null' && takes(field, 'null')),
      )
      const { wrong, count } = compared(optional, nothing, undefined)
      deepEqual(wrong, [])
      ok(count > 200, `${count}`)
    })
  }

  test('null in a change is what it was', () => {
    const cleared = cases('body').filter(({ route, field }) => route.method === 'PATCH' && takes(field, 'null'))
    const lost = cleared.filter(({ read, field }) => {
      const read_ = outcomeOf(() => read('null'))
      return read_.startsWith('{') && !read_.includes(`"${field.path.at(-1)}":null`)
    })
    deepEqual(
      lost.map(({ field }) => field.name),
      [],
    )
    ok(cleared.length > 5, `${cleared.length}`)
  })

  test('a blank parameter of a query is one that is not given', () => {
    const { wrong, count } = compared(cases('query'), '""', undefined)
    deepEqual(wrong, [])
    ok(count > 50, `${count}`)
  })

  test('a UUID in capitals is the UUID', () => {
    const id = '019aabcd-0000-7000-8000-000000000000'
    for (const part of ['body', 'query'] as const) {
      const ids = cases(part).filter(({ field }) => field.schema.format === 'uuid')
      const { wrong, count } = compared(ids, JSON.stringify(id.toUpperCase()), JSON.stringify(id))
      deepEqual(wrong, [])
      ok(count > 5, `${count}`)
    }
  })

  test('an empty list is an empty map', () => {
    const maps = cases('body').filter(({ field }) => takes(field, 'object') || field.schema.properties)
    const { wrong, count } = compared(maps, '[]', '{}')
    deepEqual(wrong, [])
    ok(count > 10, `${count}`)
  })

  test('blanks around e-mail addresses, phone numbers and names are left out', () => {
    const texts = { email: 'ana@example.com', phone: '+15145550100', name: 'Ana Roy' }
    for (const [kind, text] of Object.entries(texts)) {
      const fields = cases('body').filter(({ field }) =>
        kind === 'name'
          ? field.schema.format === 'line' && /name$/i.test(field.path.at(-1) ?? '')
          : field.schema.format === kind,
      )
      const { wrong, count } = compared(fields, JSON.stringify(` ${text}\u00a0 `), JSON.stringify(text))
      deepEqual(wrong, [])
      ok(count > 0, kind)
    }
  })
})

describe('In requests', () => {
  test('an id in capitals works in a path, of every family, and comes back in lower case', async () => {
    const api = merchantApiOf(service)
    const { id } = await api.made('/customers', {
      name: ' Ana ',
      email: ' ana@müller.example ',
      phone: null,
      metadata: [],
    })
    const { status, body } = await api.get(`/customers/${id.toUpperCase()}`)
    deepEqual([status, body.id, body.name, body.email, body.metadata], [200, id, 'Ana', 'ana@müller.example', {}])
    const { url, demo } = service
    const headers = { authorization: `Bearer ${demo.access_token}` }
    const list = await send(`${url}/api/${demo.business_id.toUpperCase()}/checkout-sessions?status=&limit=`, {
      headers,
    })
    equal(list.status, 200)
  })

  test('the token endpoint takes a client id in capitals', async () => {
    const { client_id, client_secret } = service.demo
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: client_id.toUpperCase(),
      client_secret,
      refresh_token: 'x',
    })
    const { body: refused } = await send(`${service.url}/api/oauth/token`, { method: 'POST', body })
    equal(refused.error, 'invalid_grant')
  })

  test('a session is created with a byte order mark, and numbers as doubles are printed', async () => {
    const token = await merchantOf(service).sessionToken({ amount_total: 29.95 })
    ok(token)
    const { url, demo } = service
    const body =
      '\ufeff{"amount_total":29.949999999999999,"success_url":"https://shop.example/","cancel_url":"https://shop.example/","customer_email":"a@example.com","description":null,"metadata":[]}'
    const headers = { authorization: `Bearer ${demo.access_token}`, 'content-type': 'application/json' }
    const created = await send(`${url}/api/${demo.business_id}/checkout/create`, { method: 'POST', headers, body })
    deepEqual([created.status, created.body.checkout_session?.amount_total], [200, 29.95])
  })
})
