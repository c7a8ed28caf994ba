import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts'
import { validatorOf } from '../../server/http/schema-validator.ts'
import { ApiError } from '../../server/lib/errors.ts'
import { createResponseReader, type ResponseReader } from '../support/documented-responses.ts'
import { type DocumentedWorld, makeDocumentedWorld, NEEDS_OWN_WORLD } from '../support/documented-world.ts'
import { send } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

interface Content {
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content: { 'application/json': Content } }>
}

interface Listed {
  name: string
  method: string
  path: string
  operation: Operation
}

/** Routes that only exist to refuse card data with their own code. */
const REFUSING = ['POST /api/v1/payment_methods', 'POST /api/v1/customers/{id}/payment_methods']

/** Asserts that only an error of this kind may be thrown. */
function doesNotThrowUnless(kind: typeof ApiError, what: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    ok(error instanceof kind, `${what}: ${error}`)
  }
}

let service: TestService
let document: OpenApiDocument
let reader: ResponseReader
let operations: Listed[]
before(async () => {
  service = await openService()
  callInProcess(service)
  document = (await send(`${service.url}/openapi.json`)).body
  reader = createResponseReader(document)
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation: operation as Operation,
    })),
  )
})
after(() => service.close())

describe('The OpenAPI document', () => {
  test('every schema of a request compiles, which happens at its first request', async () => {
    for (const { path, body, query } of service.app.routes) {
      // Otherwise the server, which is in this process, ends an idle connection before its client can notice.
      await setImmediate()
      const schemas = [body && (['body', body] as const), query && (['querystring', query] as const)]
      for (const [part, schema] of schemas.filter((one) => one !== undefined))
        for (const value of [{}, { unknown: 1 }])
          doesNotThrowUnless(ApiError, path, () => validatorOf(schema, part)(value))
    }
  })

  test('has every path under /api, and no other', () => {
    const mounted = service.app.routes.filter(({ path }) => path.startsWith('/api/'))
    const names = mounted.map(({ method, path }) => `${method} ${path}`).filter((name) => !REFUSING.includes(name))
    deepEqual(operations.map(({ name }) => name).sort(), names.sort())
  })

  test('is served to every tool, as JSON of OpenAPI 3.1 for this address', async () => {
    const { status, headers } = await send(`${service.url}/openapi.json`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    equal(status, 200)
    match(headers.get('content-type') ?? '', /^application\/json/)
    match(document.openapi, /^3\.1\./)
    deepEqual(document.servers, [{ url: `http://localhost:${new URL(service.url).port}` }])
  })

  test('names every operation once, says what it does, and puts it under a heading that is explained', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    equal(new Set(ids).size, ids.length)
    const headings = new Map(document.tags.map(({ name, description }) => [name, description]))
    for (const { name, operation } of operations) {
      match(operation.operationId, /^[a-z]+[A-Za-z]+$/, name)
      match(operation.summary, /^[A-Z].*[^.]$/, name)
      equal(operation.tags.length, 1, name)
      ok(headings.get(operation.tags[0] ?? ''), `the heading of ${name}`)
    }
  })

  test('has operations under every heading', () => {
    const used = new Set([...operations.flatMap(({ operation }) => operation.tags), 'Events'])
    deepEqual(
      document.tags.map(({ name }) => name).filter((name) => !used.has(name)),
      [],
    )
  })

  test('asks for a body with an example in each POST and PATCH that takes one', () => {
    const without = operations.filter(({ operation: { requestBody } }) => {
      const content = requestBody?.content['application/json']
      return content && content.example === undefined
    })
    deepEqual(
      without.map(({ name }) => name),
      [],
    )
  })

  test('gives an example for every response, and each is valid', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const { schema, example, examples } = reader.resolve(response).content['application/json']
        const all = examples ? Object.values(examples).map(({ value }) => value) : [example]
        ok(all.length > 0, `${name} ${status}`)
        for (const one of all) deepEqual(reader.faults(schema, one), [], `${name} ${status}`)
      }
    }
  })

  test('has nothing of ours that tools do not know', () => {
    const formats = new Set([...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format))
    deepEqual([...formats].sort(), ['date', 'date-time', 'email', 'uuid'])
    ok(!JSON.stringify(document).includes('"not":{}'))
  })
})

describe('Every documented example', () => {
  test('works as printed, except for the ids in it', async () => {
    const failed: string[] = []
    let world = await makeDocumentedWorld(service)
    for (const listed of operations) {
      const { operationId } = listed.operation
      if (NEEDS_OWN_WORLD.includes(operationId)) world = await makeDocumentedWorld(service, operationId)
      let sent = await sendExample(listed, world)
      if (!sent.isDone) {
        // An earlier example has used up an object.
        world = await makeDocumentedWorld(service, operationId)
        sent = await sendExample(listed, world)
      }
      if (!sent.isDone) failed.push(`${listed.name}: ${sent.status} ${JSON.stringify(sent.body)}`)
    }
    deepEqual(failed, [])
  })
})

// The last one: it takes seconds of the processor, in which the service closes idle connections.
describe('The linter of Redocly', () => {
  test('has no fault and no weakness that the recommended rules of Redocly know', async () => {
    const source = JSON.stringify(document, null, 1)
    const found = await lintFromString({ source, absoluteRef: 'openapi.json', config: await loadConfig() })
    deepEqual(
      found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    )
  })
})

/** Sends an example with the objects of a world, and with the credential that the document requires. */
async function sendExample({ method, path, operation }: Listed, { real, credentials }: DocumentedWorld) {
  const values = new Map((operation.parameters ?? []).map(({ name, example }) => [name, example]))
  const target = path.replace(/\{(\w+)\}/g, (whole, name: string) => String(values.get(name) ?? whole))
  const example = operation.requestBody?.content['application/json']?.example
  const scheme = operation.security.flatMap((one) => Object.keys(one))[0] ?? ''
  const credential = credentials[scheme]
  const response = await send(service.url + real(target), {
    method,
    headers: {
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(example !== undefined && { 'content-type': 'application/json' }),
    },
    ...(example !== undefined && { body: real(JSON.stringify(example)) }),
  })
  const successes = Object.keys(operation.responses).filter((one) => one.startsWith('2'))
  return { ...response, isDone: successes.includes(String(response.status)) }
}
