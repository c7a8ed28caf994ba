import { setTimeout as sleep } from 'node:timers/promises'
import { MESSAGE_VERSIONS, type MessageVersion } from '../three-ds-server.ts'
import { checkAreq } from './check-areq.ts'
import { challengedBy, erro, type Message, type ProtocolError, verdict } from './messages.ts'
import type { ScriptedCall } from './script.ts'
import type { SimulatorParts } from './simulator-parts.ts'
import type { AcceptedRequest, Transaction } from './transactions.ts'

// API of the 3-D Secure server for requestors, in the formats of 3dsecure.io. The body of an error is the protocol's
// message of type Erro.

export interface ApiReply {
  status: number
  message: Message
}

/** How long the 3-D Secure server waits for the directory server. */
const DIRECTORY_TIMEOUT_MS = 10_000
/** Port that nothing listens on, and that browsers do not block like ports of known services. */
const CLOSED_PORT = '2'
const NUMBER = /^\d{13,19}$/

interface ApiCall {
  scripted: ScriptedCall
  noted: 'preauths' | 'areqs' | 'postauths'
  respond: (parts: SimulatorParts, body: Message) => ApiReply | Promise<ApiReply>
}

export const API_CALLS: Record<string, ApiCall> = {
  '/3ds/preauth': { scripted: 'preauth', noted: 'preauths', respond: preauth },
  '/3ds/auth': { scripted: 'auth', noted: 'areqs', respond: authenticate },
  '/3ds/postauth': { scripted: 'postauth', noted: 'postauths', respond: postauth },
}

function preauth({ transactions, publicUrl, now }: SimulatorParts, body: Message): ApiReply {
  const { acctNumber: number } = body
  if (number === undefined) return refuse(400, missing('acctNumber'))
  if (typeof number !== 'string' || !NUMBER.test(number)) return refuse(400, malformed('acctNumber'))
  const transaction = transactions.create(number, now())
  const { enrollment, method } = transaction.behaviour
  if (enrollment === 'not_enrolled') return refuse(400, NOT_ENROLLED)
  if (enrollment === 'lookup_fails') return refuse(500, LOOKUP_FAILS)
  const isVersion1 = enrollment === 'only_version_1'
  const methodUrl = method === 'refuses' ? closedUrl(publicUrl()) : `${publicUrl()}/sim/acs/method`
  const info = { acsInfoInd: ['01', '02'], ...(method !== 'none' && !isVersion1 && { threeDSMethodURL: methodUrl }) }
  return ok({
    messageType: 'CRD',
    threeDSServerTransID: transaction.serverTransactionId,
    acsStartProtocolVersion: isVersion1 ? '1.0.2' : '2.1.0',
    acsEndProtocolVersion: isVersion1 ? '1.0.2' : enrollment,
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.3.1',
    dsProtocolVersions: MESSAGE_VERSIONS,
    threeDSServerProtocolVersions: MESSAGE_VERSIONS,
    acsProtocolVersions: isVersion1
      ? [{ version: '1.0.2' }]
      : MESSAGE_VERSIONS.filter((version) => version <= enrollment).map((version) => ({ version, ...info })),
    scheme: 'standin',
    ...info,
  })
}

async function authenticate(parts: SimulatorParts, areq: Message): Promise<ApiReply> {
  const { transactions, timeScale, now } = parts
  const about = aboutAreq(areq)
  const wrong = checkAreq(areq)
  if (wrong) return refuse(400, wrong, about)
  const transaction = transactions.findUnused(areq.threeDSServerTransID, now())
  if (!transaction) return refuse(400, UNKNOWN_TRANSACTION, about)
  if (transaction.number !== areq.acctNumber) return refuse(400, OTHER_CARD, about)
  if (!supports(transaction, areq.messageVersion)) return refuse(400, UNSUPPORTED_VERSION, about)
  transaction.request = acceptedRequest(areq)
  const { result } = transaction.behaviour
  if (result === 'error') return refuse(400, malformed('acctNumber'), about)
  if (result !== 'silent') return ok(ares(parts, transaction, transaction.request))
  await sleep(DIRECTORY_TIMEOUT_MS * timeScale, undefined, { ref: false })
  return refuse(504, DIRECTORY_SILENT, about)
}

