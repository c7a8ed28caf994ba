import type { DddAuthenticateRequest, DddAuthenticateResponse, DddInitResponse } from '../../contract/three-ds.ts'
import type { PayRequest } from '../view/pay-request.ts'
import { type BankCall, openBankFrame } from './bank-frame.ts'
import { openChallenge } from './challenge.ts'
import type { Page } from './page.ts'
import { authenticateThreeDs, initThreeDs, type Response } from './payment-api.ts'
import { move } from './phases.ts'
import { type Signals, signals } from './signals.ts'
import { authenticateRequest, initRequest } from './three-ds-requests.ts'

type Method = NonNullable<DddInitResponse['method']>

// 3-D Secure between the click on Pay and the payment: nothing can have been charged until it is over.

/** Time between two requests: the messages of the frames may be lost. */
const POLL_MS = 3_500
/** Maximum number of consecutive lost responses before a challenge. */
const LOST_MAX = 3
/**
 * Delay of the removal of a frame. The removal of a frame with its own process takes milliseconds, for which the
 * payment would wait.
 */
const REMOVE_LATER_MS = 1_000
/** Time limit after Cancel; the server decides within 3 s. */
const CANCEL_MS = 30_000

const PAYER_LEFT = refusal(400, 'not_charged')
const TOO_LATE = refusal(408, 'three_ds_expired')

/**
 * Authenticates the payer for this payment.
 *
 * @param email for the bank; empty if the session has one
 * @returns the `three_ds_id` of the pay request, or `null` if none is required
 * @see TDS-2, TDS-3
 */
export async function authenticatePayer(
  page: Page,
  payment: PayRequest,
  email: string,
): Promise<Response<string | null>> {
  if (!page.data.threeDs || !move(page, 'authenticate')) return { kind: 'ok', body: null }
  const noted = signals()
  const leave = () => noted.note('left')
  window.addEventListener('pagehide', leave)
  const proved = await startRun(page, { payment, email }, noted)
  window.removeEventListener('pagehide', leave)
  // The payer may have pressed Cancel, or left the page, while the last request was in progress.
  if (proved.kind === 'ok' && (await noted.next(0))?.match(/canceled|left/)) return PAYER_LEFT
  if (proved.kind === 'ok') move(page, 'proved')
  return proved
}

async function startRun(
  page: Page,
  { payment, email }: { payment: PayRequest; email: string },
  noted: Signals,
): Promise<Response<string | null>> {
  const init = await initThreeDs(page.data, initRequest(page, payment))
  if (init.kind !== 'ok') return init
  const { ddd_session_id: id, method } = init.body
  if (id === null) return { kind: 'ok', body: null }
  const call = { id, signals: noted }
  const request = { ...authenticateRequest(page, payment, email), ddd_session_id: id }
  const ran = method ? await runMethod(page, { method, request }, call) : METHOD_NONE
  if (ran === null) return PAYER_LEFT
  return pollUntilDecided(page, call, { ...request, three_ds_comp_ind: ran.compInd }, ran.first)
}

/** Result of the method. */
interface Ran {
  compInd: 'Y' | 'N' | 'U'
  /** Response to the request that waited for it on the server; `null` if it was lost or is late. */
  first: Response<DddAuthenticateResponse> | null
}
const METHOD_NONE: Ran = { compInd: 'U', first: null }

/**
 * Lets the bank examine the browser in an invisible frame. Meanwhile the first request waits for the bank on the
 * server, so that nothing waits for the frame's message. A frame that fails delays the payment by no more than its time
 * limit.
 *
 * @returns `null` if the payer left
 */
async function runMethod(
  page: Page,
  { method: { url, timeout_ms: most }, request }: { method: Method; request: DddAuthenticateRequest },
  call: BankCall,
): Promise<Ran | null> {
  const remove = openBankFrame(page, document.body, url, call)
  const end = performance.now() + most
  let first: Ran['first'] = null
  const waited = authenticateThreeDs(page.data, { ...request, await_method: true }).then((response) => {
    if (response.kind !== 'lost') first = response
  })
  let signal = await call.signals.next(most, waited)
  // The response was lost: only the frame's message remains.
  if (signal === null && first === null) signal = await call.signals.next(end - performance.now())
  if (signal === 'posted') await waited
  remove(isAuthenticated(first) ? REMOVE_LATER_MS : 0)
  if (signal === 'left') return null
  return { compInd: signal === 'posted' ? 'Y' : 'N', first }
}

const isAuthenticated = (response: Ran['first']) => response?.kind === 'ok' && response.body.status === 'authenticated'

/** The state of a run after its first request. */
interface Course {
  closeChallenge: () => void
  isCanceled: boolean
  /** Deadline by `performance.now()`; infinite before the challenge. */
  deadline: number
  lost: number
}

async function pollUntilDecided(
  page: Page,
  call: BankCall,
  request: DddAuthenticateRequest,
  first: Ran['first'],
): Promise<Response<string>> {
  let known = first
  const course: Course = { closeChallenge: () => {}, isCanceled: false, deadline: Infinity, lost: 0 }
  try {
    for (;;) {
      const { isCanceled } = course
      const response =
        known ?? (await authenticateThreeDs(page.data, isCanceled ? { ...request, challenge_canceled: true } : request))
      known = null
      const pause = pauseAfter(response, course)
      if (pause === null) return resultOf(response, call, isCanceled)
      if (performance.now() >= course.deadline) return TOO_LATE
      showChallenge(page, call, response, course)
      const signal = await call.signals.next(Math.min(pause, course.deadline - performance.now()))
      if (signal === 'left') return PAYER_LEFT
      if (signal === 'canceled') cancel(course)
      if (signal !== null) course.closeChallenge()
    }
  } finally {
    course.closeChallenge()
  }
}

/** Returns the milliseconds until the next request; `null` if this response is the result. */
function pauseAfter(response: Response<DddAuthenticateResponse>, course: Course): number | null {
  const isChallenged = course.deadline < Infinity
  course.lost = response.kind === 'lost' ? course.lost + 1 : 0
  if (response.kind === 'lost') return isChallenged || course.lost < LOST_MAX ? POLL_MS : null
  if (response.kind === 'refused')
    return isChallenged && response.status === 429 ? response.retryAfterSeconds * 1_000 : null
  if (response.body.status === 'challenge_in_progress') return response.body.retry_after_ms
  return response.body.status === 'challenge_required' ? POLL_MS : null
}

/** Returns the result. A payer who has canceled does not pay, even if the bank has confirmed meanwhile. */
function resultOf(
  response: Response<DddAuthenticateResponse>,
  { id }: BankCall,
  isCanceled: boolean,
): Response<string> {
  if (response.kind !== 'ok') return response
  return isCanceled ? PAYER_LEFT : { kind: 'ok', body: id }
}

/** Shows the challenge, once: the bank's page is not opened again. */
function showChallenge(page: Page, call: BankCall, response: Response<DddAuthenticateResponse>, course: Course): void {
  if (course.deadline < Infinity || response.kind !== 'ok' || response.body.status !== 'challenge_required') return
  const { challenge } = response.body
  const close = openChallenge(page, challenge, call)
  course.deadline = performance.now() + challenge.timeout_ms
  course.closeChallenge = () => {
    course.closeChallenge = () => {}
    close()
  }
}

function cancel(course: Course): void {
  course.isCanceled = true
  course.deadline = Math.min(course.deadline, performance.now() + CANCEL_MS)
}

function refusal(status: number, code: string): Response<never> {
  return { kind: 'refused', status, error: { code }, retryAfterSeconds: 0 }
}
