import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { FILLED } from '../../contract/formats.ts'
import { isCountry } from '../../contract/places.ts'
import { FOREIGN_MAILBOX, hasForeignMailbox, isEmailAddress } from '../lib/email-address.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { centsFromDecimal } from '../lib/money.ts'
import { canonicalAddress } from './client-address.ts'
import { lenientReader } from './lenient-input.ts'
import { type CardNumberCode, FIELD_CHARACTERS_MAX, textReader } from './text-fields.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but tab and line breaks are text.
const CONTROL_IN_PARAGRAPH = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const LINE = {
  description: 'must be one line of text without control characters',
  check: (text: string) => isText(text, CONTROL),
}

/** The formats of contract/formats.ts, each with the message of a violation. */
const FORMATS: Record<string, { description: string; check: (text: string) => boolean }> = {
  line: LINE,
  /** The only format that may hold a card number. */
  'card-number': LINE,
  /** Format of a token, a secret or a password, which is compared as sent and never shown as text. */
  opaque: { description: 'must be text', check: () => true },
  paragraph: {
    description: 'must be text without control characters',
    check: (text) => isText(text, CONTROL_IN_PARAGRAPH),
  },
  email: { description: 'must be one e-mail address, such as ana@example.com', check: isEmailAddress },
  url: { description: 'must be an absolute URL', check: (text) => isText(text, CONTROL) && URL.canParse(text) },
  phone: { description: 'must have 10 to 15 digits', check: (text) => /^\+?[0-9]{10,15}$/.test(text) },
  country: { description: 'must be an ISO 3166-1 country code, such as US', check: isCountry },
  ip: { description: 'must be an IPv4 or IPv6 address', check: (text) => canonicalAddress(text) !== null },
  bin: { description: 'must be the first 6 to 8 digits of a card number', check: (text) => /^\d{6,8}$/.test(text) },
  uuid: { description: 'must be a UUID', check: isUuid },
  digits: { description: 'must be digits', check: (text) => /^\d+$/.test(text) },
  minutes: { description: 'must be whole minutes, such as 300 or -60', check: (text) => /^[+-]?\d{1,4}$/.test(text) },
  'ddd-session-id': {
    description: 'must be a ddd_session_id: ddd_ and a UUID',
    check: (text) => text.startsWith('ddd_') && isUuid(text.slice(4)),
  },
}

const NOT_AN_AMOUNT = 'must be an amount from 0 to 999999.99 with at most two decimals'
/** Beginning of the message for a value that is not a listed one, including one of another type. */
const LISTED = /^must be one of /
/** Message for a wrong type. */
const TYPE_TEXT = /^must be an? (?:string|number|integer|boolean|object|array|null)\b/
const NOT_A_DATE = 'must be a date, YYYY-MM-DD'
/** Maximum number of wrong fields, so that the response is smaller than the request. */
const WRONG_FIELDS_MAX = 50
/** A larger body gets only its first wrong field named, because naming all of them takes time in proportion. */
const VALUES_TO_NAME_ALL_MAX = 500

function isText(text: string, forbidden: RegExp): boolean {
  return text.isWellFormed() && !forbidden.test(text)
}

function createAjv({ coerceTypes, allErrors }: { coerceTypes: boolean; allErrors: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors,
    coerceTypes,
    useDefaults: true,
    strict: false,
    // Otherwise `strict: false` accepts 1e309, which JSON reads as Infinity and the database as null.
    strictNumbers: true,
    ownProperties: true,
    // Adds the violated schema to each error, whose description explains why a field cannot be sent.
    verbose: true,
  })
  // The CommonJS package has its default export inside its default export.
  const { get } = (addFormats as unknown as { default: typeof addFormats.default }).default
  const { validate: isDay } = get('date') as { validate: (text: string) => boolean }
  // PostgreSQL has no year 0.
  ajv.addFormat('date', { type: 'string', validate: (text) => !text.startsWith('0000') && isDay(text) })
  for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate: check })
  ajv.addFormat('amount', { type: 'number', validate: (amount) => centsFromDecimal(amount) !== null })
  return ajv
}

/** Validators for bodies, which are typed: "12.50" is not a number. */
const forBodies = {
  all: createAjv({ coerceTypes: false, allErrors: true }),
  first: createAjv({ coerceTypes: false, allErrors: false }),
}
/** Validators for queries, which are text, so types are coerced. */
const forQueries = {
  all: createAjv({ coerceTypes: true, allErrors: true }),
  first: createAjv({ coerceTypes: true, allErrors: false }),
}

/**
 * Compiles a schema into a check. Strings are normalized to Unicode NFC; lengths are counted in code points of that
 * form.
 *
 * @param part the body of a create, or of a change, where `null` clears; or the query
 * @param code code that refuses a card number in a text
 * @returns a function that returns the value with its defaults. It throws `validation_failed` naming every wrong field,
 * or only the first one of a very large value
 */
