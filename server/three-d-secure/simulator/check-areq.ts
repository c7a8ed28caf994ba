import type { MessageVersion } from '../three-ds-server.ts'
import { AREQ_FIELDS } from './areq-fields.ts'
import type { Message, ProtocolError } from './messages.ts'

const ASCII = /^[\x20-\x7e]*$/

/** @returns the protocol's error, which names each wrong field, or `null` */
export function checkAreq(areq: Message): ProtocolError | null {
  const version = areq.messageVersion as MessageVersion
  const fields = Object.entries(AREQ_FIELDS)
  const missing = fields.filter(([name, { isRequired }]) => isRequired?.(areq, version) && isAbsent(areq[name]))
  if (missing.length > 0)
    return refusal(
      '201',
      'Required data element missing',
      missing.map(([name]) => name),
    )
  const malformed = fields.filter(([name, { fits }]) => !isAbsent(areq[name]) && !fits(areq[name], version))
  // Of fields that are not checked one by one, too.
  const foreign = Object.keys(areq).filter((name) => !isAscii(areq[name]))
  const wrong = new Set([...malformed.map(([name]) => name), ...foreign])
  if (wrong.size > 0) return refusal('203', 'Format of one or more data elements is invalid', [...wrong])
  return null
}

function refusal(code: string, description: string, names: string[]): ProtocolError {
  return { code, component: 'S', description, detail: names.join(', ') }
}

/** `null` and an empty text are wrong values: the protocol omits what is not known. */
const isAbsent = (value: unknown) => value === undefined

function isAscii(value: unknown): boolean {
  if (typeof value === 'string') return ASCII.test(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isAscii)
}