function postauth({ transactions, now }: SimulatorParts, body: Message): ApiReply {
  const { threeDSServerTransID: id } = body
  if (id === undefined) return refuse(400, missing('threeDSServerTransID'))
  const result = transactions.resultOf(id, now())
  return result ? ok(result) : refuse(404, NO_RESULT, { threeDSServerTransID: id })
}

function ares({ publicUrl }: SimulatorParts, transaction: Transaction, { version }: AcceptedRequest): Message {
  const { serverTransactionId, acsTransactionId, dsTransactionId, number, behaviour } = transaction
  const { result: transStatus } = behaviour
  if (transStatus === 'C') transaction.challenge.stage = 'required'
  return {
    messageType: 'ARes',
    messageVersion: version,
    threeDSServerTransID: serverTransactionId,
    acsTransID: acsTransactionId,
    acsReferenceNumber: 'rialto-simulated-bank',
    acsOperatorID: 'rialto-simulated-bank',
    dsTransID: dsTransactionId,
    dsReferenceNumber: 'rialto-simulated-directory',
    ...verdict({ transStatus, number, acsTransactionId }),
    ...(transStatus === 'C' && { acsURL: `${publicUrl()}/sim/acs/challenge`, acsChallengeMandated: 'Y' }),
    ...('CD'.includes(transStatus) && challengedBy(version)),
    ...(transStatus === 'D' && { acsDecConInd: 'Y' }),
  }
}

function closedUrl(url: string): string {
  return Object.assign(new URL('/method', url), { port: CLOSED_PORT }).href
}

function supports({ behaviour: { enrollment } }: Transaction, version: unknown): boolean {
  return /^\d/.test(enrollment) && typeof version === 'string' && version <= enrollment
}

function acceptedRequest(areq: Message): AcceptedRequest {
  const { purchaseAmount: minorUnits, purchaseCurrency: currency, purchaseExponent: exponent } = areq
  const hasAmount = minorUnits !== undefined && currency !== undefined && exponent !== undefined
  return {
    version: areq.messageVersion as MessageVersion,
    category: String(areq.messageCategory),
    notificationUrl: String(areq.notificationURL),
    language: String(areq.browserLanguage ?? 'en'),
    merchantName: String(areq.merchantName ?? ''),
    amount: hasAmount
      ? { minorUnits: String(minorUnits), currency: String(currency), exponent: String(exponent) }
      : null,
  }
}

const ok = (message: Message): ApiReply => ({ status: 200, message })
const refuse = (status: number, error: ProtocolError, about?: Message): ApiReply => ({
  status,
  message: erro(error, about),
})

function aboutAreq({ threeDSServerTransID, messageVersion }: Message): Message {
  return {
    errorMessageType: 'AReq',
    ...(typeof threeDSServerTransID === 'string' && { threeDSServerTransID }),
    ...(typeof messageVersion === 'string' && { messageVersion }),
  }
}

function missing(name: string): ProtocolError {
  return { code: '201', component: 'S', description: 'Required data element missing', detail: name }
}

function malformed(name: string): ProtocolError {
  return { code: '203', component: 'S', description: 'Format of one or more data elements is invalid', detail: name }
}

const NOT_ENROLLED: ProtocolError = {
  code: '305',
  component: 'S',
  description: 'Unknown BIN',
  detail: 'BIN not enrolled by any known scheme',
}
const LOOKUP_FAILS: ProtocolError = {
  code: '403',
  component: 'S',
  description: 'Transient system failure',
  detail: 'The card ranges are not available',
}
const UNKNOWN_TRANSACTION: ProtocolError = {
  code: '301',
  component: 'S',
  description: 'Transaction ID not recognised',
  detail: 'threeDSServerTransID',
}
const OTHER_CARD: ProtocolError = {
  code: '305',
  component: 'S',
  description: 'Transaction data not valid',
  detail: 'acctNumber differs from that of the lookup',
}
const UNSUPPORTED_VERSION: ProtocolError = {
  code: '102',
  component: 'D',
  description: 'Message version number not supported',
  detail: 'messageVersion',
}
const DIRECTORY_SILENT: ProtocolError = {
  code: '405',
  component: 'S',
  description: 'Unable to contact Directory Server',
  detail: 'Connection timeout',
}
/** 3dsecure.io has no specific response for a challenge that has not ended. */
const NO_RESULT: ProtocolError = {
  code: '203',
  component: 'S',
  description: 'Unknown threeDSServerTransID',
  detail: 'Unknown threeDSServerTransID',
}
