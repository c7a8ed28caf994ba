import { compile } from 'json-schema-to-typescript'

// Generates the types of the SDK from the OpenAPI document.

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Schema = { [name: string]: Json }

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId?: string
  parameters?: Parameter[]
}

interface Webhook {
  post: { requestBody: { content: { 'application/json': { schema: Schema } } } }
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Webhook>
  components: { schemas: Record<string, Schema> }
}

const MERCHANT_API = '/api/v1/'
const REF = '#/components/schemas/'
const BANNER = '// Generated from the OpenAPI document of the service by `npm run sdk:types`. Do not edit.'
/** Schemas for which the SDK has its own classes: errors and lists. */
const OMITTED = /(?:Error|List)$/

/**
 * Generates the types of the SDK.
 *
 * @returns the text of `sdk/generated/types.ts`: one type for each schema and each query of the merchant API, and
 * `EventObjects`
 */
export async function sdkTypes(document: OpenApiDocument): Promise<string> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(MERCHANT_API))
    .flatMap(([, methods]) => Object.values(methods))
  const queries = Object.fromEntries(operations.flatMap(querySchema))
  const EventObjects = eventObjects(document.webhooks)
  const $defs: Record<string, Schema> = {
    ...reachable(document.components.schemas, [operations, EventObjects]),
    ...queries,
    EventObjects,
  }
  const names = namesOf($defs)
  const root = {
    title: 'Schemas',
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: Object.fromEntries(names.map((name) => [name, prepared($defs[name] as Schema)])),
  }
  const style = { semi: false, singleQuote: true, printWidth: 120 }
  const text = await compile(root as never, 'Schemas', {
    bannerComment: BANNER,
    additionalProperties: false,
    maxItems: -1,
    style,
  })
  return text.replace(/^export interface Schemas \{[\s\S]*?^\}\n/m, '')
}

/**
 * Returns the names of the types. A list that is a member of an object is included: only responses are lists of the
 * SDK.
 */
function namesOf($defs: Record<string, Schema>): string[] {
  const kept = Object.keys($defs).filter((name) => !OMITTED.test(name))
  const members = JSON.stringify(kept.map((name) => $defs[name]))
  const lists = Object.keys($defs).filter((name) => name.endsWith('List') && members.includes(`"${REF}${name}"`))
  return [...kept, ...lists].sort()
}

/** Returns the query of an operation as a schema: `ListPricesQuery` for `listPrices`. */
function querySchema({ operationId = '', parameters = [] }: Operation): [string, Schema][] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  if (inQuery.length === 0) return []
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
  const properties = Object.fromEntries(
    inQuery.map(({ name, description, schema }) => [name, { ...(description && { description }), ...schema }]),
  )
  const required = inQuery.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  return [[name, { title: name, type: 'object', properties, required }]]
}

/** Returns a schema with the object of each type of event. */
function eventObjects(webhooks: Record<string, Webhook>): Schema {
  const types = Object.keys(webhooks)
  const properties = Object.fromEntries(types.map((type) => [type, objectOf(webhooks[type] as Webhook)]))
  return { title: 'EventObjects', type: 'object', required: types, properties }
}

function objectOf({ post: { requestBody } }: Webhook): Schema {
  const { properties } = requestBody.content['application/json'].schema as { properties: Record<string, Schema> }
  return (properties.data as { properties: Record<string, Schema> }).properties.object as Schema
}

/** Returns the schemas to which these parts refer, directly or through other schemas. */
function reachable(schemas: Record<string, Schema>, parts: unknown): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name]
      if (!schema || found[name]) continue
      found[name] = schema
      visit(schema)
    }
  }
  visit(parts)
  return found
}

/** Converts a schema for the compiler: references point into `$defs`, and record keys are plain strings. */
function prepared(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(prepared)
  if (schema === null || typeof schema !== 'object') return schema
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref.replace(REF, '#/$defs/') }
  const { propertyNames: _, ...rest } = schema
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, prepared(value)]))
}
