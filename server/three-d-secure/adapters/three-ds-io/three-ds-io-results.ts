import Type, { type Static } from 'typebox'
import { holdsCardNumber } from '../../../lib/card-number-in-text.ts'
import { responseSchema } from '../../../lib/response-schema.ts'
import { Secret } from '../../../vault/secret.ts'
import { messageCategoryOf } from '../../areq.ts'
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeInquiry,
  ChallengeResult,
  ThreeDsServerFailure,
  TransStatus,
  Verdict,
} from '../../three-ds-server.ts'
import { usableIssuerUrl } from './issuer-url.ts'
import { erroIn, failed, failureOf, messageIn, type Reply } from './three-ds-io-errors.ts'
import { TransactionId } from './transaction-id.ts'

// A result decides whether a payment continues, so anything unknown, missing or contradictory is a failure. Values that
// are only shown or logged (`transStatusReason`, `cardholderInfo`) are ignored if unusable.

const URL_MAX = 2_048
const CARDHOLDER_INFO_MAX = 128
/** Length of 20 bytes in base64; some issuers omit the padding. */
const VALUE_CHARACTERS = 28
const VALUE = /^[A-Za-z0-9+/]{26,28}={0,2}$/
/** Since 2.3.1, a network may have a longer value in its own format, which is passed on unchanged. */
const LONG_VALUE_MAX = 4_000
const LONG_VALUE = /^[\x21-\x7e]{29,}$/
/** ECIs that mean "not authenticated". With Y and A they are a contradiction. */
const NOT_AUTHENTICATED = ['07', '00']
const DECIDED: readonly string[] = ['Y', 'A', 'N', 'U', 'R', 'I'] satisfies TransStatus[]

const Decision = {
  messageVersion: Type.String(),
  threeDSServerTransID: TransactionId(),
  acsTransID: Type.Optional(TransactionId()),
  dsTransID: Type.Optional(TransactionId()),
  transStatus: Type.String({ pattern: '^[A-Z]$' }),
  eci: Type.Optional(Type.String({ pattern: '^\\d{2}$' })),
  authenticationValue: Type.Optional(Type.String({ minLength: 26, maxLength: LONG_VALUE_MAX })),
  transStatusReason: Type.Optional(Type.Unknown()),
  cardholderInfo: Type.Optional(Type.Unknown()),
}
const Ares = Type.Object({
  ...Decision,
  messageType: Type.Literal('ARes'),
  acsURL: Type.Optional(Type.String({ maxLength: URL_MAX })),
})
const Rreq = Type.Object({
  ...Decision,
  messageType: Type.Literal('RReq'),
  messageCategory: Type.Unsafe<'01' | '02'>({ type: 'string', enum: ['01', '02'] }),
})
type Decided = Omit<Static<typeof Rreq>, 'messageType'>

const aresSchema = responseSchema(Ares)
const rreqSchema = responseSchema(Rreq)

/** Reads the response of `/auth`. `fields` are those of the request. */
export function readAres(
  reply: Reply,
  { fields, plainHosts, ...request }: AuthenticationRequest & { fields: string[]; plainHosts: readonly string[] },
): AuthenticationResult {
  const ares = messageIn(reply, aresSchema)
  if (!ares) return failureOf(reply, fields)
  if (ares.threeDSServerTransID !== request.serverTransactionId) return failed('the ARes is of another transaction')
  if (ares.messageVersion !== request.messageVersion) return failed('the ARes has another version than the request')
  if (ares.transStatus !== 'C') return verdictOf({ ...ares, messageCategory: messageCategoryOf(request) })
  const { acsTransID: acsTransactionId, acsURL = '', dsTransID: dsTransactionId = null } = ares
  const url = usableIssuerUrl(acsURL, plainHosts)
  if (!acsTransactionId || !url) return failed('the ARes asks for a challenge without a usable place for it')
  return { outcome: 'challenge', url, acsTransactionId, dsTransactionId }
}

/** Reads the response of `/postauth`. */
export function readRreq(
  reply: Reply,
  { serverTransactionId, acsTransactionId, messageVersion, reason }: Omit<ChallengeInquiry, 'signal'>,
): ChallengeResult {
  if (isUnknownYet(reply)) return { outcome: 'pending' }
  const rreq = messageIn(reply, rreqSchema)
  if (!rreq) return failureOf(reply)
  const isOther = acsTransactionId !== null && (rreq.acsTransID ?? acsTransactionId) !== acsTransactionId
  if (isOther || rreq.threeDSServerTransID !== serverTransactionId) return failed('the RReq is of another transaction')
  if (rreq.messageVersion !== messageVersion) return failed('the RReq has another version than the request')
  // Otherwise, an issuer could claim that a payment was the addition of a card, and thus owe no value.
  if (rreq.messageCategory !== messageCategoryOf({ reason })) return failed('the RReq has another category than asked')
  return verdictOf(rreq)
}

/**
 * Whether the result is not known yet. 3dsecure.io then responds with the same error as after it has forgotten the
 * result.
 */
function isUnknownYet(reply: Reply): boolean {
  const erro = erroIn(reply)
  if (erro?.errorComponent !== 'S') return false
  const text = `${erro.errorDescription} ${erro.errorDetail}`
  return erro.errorCode === '301' || (erro.errorCode === '203' && text.includes('threeDSServerTransID'))
}

function verdictOf(message: Decided): ({ outcome: 'decided' } & Verdict) | ThreeDsServerFailure {
  const { transStatus, eci = null, dsTransID: dsTransactionId = null } = message
  if (!isDecided(transStatus)) return failed(`transStatus ${transStatus} was not expected`)
  const isProven = transStatus === 'Y' || transStatus === 'A'
  if (isProven && eci !== null && NOT_AUTHENTICATED.includes(eci)) {
    return failed(`transStatus ${transStatus} contradicts the ECI ${eci}`)
  }
  const value = isProven ? proofOf(message) : null
  if (value === 'unusable') return failed(`transStatus ${transStatus} without a usable authentication value`)
  return {
    outcome: 'decided',
    transStatus,
    reason: reasonOf(message.transStatusReason),
    eci,
    value,
    dsTransactionId,
    cardholderInfo: cardholderInfoOf(message.cardholderInfo),
  }
}

const isDecided = (transStatus: string): transStatus is TransStatus => DECIDED.includes(transStatus)

/** Returns the authentication value. A payment needs it; the protocol does not require it if a card is only added. */
function proofOf({ authenticationValue, messageCategory, messageVersion }: Decided): Secret | null | 'unusable' {
  if (authenticationValue === undefined) return messageCategory === '02' ? null : 'unusable'
  if (messageVersion === '2.3.1' && LONG_VALUE.test(authenticationValue)) return new Secret(authenticationValue)
  const value = authenticationValue.padEnd(VALUE_CHARACTERS, '=')
  return VALUE.test(value) && value.length === VALUE_CHARACTERS ? new Secret(value) : 'unusable'
}

const reasonOf = (reason: unknown): string | null =>
  typeof reason === 'string' && /^\d{2}$/.test(reason) ? reason : null

/** Returns the text; since 2.3.1 it may be within an object. */
function cardholderInfoOf(info: unknown): string | null {
  const text = typeof info === 'object' && info !== null && 'text' in info ? info.text : info
  if (typeof text !== 'string' || !text.isWellFormed() || holdsCardNumber(text)) return null
  return [...text.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, CARDHOLDER_INFO_MAX).join('') || null
}
