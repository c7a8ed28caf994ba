import { invalid, ServiceCheckoutError } from './errors.ts'
import { postJson } from './request-session.ts'
import type { InitOptions, ReturnOutcome } from './types.ts'

// The success or cancel page requests the state of the session from the merchant's own server. It is for display only:
// the server delivers goods when it receives the webhook.

const TOKEN = /^[\w-]{64}$/
const OTHER_STATUSES: Record<string, ReturnOutcome['status']> = { PENDING: 'pending', CANCELLED: 'canceled' }
const PAUSES_MS = [0, 1_000, 2_000, 4_000]

type Members = Record<string, string>
type VerifiedSession = Members & { checkout_session?: Members; transaction?: Members | null }

/**
 * Verifies the session of a return page, and removes its token from the URL.
 *
 * @returns `null` if this is not a return page; parameters of other scripts are ignored
 * @throws ServiceCheckoutError `verify_failed`, `invalid_options`
 */
export async function verifyReturn({ verifySessionUrl }: Partial<InitOptions>): Promise<ReturnOutcome | null> {
  if (!globalThis.location) throw new ServiceCheckoutError('unsupported_environment')
  const url = new URL(location.href)
  const [entry] = returnParameters(url)
  if (!entry) return null
  if (!verifySessionUrl) throw invalid('verifySessionUrl')
  let outcome: ReturnOutcome | null = null
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    outcome = await requestStatus(verifySessionUrl, entry[1])
    if (outcome.status !== 'pending') break
  }
  // A reload, a bookmark or a Referer must not contain the token.
  for (const [name] of returnParameters(url)) url.searchParams.delete(name)
  history.replaceState(history.state, '', url)
  return outcome
}

function returnParameters({ searchParams }: URL): [name: string, token: string][] {
  return [...searchParams].filter(([name, value]) => /^session_(token|id)$/.test(name) && TOKEN.test(value))
}

async function requestStatus(url: string, session_token: string): Promise<ReturnOutcome> {
  try {
    const response = await postJson(url, { session_token })
    if (!response.ok) throw response.status
    return outcomeOf(await response.json())
  } catch (cause) {
    throw new ServiceCheckoutError('verify_failed', { cause })
  }
}

/** Returns the outcome. Other members of the server's response are passed to the callbacks unchanged. */
function outcomeOf(response: VerifiedSession): ReturnOutcome {
  const { session_status, payment_status, ...data } = flattened(response)
  const isPaid = session_status === 'COMPLETED' && payment_status === 'PAID'
  const status = isPaid ? 'succeeded' : (OTHER_STATUSES[session_status ?? ''] ?? 'failed')
  const failure = { message: `${session_status} ${payment_status}`, error_code: 'payment_failed' }
  return { status, data: status === 'failed' ? { ...failure, ...data } : data } as unknown as ReturnOutcome
}

/** Flattens the response: a server may forward the session's details as the API returned them. */
function flattened({ checkout_session, transaction, ...given }: VerifiedSession): Members {
  if (!checkout_session) return given
  const { id: session_id, session_status, payment_status, amount_total: amount, currency } = checkout_session
  const payment = transaction && { transaction_id: transaction.id, receipt_id: transaction.receipt_id }
  return { session_id, session_status, payment_status, amount, currency, ...payment } as Members
}
