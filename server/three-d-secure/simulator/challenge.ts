import { plainDigits } from '../../../contract/typed-card.ts'
import type { BankPage } from './bank-document.ts'
import { bankTexts } from './bank-texts.ts'
import { CODE_TRIES, challengePage, failedPage, overPage, returnPage, waitingPage } from './challenge-page.ts'
import { challengedBy, type Message, verdict } from './messages.ts'
import type { SimulatorParts } from './simulator-parts.ts'
import type { AcceptedRequest, Transaction } from './transactions.ts'

// Challenge at the simulated bank: from the request (CReq) that the payer's browser posts, to the response (CRes) that
// it posts back and the result (RReq) that the bank sends to the 3-D Secure server.

const CODE_THAT_PASSES = '123456'
const CODE_THAT_FAILS = '000000'
/** Reason codes of the protocol: too many challenges, and not performed by the cardholder. */
const TOO_MANY_TRIES = '19'
const NOT_PERFORMED = '26'
const WINDOW_SIZES = /^0[1-5]$/
const SESSION_DATA_MAX = 1024

/** End of a challenge: for the 3-D Secure server (`null` if nothing arrives there), and for the browser. */
interface Ending {
  result: { transStatus: 'Y' | 'N' | 'U'; reason?: string; isCanceled?: true } | null
  browser: 'Y' | 'N' | 'garbled'
}

type Challenge = Transaction['behaviour']['challenge']

const CANCELED: Ending = { result: { transStatus: 'N', reason: NOT_PERFORMED, isCanceled: true }, browser: 'N' }
const PASSED: Ending = { result: { transStatus: 'Y' }, browser: 'Y' }
const FAILED: Ending = { result: { transStatus: 'N' }, browser: 'N' }

/** Challenges that end at once. */
const ENDINGS: Partial<Record<Challenge, Ending>> = {
  passes: PASSED,
  fails: FAILED,
  canceled: CANCELED,
  browser_says_yes: { result: { transStatus: 'N' }, browser: 'Y' },
  garbled: { result: { transStatus: 'Y' }, browser: 'garbled' },
  unavailable: { result: { transStatus: 'U' }, browser: 'N' },
  no_result: { result: null, browser: 'Y' },
}

/** Form posted by the payer's browser, with its language. */
export interface Posted {
  form: URLSearchParams
  acceptLanguage: string
}

/** Returns the page for a CReq. */
export function openChallenge(parts: SimulatorParts, { form, acceptLanguage }: Posted): BankPage {
  const creq = decodeMessage(form.get('creq'))
  const sessionData = form.get('threeDSSessionData')
  const found = parts.transactions.findByAcsId(creq?.acsTransID)
  const request = found?.request ?? null
  const accepted = found !== undefined && request !== null && isFor(found, request, creq) && fits(sessionData)
  parts.received.note('challenges', { creq, sessionData, accepted })
  if (!accepted) return overPage(acceptLanguage)
  found.challenge = { ...found.challenge, stage: 'open', sessionData }
  const ending = ENDINGS[found.behaviour.challenge]
  if (ending) return finish(parts, found, request, ending)
  if (found.behaviour.challenge === 'page_fails') return failedPage(request)
  return found.behaviour.challenge === 'never_returns' ? waitingPage(request) : challengePage(found, request, null)
}

const fits = (sessionData: string | null) => (sessionData ?? '').length <= SESSION_DATA_MAX

function isFor({ serverTransactionId, challenge }: Transaction, { version }: AcceptedRequest, creq: Message | null) {
  return (
    (challenge.stage === 'required' || challenge.stage === 'open') &&
    creq?.messageType === 'CReq' &&
    creq.messageVersion === version &&
    creq.threeDSServerTransID === serverTransactionId &&
    typeof creq.challengeWindowSize === 'string' &&
    WINDOW_SIZES.test(creq.challengeWindowSize)
  )
}

