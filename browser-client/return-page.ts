import { ServiceCheckoutError } from './errors.ts'
import { invalidOption } from './options.ts'
import type { InitOptions, ReturnOutcome } from './types.ts'

// The success or cancel page asks the merchant's own server how the session stands. It is for showing only: goods are
// delivered by the server, on its webhook.

const PARAMETERS = ['session_token', 'session_id']
const TOKEN = /^[\w-]{64}$/
const PAUSES_MS = [1_000, 2_000, 4_000]

/** What the merchant's server answers: the two statuses, or the details of the session as our API gives them. */
interface VerifyAnswer {
  session_status: string
  payment_status: string
  session_id?: string
  transaction_id?: string
  receipt_id?: string
  amount?: number
  currency?: string
  checkout_session?: {
    session_status: string
    payment_status: string
    id?: string
    amount_total?: number
    currency?: string
  }
  transaction?: { transactionID?: string; receiptID?: string } | null
}

/** The token in this page's query; a parameter of somebody else's making is not one. */
function returnedToken(): string | undefined {
  const query = new URLSearchParams(location.search)
  return PARAMETERS.map((name) => query.get(name) ?? '').find((value) => TOKEN.test(value))
}

/**
 * @returns `null` when this is no return page
 * @throws ServiceCheckoutError `verify_failed`, `invalid_options`
 */
export async function verifyReturn({ verifySessionUrl }: Partial<InitOptions>): Promise<ReturnOutcome | null> {
  const token = returnedToken()
  if (!token) return null
  if (!verifySessionUrl) throw invalidOption('verifySessionUrl')
  let outcome = await askServer(verifySessionUrl, token)
  for (const pause of PAUSES_MS) {
    if (outcome.status !== 'pending') break
    await new Promise((resolve) => setTimeout(resolve, pause))
    outcome = await askServer(verifySessionUrl, token)
  }
  cleanAddress(token)
  return outcome
}

async function askServer(url: string, token: string): Promise<ReturnOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify({ session_token: token }),
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return outcomeOf(await response.json())
  } catch (cause) {
    throw new ServiceCheckoutError('verify_failed', 'The session could not be verified', { cause })
  }
}

function outcomeOf(answer: VerifyAnswer): ReturnOutcome {
  const { transaction, checkout_session: session = answer } = answer
  const { session_status: status, payment_status: payment } = session
  const { id, amount_total: total, currency } = { id: answer.session_id, amount_total: answer.amount, ...session }
  const data = { session_id: id ?? '' }
  if (status === 'COMPLETED' && payment === 'PAID') {
    const transaction_id = transaction?.transactionID ?? answer.transaction_id ?? ''
    const receipt_id = transaction?.receiptID ?? answer.receipt_id ?? ''
    return {
      status: 'succeeded',
      data: { ...data, transaction_id, receipt_id, amount: total ?? 0, ...(currency && { currency }) },
    }
  }
  if (status === 'PENDING') return { status: 'pending', data }
  if (status === 'CANCELLED') return { status: 'canceled', data }
  return { status: 'failed', data: { ...data, message: `The session is ${status}`, error_code: 'payment_failed' } }
}

/** A reload, a bookmark or a Referer shall not carry the token. */
function cleanAddress(token: string): void {
  const url = new URL(location.href)
  for (const name of PARAMETERS) if (url.searchParams.get(name) === token) url.searchParams.delete(name)
  history.replaceState(history.state, '', url)
}
