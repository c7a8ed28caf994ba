import Type from 'typebox'
import { responseSchema } from '../../../lib/response-schema.ts'
import { type LookupResult, MESSAGE_VERSIONS, type MessageVersion } from '../../three-ds-server.ts'
import { usableIssuerUrl } from './issuer-url.ts'
import { erroIn, failed, failureOf, messageIn, type Reply } from './three-ds-io-errors.ts'
import { TransactionId } from './transaction-id.ts'

/** Of `/preauth`: the card's number belongs to no network that takes part. */
const NOT_ENROLLED = '305'
const METHOD_URL_MAX = 256
/** Of a directory that does not say. */
const FIRST_VERSION = '1.0.0'
const LAST_VERSION = '999.0.0'

const Version = () => Type.String({ pattern: '^\\d{1,3}(?:\\.\\d{1,3}){2,3}$' })

const CardRange = Type.Object({
  messageType: Type.Optional(Type.Literal('CRD')),
  threeDSServerTransID: TransactionId(),
  acsStartProtocolVersion: Version(),
  acsEndProtocolVersion: Version(),
  dsStartProtocolVersion: Type.Optional(Version()),
  dsEndProtocolVersion: Type.Optional(Version()),
  threeDSMethodURL: Type.Optional(Type.Unknown()),
})
const cardRangeSchema = responseSchema(CardRange)

/** The response of `/preauth`. */
export function readCardRange(reply: Reply, plainHosts: readonly string[]): LookupResult {
  if (erroIn(reply)?.errorCode === NOT_ENROLLED) return { outcome: 'not_supported' }
  const range = messageIn(reply, cardRangeSchema)
  if (!range) return failureOf(reply)
  const issuer = { start: range.acsStartProtocolVersion, end: range.acsEndProtocolVersion }
  const { dsStartProtocolVersion: start = FIRST_VERSION, dsEndProtocolVersion: end = LAST_VERSION } = range
  const directory = { start, end }
  if ([issuer, directory].some(({ start, end }) => compareVersions(start, end) > 0)) {
    return failed('the first protocol version is later than the last')
  }
  const messageVersion = highestVersion(issuer, directory)
  if (!messageVersion) return { outcome: 'not_supported' }
  const { threeDSMethodURL: given, threeDSServerTransID: serverTransactionId } = range
  // A method that cannot run never holds a payment up (TDS-6).
  const isUrl = typeof given === 'string' && given.length <= METHOD_URL_MAX
  const methodUrl = isUrl ? usableIssuerUrl(given, plainHosts) : null
  return { outcome: 'enrolled', serverTransactionId, messageVersion, methodUrl }
}

interface Range {
  start: string
  end: string
}

/** @see TDS-21 */
function highestVersion(...ranges: Range[]): MessageVersion | null {
  const isSupported = (version: string) =>
    ranges.every(({ start, end }) => compareVersions(start, version) <= 0 && compareVersions(version, end) <= 0)
  return MESSAGE_VERSIONS.findLast(isSupported) ?? null
}

/** By their numbers; a missing last one is 0: 2.3.1.1 is later than 2.3.1. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2, 3].map((index) => (left?.[index] ?? 0) - (right?.[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