/** Returns the page after the payer has pressed a button. */
export function submitChallenge(parts: SimulatorParts, { form, acceptLanguage }: Posted): BankPage {
  const found = parts.transactions.findByAcsId(form.get('acsTransID'))
  const request = found?.request ?? null
  const isOpen = found?.challenge.stage === 'open' && found.behaviour.challenge === 'by_hand'
  if (!found || request === null || !isOpen) return overPage(acceptLanguage)
  found.challenge.interactions += 1
  if (form.get('action') === 'cancel') return submitted(parts, found, request, 'canceled', CANCELED)
  const code = plainDigits(form.get('code') ?? '')
  const texts = bankTexts(request.language)
  if (code === '') return challengePage(found, request, texts.enterCode)
  if (code === CODE_THAT_PASSES) return submitted(parts, found, request, 'passed', PASSED)
  if (code === CODE_THAT_FAILS) return submitted(parts, found, request, 'failed', FAILED)
  found.challenge.wrongCodes += 1
  const left = CODE_TRIES - found.challenge.wrongCodes
  const locked: Ending = { result: { transStatus: 'N', reason: TOO_MANY_TRIES }, browser: 'N' }
  if (left === 0) return submitted(parts, found, request, 'failed', locked)
  parts.received.note('submissions', { acsTransID: found.acsTransactionId, outcome: 'wrong_code' })
  return challengePage(found, request, texts.wrongCode(left))
}

function submitted(
  parts: SimulatorParts,
  transaction: Transaction,
  request: AcceptedRequest,
  outcome: 'passed' | 'failed' | 'canceled',
  ending: Ending,
): BankPage {
  parts.received.note('submissions', { acsTransID: transaction.acsTransactionId, outcome })
  return finish(parts, transaction, request, ending)
}

/** Ends a challenge. The result reaches the 3-D Secure server before the browser returns. */
function finish(
  { now }: SimulatorParts,
  transaction: Transaction,
  request: AcceptedRequest,
  { result, browser }: Ending,
): BankPage {
  transaction.challenge.stage = 'over'
  if (result) transaction.result = { message: rreq(transaction, request, result), at: now() }
  const { sessionData } = transaction.challenge
  return returnPage(request.language, request.notificationUrl, {
    cres: browser === 'garbled' ? GARBLED : encodeMessage(cres(transaction, request, browser)),
    ...(sessionData !== null && { threeDSSessionData: sessionData }),
  })
}

function rreq(transaction: Transaction, { version, category }: AcceptedRequest, result: NonNullable<Ending['result']>) {
  const { serverTransactionId, acsTransactionId, dsTransactionId, number } = transaction
  const { transStatus, isCanceled = false } = result
  // Version 2.1.0 has no reason for a payer who cancels.
  const reason = result.reason === NOT_PERFORMED && version === '2.1.0' ? undefined : result.reason
  return {
    messageType: 'RReq',
    messageVersion: version,
    messageCategory: category,
    threeDSServerTransID: serverTransactionId,
    acsTransID: acsTransactionId,
    dsTransID: dsTransactionId,
    interactionCounter: String(Math.max(1, transaction.challenge.interactions)).padStart(2, '0'),
    ...challengedBy(version),
    ...verdict({ transStatus, reason, number, acsTransactionId }),
    ...(isCanceled && { challengeCancel: '01' }),
  }
}

function cres(transaction: Transaction, { version }: AcceptedRequest, transStatus: 'Y' | 'N'): Message {
  return {
    messageType: 'CRes',
    messageVersion: version,
    threeDSServerTransID: transaction.serverTransactionId,
    acsTransID: transaction.acsTransactionId,
    challengeCompletionInd: 'Y',
    transStatus,
  }
}

export const encodeMessage = (message: Message): string => Buffer.from(JSON.stringify(message)).toString('base64url')

const GARBLED = Buffer.from('{"messageType":"CRes","transStatus').toString('base64url')

/** @returns `null` unless the text is a JSON object in base64url without padding */
export function decodeMessage(text: string | null): Message | null {
  if (text === null || !/^[\w-]+$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : null
  } catch {
    return null
  }
}
