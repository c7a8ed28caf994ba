import type { TSchema } from 'typebox'

/** One field of a request body, from its schema. */
export interface Field {
  /** Member names, and 0 for the first element of a list: `['line_items', '0', 'total']`. */
  path: string[]
  /** The name in errors. */
  name: string
  schema: JsonSchema
  isRequired: boolean
}

export interface JsonSchema {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: string[]
  const?: unknown
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  /** Set if no value is valid: the field must not be sent. */
  not?: object
}

/** A sample key of a record, whose values have one schema. */
const ANY_KEY = 'note'

/** Returns all fields of a body, inner ones after their outer one, so that a new field is tested automatically. */
export function fieldsOf(schema: TSchema): Field[] {
  return inner(schema as JsonSchema, [])
}

function inner(schema: JsonSchema, path: string[]): Field[] {
  return membersOf(schema).flatMap(([key, member, isRequired]) => {
    const here = [...path, key]
    return [{ path: here, name: here.join('.'), schema: member, isRequired }, ...inner(member, here)]
  })
}

function membersOf({
  properties,
  patternProperties,
  items,
  required = [],
}: JsonSchema): [string, JsonSchema, boolean][] {
  const members = Object.entries(properties ?? {}).map(([key, member]): [string, JsonSchema, boolean] => [
    key,
    member,
    required.includes(key) && member.default === undefined,
  ])
  const [anyMember] = Object.values(patternProperties ?? {})
  if (anyMember) members.push([ANY_KEY, anyMember, false])
  if (items) members.push(['0', items, false])
  return members
}

/** Returns a body that the schema accepts, with every optional field. The caller handles rules across fields. */
export function sampleOf(schema: TSchema | JsonSchema): unknown {
  const { type, properties, patternProperties, items, enum: words, format, minimum = 1 } = schema as JsonSchema
  if ((schema as JsonSchema).const !== undefined) return (schema as JsonSchema).const
  if (words) return words[0]
  if (properties) return Object.fromEntries(Object.entries(properties).map(([key, member]) => [key, sampleOf(member)]))
  if (patternProperties) return { [ANY_KEY]: 'x' }
  if (items) return [sampleOf(items)]
  if (type === 'boolean') return false
  if (type === 'number' || type === 'integer') return Math.max(1, minimum)
  return SAMPLES[format ?? ''] ?? 'x'
}

const SAMPLES: Record<string, string> = {
  email: 'ana@example.com',
  url: 'https://shop.example/x',
  uuid: '019aabcd-0000-7000-8000-000000000000',
  date: '2031-01-31',
  phone: '+15145550100',
  country: 'US',
  ip: '203.0.113.7',
  digits: '1',
  minutes: '-60',
  'ddd-session-id': 'ddd_019aabcd-0000-7000-8000-000000000000',
}

/** Returns the body as text, with one field replaced by the given JSON or omitted. */
export function bodyWith(body: unknown, path: string[], json: string | undefined): string {
  const copy = structuredClone(body) as Record<string, unknown>
  const last = path.at(-1) ?? ''
  const owner = path.slice(0, -1).reduce<Record<string, unknown>>((at, key) => {
    at[key] ??= {}
    return at[key] as Record<string, unknown>
  }, copy)
  if (json === undefined) delete owner[last]
  else owner[last] = PLACE
  return JSON.stringify(copy).replace(JSON.stringify(PLACE), () => json ?? '')
}

const PLACE = '@@ here @@'
