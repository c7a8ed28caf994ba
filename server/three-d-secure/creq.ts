import Type from 'typebox'
import { type ResponseSchema, responseSchema } from '../lib/response-schema.ts'
import type { ChallengeWindow, MessageVersion } from './three-ds-server.ts'

// Messages that pass through the payer's browser to and from the issuer's pages: JSON in base64url, sent without
// padding. What comes back can be forged and may have any content and size, so it only shows that the browser came back
// (TDS-6, TDS-7).

/** Width and height in pixels; `null` means as large as possible. */
export const WINDOW_SIZES: Record<ChallengeWindow, { width: number; height: number } | null> = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  '05': null,
}

/** Maximum number of posted characters. Real messages have a few hundred. */
const POSTED_MAX = 16_384
/** Some issuers use the alphabet of base64, and some add padding. */
const BASE64 = /^[\w+/-]+={0,2}$/

const Id = () => Type.String({ pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' })

const Cres = responseSchema(
  Type.Object({
    messageType: Type.Literal('CRes'),
    threeDSServerTransID: Id(),
    acsTransID: Id(),
    transStatus: Type.String({ pattern: '^[A-Z]$' }),
  }),
)
const MethodNotification = responseSchema(Type.Object({ threeDSServerTransID: Id() }))

interface ChallengeRequest {
  serverTransactionId: string
  acsTransactionId: string
  messageVersion: MessageVersion
  window: ChallengeWindow
}

/** @returns the value of the field `creq`, which a form posts to the issuer's challenge */
export function encodeCreq({
  serverTransactionId,
  acsTransactionId,
  messageVersion,
  window,
}: ChallengeRequest): string {
  return encode({
    threeDSServerTransID: serverTransactionId,
    acsTransID: acsTransactionId,
    messageVersion,
    messageType: 'CReq',
    challengeWindowSize: window,
  })
}

/** @returns the value of the field `threeDSMethodData`, which a form posts to the issuer's method */
export function encodeMethodData(method: { serverTransactionId: string; notificationUrl: string }): string {
  return encode({
    threeDSServerTransID: method.serverTransactionId,
    threeDSMethodNotificationURL: method.notificationUrl,
  })
}

/**
 * Reads what the issuer's method posts when it is done.
 *
 * @param posted the parsed form body
 * @returns `null` if it is not such a notification
 */
export function readMethodNotification(posted: unknown): { serverTransactionId: string } | null {
  const notification = decode(posted, 'threeDSMethodData', MethodNotification)
  return notification && { serverTransactionId: notification.threeDSServerTransID }
}

/** Result of a challenge as the browser brings it. `transStatus` proves nothing. */
export interface BrowserResult {
  serverTransactionId: string
  acsTransactionId: string
  transStatus: string
}

/**
 * Reads what the issuer's page posts after a challenge.
 *
 * @param posted the parsed form body
 * @returns `null` if it does not contain a result, including if the issuer reports an error
 */
export function readCres(posted: unknown): BrowserResult | null {
  const cres = decode(posted, 'cres', Cres)
  if (!cres) return null
  const { threeDSServerTransID: serverTransactionId, acsTransID: acsTransactionId, transStatus } = cres
  return { serverTransactionId, acsTransactionId, transStatus }
}

const encode = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url')

function decode<Message>(posted: unknown, field: string, schema: ResponseSchema<Message>): Message | null {
  if (typeof posted !== 'object' || posted === null || !Object.hasOwn(posted, field)) return null
  const text: unknown = (posted as Record<string, unknown>)[field]
  if (typeof text !== 'string' || text.length > POSTED_MAX || !BASE64.test(text)) return null
  const message = parsed(Buffer.from(text, 'base64url').toString())
  return schema.matches(message) ? message : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
