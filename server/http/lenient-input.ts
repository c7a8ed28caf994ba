import type { TSchema } from 'typebox'
import { canonicalUuid } from '../lib/ids.ts'

/** Kind of request that has a value, which decides what counts as absent. */
export type InputKind = 'create' | 'change' | 'query'

type Reader = (value: unknown) => unknown

interface SchemaNode {
  type?: string | string[]
  format?: string
  pattern?: string
  required?: string[]
  properties?: Record<string, SchemaNode>
  patternProperties?: Record<string, SchemaNode>
  items?: SchemaNode
  anyOf?: SchemaNode[]
  default?: unknown
}

const DDD = 'ddd_'
/** Formats whose texts have one canonical spelling, or mean the same with blanks around them. */
const SPELLINGS: Record<string, (text: string) => string> = {
  uuid: canonicalUuid,
  'ddd-session-id': (text) => (text.startsWith(DDD) ? DDD + canonicalUuid(text.slice(DDD.length)) : text),
  email: (text) => text.trim(),
  phone: (text) => text.trim(),
}
const NAME = /(?:^|_|[a-z])(?:name|phone)$|^nameOn/i

/**
 * Makes a reader that accepts what common languages and standards write for the same value (API-24): UUIDs in capitals,
 * spaces around e-mail addresses, names and phone numbers, an empty list for an empty map, and `null` or a blank text
 * for an absent field where a field is optional. The schema validates what it returns.
 */
export function lenientReader(schema: TSchema, kind: InputKind): Reader {
  return readerOf(schema as SchemaNode, kind, '')
}

function readerOf(schema: SchemaNode, kind: InputKind, key: string): Reader {
  const { type, properties, patternProperties, items, anyOf } = schema
  if (anyOf) return choiceReader(anyOf, kind, key)
  if (type === 'object' || properties || patternProperties) return mapReader(schema, kind)
  if (items) {
    const read = readerOf(items, kind, key)
    return (value) => (Array.isArray(value) ? value.map(read) : value)
  }
  const spell = SPELLINGS[schema.format ?? ''] ?? (schema.format === 'line' && NAME.test(key) ? trimmed : null)
  return spell ? (value) => (typeof value === 'string' ? spell(value) : value) : asItIs
}

const asItIs: Reader = (value) => value
const trimmed = (text: string) => text.trim()

/** Makes the reader of alternatives. A list is read by the alternative that is a list. */
function choiceReader(choices: SchemaNode[], kind: InputKind, key: string): Reader {
  const readers = choices.map((choice) => ({ isList: choice.items !== undefined, read: readerOf(choice, kind, key) }))
  const ofLists = readers.filter(({ isList }) => isList)
  return (value) =>
    (Array.isArray(value) && ofLists.length > 0 ? ofLists : readers).reduce((given, { read }) => read(given), value)
}

function mapReader({ properties = {}, required = [] }: SchemaNode, kind: InputKind): Reader {
  const members = Object.entries(properties).map(([key, member]) => {
    const isGiven =
      kind === 'query' || !required.includes(key) || member.default !== undefined ? givenIn(member, kind) : () => true
    return [key, { read: readerOf(member, kind, key), isGiven }] as const
  })
  return (value) => {
    if (Array.isArray(value) && value.length === 0) return {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given: Record<string, unknown> = { ...value }
    // The schema's members are few, while a body may have thousands that nobody knows.
    for (const [key, { read, isGiven }] of members) {
      if (!Object.hasOwn(given, key)) continue
      if (isGiven(given[key])) given[key] = read(given[key])
      else delete given[key]
    }
    return given
  }
}

/**
 * Returns the check whether a field counts as given. On a change `null` clears a field that can be cleared. A `null`
 * that the schema allows always has a meaning.
 */
function givenIn({ type = [] }: SchemaNode, kind: InputKind): (value: unknown) => boolean {
  if (kind === 'change') return () => true
  const takesNull = [type].flat().includes('null')
  return (value) => !isBlank(value) && (value !== null || takesNull)
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
