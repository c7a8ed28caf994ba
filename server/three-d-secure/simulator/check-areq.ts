import { MESSAGE_VERSIONS } from '../three-ds-server.ts'
import { areqFields } from './areq-fields.ts'
import type { Message, ProtocolError } from './messages.ts'

const ASCII = /^[\x20-\x7e]*$/

/**
 * Checks all fields of the version. A field that the version does not have is refused too: networks ignore it, so the
 * sender would never learn that it has no effect.
 *
 * @returns the protocol's error, which names each wrong field, or `null`
 */
export function checkAreq(areq: Message): ProtocolError | null {
  const version = MESSAGE_VERSIONS.find((one) => one === areq.messageVersion)
  if (version === undefined) {
    return isAbsent(areq.messageVersion)
      ? refusal('201', 'Required data element missing', ['messageVersion'])
      : refusal('203', 'Format of one or more data elements is invalid', ['messageVersion'])
  }
  const table = areqFields(version, areq.messageCategory)
  const fields = Object.entries(table)
  const missing = fields.filter(([name, { isRequired }]) => isRequired?.(areq, version) && isAbsent(areq[name]))
  if (missing.length > 0)
    return refusal(
      '201',
      'Required data element missing',
      missing.map(([name]) => name),
    )
  const malformed = fields.filter(([name, { fits }]) => !isAbsent(areq[name]) && !fits(areq[name], version))
  // Applies also within objects whose members are not checked.
  const foreign = Object.keys(areq).filter((name) => !Object.hasOwn(table, name) || !isAscii(areq[name]))
  const wrong = new Set([...malformed.map(([name]) => name), ...foreign])
  if (wrong.size > 0) return refusal('203', 'Format of one or more data elements is invalid', [...wrong])
  return null
}

function refusal(code: string, description: string, names: string[]): ProtocolError {
  return { code, component: 'S', description, detail: names.join(', ') }
}

/** `null` and an empty text are wrong values: the protocol omits unknown fields. */
const isAbsent = (value: unknown) => value === undefined

function isAscii(value: unknown): boolean {
  if (typeof value === 'string') return ASCII.test(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isAscii)
}
