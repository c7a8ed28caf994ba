import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isCountry } from '../../contract/places.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { centsFromDecimal } from '../lib/money.ts'
import { canonicalAddress } from './client-address.ts'
import { type CardNumberCode, FIELD_CHARACTERS_MAX, textReader } from './text-fields.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but tab and line breaks are text.
const CONTROL_IN_PARAGRAPH = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
/** One mailbox, no display name, no list; domain in ASCII. Linear, so that no text can make it slow. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))+$/

const LINE = {
  description: 'must be one line of text without control characters',
  check: (text: string) => isText(text, CONTROL),
}

/** The formats of contract/formats.ts, each with what it wants said. */
const FORMATS: Record<string, { description: string; check: (text: string) => boolean }> = {
  line: LINE,
  /** The one field that a card number is for. */
  'card-number': LINE,
  /** A token, a secret, a password: compared as it came, and never text of people. */
  opaque: { description: 'must be text', check: () => true },
  paragraph: {
    description: 'must be text without control characters',
    check: (text) => isText(text, CONTROL_IN_PARAGRAPH),
  },
  email: { description: 'must be one e-mail address, such as ana@example.com', check: (text) => EMAIL.test(text) },
  url: { description: 'must be an absolute URL', check: (text) => isText(text, CONTROL) && URL.canParse(text) },
  phone: { description: 'must have 10 to 15 digits', check: (text) => /^\+?[0-9]{10,15}$/.test(text) },
  country: { description: 'must be a country of ISO 3166-1, such as US', check: isCountry },
  ip: { description: 'must be an IPv4 or IPv6 address', check: (text) => canonicalAddress(text) !== null },
  bin: { description: 'must be the first 6 to 8 digits of a card number', check: (text) => /^\d{6,8}$/.test(text) },
  uuid: { description: 'must be a UUID in lower case', check: isUuid },
}

const AMOUNT_SAYS = 'must be an amount from 0 to 999999.99 with at most two decimals'
const DATE_SAYS = 'must be a day, YYYY-MM-DD'
/** The response stays smaller than the question. */
const WRONG_FIELDS_MAX = 50
/** A body with more is told of its first wrong field alone: naming them all would take longer the more there are. */
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
    // `strict: false` would also let 1e309 through, which JSON reads as Infinity and the database as null.
    strictNumbers: true,
    ownProperties: true,
    // Errors then have the schema that they are of, and its words: why a field cannot be sent, which word is the only one.
    verbose: true,
  })
  // The package is CommonJS with a default export inside its default export.
  ;(addFormats as unknown as { default: typeof addFormats.default }).default(ajv, ['date'])
  for (const [name, { check }] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate: check })
  ajv.addFormat('amount', { type: 'number', validate: (amount) => centsFromDecimal(amount) !== null })
  return ajv
}

/** Bodies say what they mean: "12.50" is not a number. */
const forBodies = {
  all: createAjv({ coerceTypes: false, allErrors: true }),
  first: createAjv({ coerceTypes: false, allErrors: false }),
}
/** Queries are text. */
const forQueries = {
  all: createAjv({ coerceTypes: true, allErrors: true }),
  first: createAjv({ coerceTypes: true, allErrors: false }),
}

/**
 * Makes the check of one schema. Texts are read in Unicode's form NFC, so lengths are counted in it, in code points.
 *
 * @param code of the refusal of a card number in a text
 * @returns a function that gives the value back, with defaults, or throws `validation_failed` naming every wrong field, or the
 *   first one of a very large value
 */
export function validatorOf<Value>(
  schema: TSchema,
  part: 'body' | 'querystring' = 'body',
  code?: CardNumberCode,
): (value: unknown) => Value {
  const readTexts = textReader(schema)
  const ajv = part === 'body' ? forBodies : forQueries
  const validate: ValidateFunction = ajv.first.compile(schema)
  // Compiled when it is needed, so that a start does not wait for it.
  let validateAll: ValidateFunction | undefined
  const numbers = part === 'querystring' ? numbersOf(schema) : []
  return (given) => {
    const value = readTexts(given, code)
    for (const check of numbers) check(value as Record<string, unknown>)
    if (validate(value)) return value as Value
    if (hasMoreValues(value, VALUES_TO_NAME_ALL_MAX)) throw validationError(validate.errors ?? [], part)
    validateAll ??= ajv.all.compile(schema)
    validateAll(value)
    throw validationError(validateAll.errors ?? [], part)
  }
}

/** Counts members and elements at all depths, and stops when there are too many. */
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

/** How people write numbers. Ajv takes whatever JavaScript can make one of: `0x10`, `1e1`, ` 5`, and `1e309`, which is infinite. */
const NUMBERS: Record<string, { description: string; form: RegExp }> = {
  integer: { description: 'must be an integer', form: /^-?(?:0|[1-9]\d{0,14})$/ },
  number: { description: 'must be a number', form: /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/ },
}

/** A check for each parameter of a query that is a number. */
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

function validationError(found: ErrorObject[], part: string): ApiError {
  const errors: Record<string, string[]> = {}
  for (const error of found) {
    const text = textOf(error)
    if (text === null) continue
    const field = fieldOf(error) || part
    if (!(field in errors) && Object.keys(errors).length === WRONG_FIELDS_MAX) break
    const texts = errors[field] ?? []
    if (!texts.includes(text)) texts.push(text)
    errors[field] = texts
  }
  const [field, texts] = Object.entries(errors)[0] ?? [part, ['is not valid']]
  return new ApiError('validation_failed', { message: `${field} ${texts[0]}`, errors })
}

/** Dotted: `line_items.0.total`. */
function fieldOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (propertyName !== undefined) path.push(propertyName)
  return path.join('.').slice(0, FIELD_CHARACTERS_MAX)
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** `null` for errors that only repeat another one. */
function textOf({ keyword, params, parentSchema }: ErrorObject): string | null {
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
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit} elements`
    case 'maxItems':
      return `must have at most ${params.limit} elements`
    case 'maxProperties':
      return `must have at most ${params.limit} keys`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'format':
      return formatText(String(params.format))
    case 'not':
      return String((parentSchema as { description?: string } | undefined)?.description ?? 'cannot be sent')
    case 'anyOf':
    case 'propertyNames':
      return null
    default:
      return 'is not valid'
  }
}

function formatText(format: string): string {
  if (format === 'amount') return AMOUNT_SAYS
  if (format === 'date') return DATE_SAYS
  return FORMATS[format]?.description ?? 'is not valid'
}

/** "a string, number or boolean". */
function typesText(types: string[]): string {
  const text = `${types.slice(0, -1).join(', ')}${types.length > 1 ? ' or ' : ''}${types.at(-1)}`
  return /^[aeio]/.test(text) ? `an ${text}` : `a ${text}`
}

function constsOf(schema: unknown): string {
  return String((schema as { const?: unknown } | undefined)?.const ?? 'the known values')
}
