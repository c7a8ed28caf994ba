import Type, { type Static } from 'typebox'
import { responseSchema } from '../../../lib/response-schema.ts'
import type { LookupResult, MessageVersion } from '../../three-ds-server.ts'
import { usableIssuerUrl } from './issuer-url.ts'
import { erroIn, failed, failureOf, messageIn, type Reply } from './three-ds-io-errors.ts'
import { TransactionId } from './transaction-id.ts'

/** Error code of `/preauth`: the card's number does not belong to a participating network. */
const NOT_ENROLLED = '305'
const METHOD_URL_MAX = 256
/** Versions assumed if a directory server does not state any. */
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
  /** Single versions with their own details. Older servers return only the ranges. */
  acsProtocolVersions: Type.Optional(
    Type.Array(Type.Object({ version: Version(), threeDSMethodURL: Type.Optional(Type.Unknown()) }), { maxItems: 100 }),
  ),
  dsProtocolVersions: Type.Optional(Type.Array(Version(), { maxItems: 100 })),
  threeDSServerProtocolVersions: Type.Optional(Type.Array(Version(), { maxItems: 100 })),
})
type CardRange = Static<typeof CardRange>
const cardRangeSchema = responseSchema(CardRange)

interface Own {
  plainHosts: readonly string[]
  /** Versions that we support, newest last. */
  versions: readonly MessageVersion[]
}

/** Reads the response of `/preauth`. */
export function readCardRange(reply: Reply, { plainHosts, versions }: Own): LookupResult {
  if (erroIn(reply)?.errorCode === NOT_ENROLLED) return { outcome: 'not_supported' }
  const range = messageIn(reply, cardRangeSchema)
  if (!range) return failureOf(reply)
  const issuer = { start: range.acsStartProtocolVersion, end: range.acsEndProtocolVersion }
  const { dsStartProtocolVersion: start = FIRST_VERSION, dsEndProtocolVersion: end = LAST_VERSION } = range
  const directory = { start, end }
  if ([issuer, directory].some(({ start, end }) => compareVersions(start, end) > 0)) {
    return failed('the first protocol version is later than the last')
  }
  const isInRanges = (version: string) =>
    [issuer, directory].every(
      ({ start, end }) => compareVersions(start, version) <= 0 && compareVersions(version, end) <= 0,
    )
  const messageVersion = versions.findLast((version) => isInRanges(version) && isListed(range, version))
  if (!messageVersion) return { outcome: 'not_supported' }
  const { threeDSServerTransID: serverTransactionId } = range
  return {
    outcome: 'enrolled',
    serverTransactionId,
    messageVersion,
    methodUrl: methodUrlOf(range, messageVersion, plainHosts),
  }
}

/**
 * Whether all lists contain the version. A list is more exact than the range beside it, which may have gaps: no issuer
 * supports 2.3.0.
 */
function isListed(range: CardRange, version: MessageVersion): boolean {
  const issuer = range.acsProtocolVersions?.map((one) => one.version)
  const lists = [issuer, range.dsProtocolVersions, range.threeDSServerProtocolVersions]
  return lists.every((list) => list === undefined || list.some((one) => compareVersions(one, version) === 0))
}

/**
 * Returns the method URL of the version, which may have none although another version has one. A method that cannot run
 * is ignored (TDS-6).
 */
function methodUrlOf(range: CardRange, version: MessageVersion, plainHosts: readonly string[]): string | null {
  const own = range.acsProtocolVersions?.find((one) => compareVersions(one.version, version) === 0)
  const { threeDSMethodURL: given } = own ?? range
  const isUrl = typeof given === 'string' && given.length <= METHOD_URL_MAX
  return isUrl ? usableIssuerUrl(given, plainHosts) : null
}

/** Compares versions numerically; a missing last number is 0: 2.3.1.1 is later than 2.3.1. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2, 3].map((index) => (left?.[index] ?? 0) - (right?.[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