export function validatorOf<Value>(
  schema: TSchema,
  part: 'body' | 'change' | 'querystring' = 'body',
  code?: CardNumberCode,
): (value: unknown) => Value {
  const readTexts = textReader(schema)
  const readLeniently = lenientReader(schema, KINDS[part])
  const ajv = part === 'querystring' ? forQueries : forBodies
  // Compiled on first use: compiling all schemas at the start took an eighth of its CPU time.
  let validate: ValidateFunction | undefined
  let validateAll: ValidateFunction | undefined
  const numbers = part === 'querystring' ? numbersOf(schema) : []
  return (given) => {
    const value = readTexts(readLeniently(given), code)
    for (const check of numbers) check(value as Record<string, unknown>)
    validate ??= ajv.first.compile(schema)
    if (validate(value)) return value as Value
    if (hasMoreValues(value, VALUES_TO_NAME_ALL_MAX)) throw validationError(validate.errors ?? [], part)
    validateAll ??= ajv.all.compile(schema)
    validateAll(value)
    throw validationError(validateAll.errors ?? [], part)
  }
}

const KINDS = { body: 'create', change: 'change', querystring: 'query' } as const

/** Counts members and elements at all depths, up to `max`. */
function hasMoreValues(value: unknown, max: number): boolean {
  let left = max
  const count = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return false
    const members = Object.values(part)
    left -= members.length
    return left < 0 || members.some(count)
  }
  return count(value)
}

/** Forms of plain decimal numbers. Ajv also coerces `0x10`, `1e1`, ` 5`, and `1e309`, which is infinite. */
const NUMBERS: Record<string, { description: string; form: RegExp }> = {
  integer: { description: 'must be an integer', form: /^-?(?:0|[1-9]\d{0,14})$/ },
  number: { description: 'must be a number', form: /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/ },
}

/** Returns one check for each numeric parameter of a query. */
function numbersOf({ properties = {} }: TSchema & { properties?: Record<string, { type?: string }> }) {
  return Object.entries(properties).flatMap(([name, { type = '' }]) => {
    const known = NUMBERS[type]
    if (!known) return []
    return (query: Record<string, unknown>) => {
      const value = query[name]
      if (typeof value === 'string' && !known.form.test(value)) throw invalidField(name, known.description)
    }
  })
}

function validationError(found: ErrorObject[], of: string): ApiError {
  const part = of === 'querystring' ? of : 'body'
  const errors: Record<string, string[]> = {}
  for (const error of found) {
    const text = part === 'querystring' && isRepeated(error) ? 'must be sent only once' : textOf(error)
    if (text === null) continue
    const field = fieldOf(error) || part
    if (!(field in errors) && Object.keys(errors).length === WRONG_FIELDS_MAX) break
    errors[field] = [...(errors[field] ?? []), text]
  }
  for (const [field, texts] of Object.entries(errors)) errors[field] = withoutImplied(texts)
  const [field, texts] = Object.entries(errors)[0] ?? [part, ['is not valid']]
  return new ApiError('validation_failed', { message: `${field} ${texts[0]}`, errors })
}

/** Removes messages that another one implies: a value of a wrong type, or out of range, fails further checks, too. */
function withoutImplied(texts: string[]): string[] {
  const different = [...new Set(texts)]
  const enough = different.find((text) => LISTED.test(text)) ?? different.find((text) => TYPE_TEXT.test(text))
  if (enough !== undefined) return [enough]
  return different.length > 1 ? different.filter((text) => text !== NOT_AN_AMOUNT) : different
}

/** Whether a parameter of a query that takes one value was sent more than once. */
const isRepeated = ({ keyword, data }: ErrorObject) => keyword === 'type' && Array.isArray(data)

/** Returns the dotted name, such as `line_items.0.total`. */
function fieldOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (propertyName !== undefined) path.push(propertyName)
  return path.join('.').slice(0, FIELD_CHARACTERS_MAX)
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Returns the message; `null` for errors that only accompany another one. */
function textOf({ keyword, params, parentSchema, data }: ErrorObject): string | null {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${typesText([params.type].flat())}`
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`
    case 'const':
      return `must be one of ${constsOf(parentSchema)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'pattern':
      if (params.pattern !== FILLED) return 'is not valid'
      return data === '' ? null : 'must not be blank'
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} elements`
    case 'maxItems':
      return `must have at most ${params.limit} elements`
    case 'uniqueItems':
      return 'must not have an element twice'
    case 'maxProperties':
      return `must have at most ${params.limit} keys`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'format':
      return formatText(String(params.format), data)
    case 'not':
      return String((parentSchema as { description?: string } | undefined)?.description ?? 'cannot be sent')
    case 'anyOf':
    case 'propertyNames':
      return null
    default:
      return 'is not valid'
  }
}

function formatText(format: string, data: unknown): string {
  if (format === 'email' && hasForeignMailbox(String(data))) return FOREIGN_MAILBOX
  if (format === 'amount') return NOT_AN_AMOUNT
  if (format === 'date') return NOT_A_DATE
  return FORMATS[format]?.description ?? 'is not valid'
}

/** Lists types, such as `a string, number or boolean`. */
function typesText(types: string[]): string {
  const text = `${types.slice(0, -1).join(', ')}${types.length > 1 ? ' or ' : ''}${types.at(-1)}`
  return /^[aeio]/.test(text) ? `an ${text}` : `a ${text}`
}

function constsOf(schema: unknown): string {
  return String((schema as { const?: unknown } | undefined)?.const ?? 'the known values')
}
