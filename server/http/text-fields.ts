import { isIP } from 'node:net'
import type { TSchema } from 'typebox'
import { CARD_NUMBER_IN_TEXT } from '../../contract/card-number-in-text.ts'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import { hasTooManyMarks, TOO_MANY_MARKS } from '../lib/combining-marks.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'

/** Longest field name. Metadata keys are field names, too, and may be as long as the body. */
export const FIELD_CHARACTERS_MAX = 200
/** Formats whose well-formed strings are not searched for card numbers: ids and addresses contain digits, too. */
const NOT_TEXT: Record<string, (value: string) => boolean> = {
  uuid: isUuid,
  ip: (value) => isIP(value) > 0,
  'ddd-session-id': (value) => value.startsWith('ddd_') && isUuid(value.slice(4)),
  opaque: () => true,
  'card-number': () => true,
}

/** The code of a refused card number. Payers get `validation_failed`, as for any wrong field. */
export type CardNumberCode = 'raw_card_data_not_supported' | 'validation_failed'

/**
 * Makes a reader of bodies or queries that normalizes every string and key to Unicode NFC, refuses a card number in any
 * of them, and drops the members that the schema does not know. Formats of the schema exempt strings that are not text.
 *
 * @param schema without it, every string is text
 * @returns a function that throws an ApiError naming the field, or the object that contains the key; it never repeats
 * the number
 */
export function textReader(schema?: TSchema): (value: unknown, code?: CardNumberCode) => unknown {
  const exempt = schema ? exemptionsOf(schema as SchemaNode) : NOTHING
  return (value, code = 'validation_failed') => read(value, exempt, { path: [], code })
}

/** @param path path of the field, or of the object that contains the key */
export function cardNumberRefusal(path: string[], code: CardNumberCode): ApiError {
  const field = fieldName(path)
  const errors = { [field]: [CARD_NUMBER_IN_TEXT] }
  return new ApiError(code, { message: `${field} ${CARD_NUMBER_IN_TEXT}`, errors })
}

/**
 * Refuses texts that could not be normalized in time, in the values and keys of a form or a query.
 *
 * @throws ApiError `validation_failed`
 */
export function refuseMarks(fields: unknown, part: 'body' | 'querystring'): void {
  for (const [key, value] of Object.entries(fields ?? {})) {
    if (hasTooManyMarks(key)) throw marksRefusal([part])
    const texts = Array.isArray(value) ? value : [value]
    if (texts.some((text) => typeof text === 'string' && hasTooManyMarks(text))) throw marksRefusal([key])
  }
}

/** @param path path of the field, or of the object that contains the key */
export function marksRefusal(path: string[]): ApiError {
  return invalidField(fieldName(path), TOO_MANY_MARKS)
}

/** Returns the dotted name, up to a key that contains a card number; `body` for the body itself. */
export function fieldName(path: string[]): string {
  const end = path.findIndex(holdsCardNumber)
  const named = path.slice(0, end < 0 ? undefined : end).join('.')
  return named.slice(0, FIELD_CHARACTERS_MAX) || 'body'
}

/** Strings of a value that are exempt because they are not text. */
interface Exemptions {
  itself(value: string): boolean
  /** Longer strings than this, in code units before normalization, are too long for the schema. */
  unitsMax: number
  members: Map<string, Exemptions>
  elements: Exemptions | null
  /** Whether other members are dropped: the schema names members and says nothing of others (CHK-3). */
  dropsOthers: boolean
}
const NOTHING: Exemptions = {
  itself: () => false,
  unitsMax: Infinity,
  members: new Map(),
  elements: null,
  dropsOthers: false,
}

/**
 * Returns the longest text to read. In NFC at most four code points become one, each of at most two code units. Short
 * texts are always read.
 */
const unitsMaxOf = (maxLength: number) => Math.max(1_000, maxLength * 8)

interface SchemaNode {
  format?: string
  maxLength?: number
  properties?: Record<string, SchemaNode>
  patternProperties?: object
  additionalProperties?: unknown
  items?: SchemaNode
  anyOf?: SchemaNode[]
}

function exemptionsOf(schema: SchemaNode): Exemptions {
  const { format = '', maxLength = Infinity, properties = {}, items, anyOf = [] } = schema
  const choices = anyOf.map(exemptionsOf)
  const own = Object.entries(properties).map(([key, member]) => [key, exemptionsOf(member)] as const)
  const isExempt = NOT_TEXT[format]
  return {
    unitsMax: anyOf.length > 0 ? Math.max(...choices.map(({ unitsMax }) => unitsMax)) : unitsMaxOf(maxLength),
    itself: (value) => isExempt?.(value) === true || choices.some(({ itself }) => itself(value)),
    members: new Map([...choices.flatMap(({ members }) => [...members]), ...own]),
    elements: items ? exemptionsOf(items) : (choices.find(({ elements }) => elements)?.elements ?? null),
    dropsOthers: 'properties' in schema && !('patternProperties' in schema) && !('additionalProperties' in schema),
  }
}

interface Place {
  path: string[]
  code: CardNumberCode
}

function read(value: unknown, exempt: Exemptions, place: Place): unknown {
  if (typeof value === 'string') {
    // The schema refuses a text that is too long, so nothing is done with it.
    return exempt.itself(value) || value.length > exempt.unitsMax ? value : readText(value, place)
  }
  if (typeof value === 'number') return readNumber(value, exempt, place)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((element, index) => read(element, exempt.elements ?? NOTHING, inside(place, String(index))))
  }
  return readMembers(value, exempt, place)
}

/** Reads all members, even those that are dropped, since a card number in them is refused. */
function readMembers(value: object, exempt: Exemptions, place: Place): object {
  const kept: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    // The name itself contains the number and must not be repeated.
    if (holdsCardNumber(key)) throw cardNumberRefusal(place.path, place.code)
    const text = read(member, exempt.members.get(key) ?? NOTHING, inside(place, key))
    const name = key.normalize('NFC')
    if (!exempt.dropsOthers || exempt.members.has(name)) kept.push([name, text])
  }
  return Object.fromEntries(kept)
}

/** Reads a number. Where a text may hold a card number, the schema refuses a number for its type. */
function readNumber(value: number, exempt: Exemptions, place: Place): number {
  const digits = String(value)
  if (!exempt.itself(digits) && holdsCardNumber(digits)) throw cardNumberRefusal(place.path, place.code)
  return value
}

function readText(text: string, place: Place): string {
  if (holdsCardNumber(text) || (text.includes('%') && holdsCardNumber(decoded(text))))
    throw cardNumberRefusal(place.path, place.code)
  return text.normalize('NFC')
}

const inside = ({ path, code }: Place, key: string): Place => ({ path: [...path, key], code })

/** Decodes text, because digits and spaces may be percent-encoded: `4242%204242`. */
function decoded(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
