import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { refuseCardData } from '../../server/http/card-like-fields.ts'
import { textReader } from '../../server/http/text-fields.ts'
import { hasTooManyMarks } from '../../server/lib/combining-marks.ts'
import { newId } from '../../server/lib/ids.ts'
import type { JsonSchema } from './schema-fields.ts'

// Bodies that a schema of contract/ accepts, and bodies with one invalid field, generated from the schema itself, so
// that a new field or bound is tested automatically.

export type Body = Record<string, unknown>

/** A body with one invalid field, and the name of the field. */
export interface NearlyValid {
  body: Body
  param: string
}

/** Values for fields that need more than the schema: ids of existing objects, supported pairs. */
export type Given = Record<string, fc.Arbitrary<unknown>>

const BODY_BYTES_MAX = 65_536
/** Maximum number of consecutive combining marks in a text. */
const MARKS_MAX = 30
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no line may have.
const NO_LINE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but tab and line breaks are text.
const NO_PARAGRAPH = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu
/** The keys that are forbidden in any body (json-body.ts). */
const REACHES_A_PROTOTYPE = ['__proto__', 'constructor', 'prototype']

/** Generates bodies with every required field, and some of the optional ones. */
export function validBodies(schema: TSchema, given: Given = {}): fc.Arbitrary<Body> {
  const { properties = {}, required = [] } = schema as JsonSchema
  const fields = Object.entries(properties).filter(([, member]) => !member.not)
  const values = Object.fromEntries(fields.map(([name, member]) => [name, given[name] ?? validValue(member)]))
  const requiredKeys = required.filter((name) => properties[name]?.default === undefined)
  return fc
    .record(values, { requiredKeys, noNullPrototype: true })
    .filter((body) => isSmall(body) && hasNoCardData(body))
}

/** Generates bodies with one field that is invalid, or missing although it is required. */
export function nearlyValidBodies(
  schema: TSchema,
  kind: 'create' | 'change',
  given: Given = {},
): fc.Arbitrary<NearlyValid> {
  const { properties = {}, required = [] } = schema as JsonSchema
  const wrong = Object.entries(properties).map(([name, member]) => {
    const isRequired = required.includes(name) && member.default === undefined
    return wrongValues(member, isRequired)
      .filter(({ value }) => isRequired || kind === 'change' || !isNotGiven(value))
      .map((value) => ({ name, ...value }))
  })
  return fc
    .tuple(validBodies(schema, given), fc.oneof(...wrong))
    .map(([body, { name, value, inner }]) => ({
      body: { ...body, [name]: value },
      param: inner === undefined ? name : `${name}.${inner}`,
    }))
    .filter(({ body }) => isSmall(body) && hasNoCardData(body))
}

/** Whether a value counts as not given: on create `null` and a blank text do for an optional field (API-24). */
const isNotGiven = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const types = [schema.type ?? 'object'].flat()
  const value = ofType(schema, types[0] ?? '')
  return types.includes('null') ? fc.option(value, { freq: 5 }) : value
}

function ofType(schema: JsonSchema, type: string): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 })
  if (type === 'string') return textOf(schema)
  if (schema.patternProperties) return metadata
  throw new Error(`Nobody makes values of ${JSON.stringify(schema)} yet`)
}

function textOf({ format = '', maxLength = 500, minLength = 0 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'email') return fc.tuple(fc.stringMatching(/^[\w.+'!-]{1,20}$/), fc.domain()).map(mailbox)
  const forbidden = format === 'paragraph' ? NO_PARAGRAPH : NO_LINE
  const text = fc.string({ unit: 'binary', minLength, maxLength }).map((raw) => raw.replace(forbidden, '💳'))
  return fc.oneof(
    text,
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.floor(maxLength / 20) }).map((raw) => cut(raw, maxLength)),
    fc.constantFrom(
      '🏳️‍🌈',
      'مرحبا',
      'a\u202eb',
      "'; drop table product; --",
      '%_\\',
      '<script>',
      '{{7*7}}',
      '=1+1',
      '\\u0000',
    ),
    fc.constantFrom('🎂', 'x').map((one) => one.repeat(maxLength)),
    fc.constant('\u0301'.repeat(Math.min(MARKS_MAX, maxLength))),
  )
}

/** Returns a unique address, because the same address twice means the same customer. */
const mailbox = ([local, domain]: [string, string]) => `${local}${newId().slice(-12)}@${domain.slice(-100)}`
const cut = (text: string, maxLength: number) => [...text.replace(NO_LINE, '')].slice(0, maxLength).join('') || 'x'

const KEYS = 50
const key = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((raw) => raw.replace(NO_LINE, '_'))
  .filter((name) => !REACHES_A_PROTOTYPE.includes(name))
const metadata = fc.dictionary(
  key,
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }).map((raw) => raw.replace(NO_PARAGRAPH, '\n')),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((number) => number || 0)
      .filter(isWrittenExactly),
    fc.maxSafeInteger(),
    fc.boolean(),
  ),
  { maxKeys: KEYS, noNullPrototype: true },
)

