import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import { holdsCardNumber } from '../lib/card-number-in-text.ts'
import { hasTooManyMarks } from '../lib/combining-marks.ts'
import { ApiError } from '../lib/errors.ts'
import { cardNumberRefusal, fieldName, marksRefusal } from './text-fields.ts'

/** No request needs more; JSON.parse itself accepts 200,000 levels. */
const DEPTH_MAX = 20
/** Keys that are only text, such as a builder's name in metadata; an object under them might reach a prototype. */
const KEYS_OF_NO_OBJECT = new Set<unknown>(['constructor', 'prototype'])

/**
 * Reads a request body more strictly than JSON.parse. It refuses duplicate keys (two readers could see two amounts),
 * deep nesting, keys that reach a prototype (FLT-63), numbers that reading would change, bytes that are not UTF-8
 * (decoding would silently put U+FFFD in their place), and texts that could not be normalized in time. A byte order
 * mark is skipped.
 *
 * @throws ApiError `validation_failed`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw refusal('The body is not UTF-8')
  const text = body.toString().replace(/^\ufeff/, '')
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusal('The body is not valid JSON')
  }
  checkStructure(text)
  return value
}

function checkStructure(text: string): void {
  const keysOfOpenObjects: Set<string>[] = []
  let depth = 0
  const enter = () => {
    depth += 1
    if (depth > DEPTH_MAX) throw refusal(`The body is nested deeper than ${DEPTH_MAX} levels`)
  }
  visit(text, {
    onObjectBegin(_offset, _length, _line, _character, pathOf) {
      enter()
      if (KEYS_OF_NO_OBJECT.has(pathOf().at(-1))) throw forbiddenKey()
      keysOfOpenObjects.push(new Set())
    },
    onObjectEnd() {
      depth -= 1
      keysOfOpenObjects.pop()
    },
    onArrayBegin: enter,
    onArrayEnd() {
      depth -= 1
    },
    onLiteralValue(value, offset, length, _line, _character, pathOf) {
      if (typeof value === 'number') checkNumber(text.slice(offset, offset + length), pathOf)
      if (typeof value === 'string' && hasTooManyMarks(value)) throw marksRefusal(pathOf().map(String))
    },
    onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
      if (key === '__proto__') throw forbiddenKey()
      const keys = keysOfOpenObjects.at(-1)
      if (hasTooManyMarks(key)) throw marksRefusal(pathOf().map(String))
      // Keys are read in NFC, so two spellings of one key are duplicates.
      const name = key.normalize('NFC')
      if (keys?.has(name)) throw refusal('The body has the same key twice')
      keys?.add(name)
    },
  })
}

const INEXACT_NUMBER =
  'must be a number that is exact as a double: at most 9007199254740992, and about 15 significant digits'

/**
 * Numbers are doubles, here and in most programs. A number that a double cannot hold would silently become another
 * amount.
 */
function checkNumber(source: string, pathOf: () => (string | number)[]): void {
  if (isExact(source)) return
  const path = pathOf().map(String)
  if (holdsCardNumber(source)) throw cardNumberRefusal(path, 'raw_card_data_not_supported')
  const field = fieldName(path)
  throw new ApiError('validation_failed', {
    message: `${field} ${INEXACT_NUMBER}`,
    errors: { [field]: [INEXACT_NUMBER] },
  })
}

function isExact(source: string): boolean {
  const number = Number(source)
  if (!Number.isFinite(number)) return false
  // This includes integers that happen to be doubles: their neighbours are not, so counting in them loses some.
  if (Math.abs(number) > 2 ** 53 && /^-?\d+$/.test(source)) return false
  if (String(number) === source) return true
  const sent = decimalOf(source)
  // Programs print a double with as few digits as distinguish it, or with 17, so that 29.95 is 29.949999999999999.
  return [String(number), number.toPrecision(17)].some((printed) => {
    const kept = decimalOf(printed)
    return sent.digits === kept.digits && (sent.digits === '' || sent.exponent === kept.exponent)
  })
}

/**
 * Returns the value of a number's text: its digits without leading and trailing zeros, and the power of ten of the last
 * one.
 */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  // A pattern for zeros at the end would be tried anew at each zero in the middle.
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return { digits: digits.slice(0, end), exponent: Number(power) - fraction.length + digits.length - end }
}

const forbiddenKey = () => refusal('The body has a key that is not allowed')

function refusal(message: string): ApiError {
  return new ApiError('validation_failed', { message, errors: { body: [message] } })
}
