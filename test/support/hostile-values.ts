import { FILLED } from '../../contract/formats.ts'
import type { JsonSchema } from './schema-fields.ts'

/** A value of a field as JSON text, because JSON.stringify can write neither 1e309 nor -0. */
export interface HostileValue {
  name: string
  /** `undefined` omits the field. */
  json: string | undefined
  /** Whether the schema refuses it; otherwise another rule may. */
  isRefused: boolean
}

const TEXTS: Record<string, string> = {
  NUL: 'a\0b',
  'a lone surrogate': 'a\ud800b',
  'the other surrogate alone': '\udc00',
  'a line break and a header': 'a\r\nSet-Cookie: b=c',
  'a terminal sequence': '\u001b[31mred',
}
/** Text that is valid in a free-text field and invalid in any other. */
const FOREIGN: Record<string, string> = {
  'an emoji': '🎂🏳️‍🌈',
  'right-to-left text': 'مرحبا',
  'a right-to-left override': 'a\u202eb',
}
const PEOPLE = ['line', 'paragraph']
/** Formats that only describe the purpose of a text, with the format that accepts the same texts. */
const SAME_TEXTS = new Map([
  ['opaque', undefined],
  ['card-number', 'line'],
])
const NUMBERS = ['1e309', '-1e309', '-0', '-1', '0.30000000000000004', '12.345', '1e-7', '99999999999999.99']
/** Numbers that a double cannot represent exactly. */
const LOST_NUMBERS = ['12345678901234567890', '9007199254740993', '5.000000000000000001', '1e-400']
const WRONG_TYPES: Record<string, string> = {
  text: '"x"',
  number: '7',
  yes: 'true',
  list: '[]',
  object: '{}',
  'list of one': '[1]',
}

const NOTHING = new Set<string | undefined>(['null', '""'])

/** All values that FLT-62 to FLT-70 send in a field. */
export function hostileValues(schema: JsonSchema, isRequired: boolean, method = 'PATCH'): HostileValue[] {
  const isOptional = !isRequired && method !== 'PATCH'
  return (
    valuesFor(schema, isRequired)
      .map((value) => (schema.not ? { ...value, isRefused: value.json !== undefined } : value))
      // An empty value counts as a field that is not given, if the field is optional (API-24).
      .map((value) => (isOptional && NOTHING.has(value.json) ? { ...value, isRefused: false } : value))
      // An empty list is an empty map.
      .filter(({ json }) => !(json === '[]' && [schema.type].flat().includes('object')))
  )
}

function valuesFor(schema: JsonSchema, isRequired: boolean): HostileValue[] {
  const types = schema.anyOf ? null : [schema.type ?? 'string'].flat()
  const takes = (type: string) => types === null || types.includes(type)
  return [
    { name: 'missing', json: undefined, isRefused: isRequired },
    { name: 'null', json: 'null', isRefused: types !== null && !takes('null') },
    ...wrongTypes(takes),
    ...(takes('string') ? texts(schema) : []),
    ...(takes('number') || takes('integer') ? numbers(schema) : []),
  ]
}

function wrongTypes(takes: (type: string) => boolean): HostileValue[] {
  const typeOf = (json: string) => {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? 'array' : typeof value
  }
  const fits = (type: string) => takes(type) || (type === 'number' && takes('integer'))
  return Object.entries(WRONG_TYPES)
    .filter(([, json]) => !fits(typeOf(json)))
    .map(([name, json]) => ({ name: `${name} instead`, json, isRefused: true }))
}

function texts({
  format: given,
  maxLength,
  minLength = 0,
  enum: words,
  pattern,
  const: only,
}: JsonSchema): HostileValue[] {
  const format = SAME_TEXTS.has(given ?? '') ? SAME_TEXTS.get(given ?? '') : given
  const isFree = words === undefined && (pattern === undefined || pattern === FILLED) && only === undefined
  const isChecked = !isFree || format !== undefined
  const isForPeople = isFree && PEOPLE.includes(format ?? '')
  const isParagraph = isFree && format === 'paragraph'
  const value = (name: string, text: string, isRefused: boolean) => ({ name, json: JSON.stringify(text), isRefused })
  return [
    value('empty', '', !isFree || minLength > 0 || (format !== undefined && !isForPeople)),
    ...Object.entries(TEXTS).map(([name, text]) =>
      value(name, text, isChecked && !(isParagraph && text.includes('\r\n'))),
    ),
    ...Object.entries(FOREIGN).map(([name, text]) => value(name, text, isChecked && !isForPeople)),
    value('6,000 combining marks', `e${'\u0301'.repeat(6_000)}`, isChecked || (maxLength ?? Infinity) <= 6_000),
    ...(maxLength === undefined ? [] : [value('a character too many', 'x'.repeat(maxLength + 1), true)]),
    value('SQL', "'; drop table business; --", isChecked && !isForPeople),
  ]
}

function numbers({ format, type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity }: JsonSchema) {
  const lost = LOST_NUMBERS.map((json): HostileValue => ({ name: json, json, isRefused: true }))
  const others = NUMBERS.map((json): HostileValue => {
    const number = JSON.parse(json) as number
    const isWhole = ![type].flat().includes('integer') || Number.isInteger(number)
    const isAmount = format !== 'amount' || /^\d{1,6}(\.\d{1,2})?$/.test(String(number))
    const inRange = number >= minimum && number <= maximum && number > exclusiveMinimum
    return { name: json, json, isRefused: !Number.isFinite(number) || !isWhole || !isAmount || !inRange }
  })
  return [...lost, ...others]
}