interface Wrong {
  value: unknown
  /** The invalid inner key. */
  inner?: string
}

function wrongValues(schema: JsonSchema, isRequired: boolean): fc.Arbitrary<Wrong> {
  const types = [schema.type ?? 'object'].flat()
  const whole = schema.not ? [fc.anything({ maxDepth: 0, withNullPrototype: false })] : wrongWholes(schema, types)
  const wrongs = whole.map((values) => values.filter(isSent).map((value): Wrong => ({ value })))
  if (isRequired) wrongs.push(fc.constant({ value: undefined }))
  if (schema.patternProperties) wrongs.push(fc.constantFrom(...WRONG_METADATA))
  return fc.oneof(...wrongs)
}

/** Whether JSON can represent the value. */
const isSent = (value: unknown) => JSON.stringify(value) !== undefined && !Object.is(value, Number.NaN)

function wrongWholes(schema: JsonSchema, types: string[]): fc.Arbitrary<unknown>[] {
  const others = Object.entries(OF_TYPES).filter(([type]) => !types.includes(type))
  const wrongs = others.map(([type, values]) => (type === 'array' && types.includes('object') ? FULL_LISTS : values))
  if (types.includes('string')) wrongs.push(wrongTexts(schema))
  if (types.includes('integer')) wrongs.push(wrongNumbers(schema))
  if (schema.patternProperties)
    wrongs.push(fc.constant(Object.fromEntries(Array.from({ length: KEYS + 1 }, (_, n) => [n, n]))))
  return wrongs
}

const OF_TYPES: Record<string, fc.Arbitrary<unknown>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  integer: fc.maxSafeInteger(),
  string: fc.constantFrom('', 'true', '7', '[object Object]'),
  array: fc.array(fc.boolean()),
  object: fc.constantFrom({}, { a: 1 }),
}
/** Lists that are not empty: an empty list is an empty map (API-24). */
const FULL_LISTS = fc.array(fc.boolean(), { minLength: 1 })

function wrongTexts({ format, maxLength, minLength = 0 }: JsonSchema): fc.Arbitrary<string> {
  const wrongs = ['a\0b', 'a\ud800', '\udc00b', '\u001b[31m', 'a\u0085b']
  if (format !== 'paragraph') wrongs.push('a\nb', 'a\tb', 'a\u2028b')
  if (maxLength !== undefined && maxLength > MARKS_MAX) wrongs.push('\u0301'.repeat(MARKS_MAX + 1))
  if (minLength > 0 || format === 'email' || format === 'uuid') wrongs.push('')
  if (format === 'email')
    wrongs.push('ana', 'ana@', '@example.com', 'a b@example.com', 'a@b@example.com', 'Zoë@example.com')
  if (format === 'uuid') wrongs.push('x', `{${newId()}}`)
  if (maxLength !== undefined) wrongs.push('🎂'.repeat(maxLength + 1), 'x'.repeat(maxLength + 1))
  return fc.constantFrom(...wrongs)
}

function wrongNumbers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const wrongs = [0.5, 1e-7, 100.01]
  if (minimum !== undefined) wrongs.push(minimum - 1, -1, 0)
  if (maximum !== undefined) wrongs.push(maximum + 1, 1e300, Number.MAX_SAFE_INTEGER)
  return fc.constantFrom(...wrongs)
}

const WRONG_METADATA: Wrong[] = [
  { value: { '': 1 }, inner: '' },
  { value: { ['🎂'.repeat(41)]: 1 }, inner: '🎂'.repeat(41) },
  { value: { 'a\0': 1 }, inner: 'a\0' },
  ...[null, [], {}, 'x'.repeat(501), 'a\0b', '\ud800'].map((bad) => ({ value: { ok: 1, bad }, inner: 'bad' })),
]

/**
 * Whether JSON.stringify writes the number exactly: it writes integers up to 1e21 in full, and integers beyond 2^53 are
 * refused.
 */
function isWrittenExactly(number: number): boolean {
  return !/^-?\d{16,}$/.test(String(number))
}

const isSmall = (body: Body) => Buffer.byteLength(JSON.stringify(body)) <= BODY_BYTES_MAX

function hasNoCardData(body: Body): boolean {
  try {
    refuseCardData(body)
    textReader()(body)
    return !hasTooManyMarks(JSON.stringify(body))
  } catch {
    return false
  }
}
