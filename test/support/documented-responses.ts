import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyReply } from 'fastify'
import type { App } from '../../server/app/app.ts'
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts'
import { fastifyPath, pathExpression } from '../../server/http/path-pattern.ts'

// Checks every response in every test against the OpenAPI document, so the document is correct wherever a test exists.

interface Documented {
  headers?: Record<string, { $ref: string }>
  content: { 'application/json': { schema: object } }
}

interface Operation {
  responses: Record<string, Documented & { $ref?: string }>
}

export interface DocumentedResponses {
  /** @throws if a response differs from the document, with the operation, the status and the difference */
  check(): void
}

/** Reader of the document, which is the same for every service of a process, except for its URL. */
let reader: ResponseReader | undefined

/** Checks the responses of a service from now on. Must be called before the service listens. */
export function watchResponses({ api, routes }: Pick<App, 'api' | 'routes'>): DocumentedResponses {
  const faults = new Set<string>()
  const documented = routes.filter(({ path }) => path.startsWith('/api/'))
  const patterns = new Map(
    documented.map(({ method, path }) => [
      `${method} ${fastifyPath(path)}`,
      { path, method: method.toLowerCase(), expression: pathExpression(path) },
    ]),
  )
  api.addHook('onSend', async (request, reply, payload) => {
    const known = patterns.get(`${request.method} ${request.routeOptions.url}`)
    // With an encoded letter it is an unknown path.
    if (!known?.expression.test(request.url.split('?')[0] ?? '')) return
    const { path, method } = known
    reader ??= createResponseReader(await printed(api))
    const operation = reader.document.paths[path]?.[method] as Operation | undefined
    if (!operation) return
    for (const fault of faultsOf(reader, operation, reply, payload)) {
      faults.add(`${request.method} ${path} ${reply.statusCode}: ${fault}`)
    }
  })
  return {
    check() {
      if (faults.size > 0) throw new Error(`Responses that are not as documented:\n${[...faults].join('\n')}`)
    },
  }
}

async function printed(api: App['api']): Promise<OpenApiDocument> {
  return (await api.inject({ method: 'GET', url: '/openapi.json' })).json()
}

function faultsOf(reader: ResponseReader, { responses }: Operation, reply: FastifyReply, payload: unknown): string[] {
  const named = responses[String(reply.statusCode)]
  if (!named) return ['the status is not documented']
  const { headers, content } = reader.resolve(named)
  const isBefore = reply.statusCode >= 400 && reply.statusCode !== 429
  const missing = Object.keys(headers ?? {}).filter(
    // A refusal before the rate limit was checked has no limit headers.
    (name) => !reply.hasHeader(name) && !(isBefore && name.startsWith('RateLimit')),
  )
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...reader.faults(content['application/json'].schema, JSON.parse(String(payload))),
  ]
}

/** Reads responses. It is stricter than a client should be: an undocumented member is an error. */
export interface ResponseReader {
  document: OpenApiDocument
  faults(schema: object, response: unknown): string[]
  resolve<Value extends object>(value: Value): Value
}

export function createResponseReader(document: OpenApiDocument): ResponseReader {
  const closed = close(document) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  ;(addFormats as unknown as { default: typeof addFormats.default }).default(ajv)
  ajv.addSchema({ $id: 'document', components: closed.components })
  const checks = new Map<object, ValidateFunction>()
  return {
    document,
    faults(schema, response) {
      const check = checks.get(schema) ?? ajv.compile(pointInto(close(schema)))
      checks.set(schema, check)
      if (check(response)) return []
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
      )
    },
    resolve(value) {
      const { $ref } = value as { $ref?: string }
      if ($ref === undefined) return value
      const name = $ref.split('/')
      return name.slice(1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as typeof value
    },
  }
}

/** Makes the references of a part absolute; otherwise they would be resolved within the part. */
function pointInto(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

/** Forbids other members in objects with named members. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  const isObject = [inside.type].flat().includes('object') && typeof inside.properties === 'object'
  return isObject && !('additionalProperties' in inside) ? { ...inside, additionalProperties: false } : inside
}
