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

// 3-D Secure between the click on Pay and the payment: nothing can have been charged until this is over.

/** Between two requests: the messages of the frames may be lost. */
const POLL_MS = 3_500
/** Responses in a row that may be lost before there is a challenge. */
const LOST_MAX = 3
/** To take down a frame with a process of its own takes milliseconds, for which a payment that follows would wait. */
const REMOVE_LATER_MS = 1_000
/** The server decides 3 s after Cancel. */
const CANCEL_MS = 30_000

const PAYER_LEFT = refusal(400, 'not_charged')
const TOO_LATE = refusal(408, 'three_ds_expired')

/**
 * Authenticates the payer for this payment.
 *
 * @param email for the bank; empty when the session has one
 * @returns the `three_ds_id` of the pay request, or `null` when none is required
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
  // Cancel may have been pressed, or the page left, while the last request was on its way.
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

/** What came of the method. */
interface Ran {
  compInd: 'Y' | 'N' | 'U'
  /** Of the request that waited for it at the server, unless that was lost or is not there in time. */
  first: Response<DddAuthenticateResponse> | null
}
const METHOD_NONE: Ran = { compInd: 'U', first: null }

/**
 * Lets the bank see the browser in a frame that nobody sees. Meanwhile the first request waits for the bank at the
 * server, so that nothing waits for the message of the frame. A frame that fails holds nothing up for longer than its
 * time.
 *
 * @returns `null` when the payer left
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
  // Lost: then the frame's message is what is left.
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
  /** By `performance.now()`; infinite before the challenge. */
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

/** Milliseconds until the next request; `null` when this response is the result. */
function pauseAfter(response: Response<DddAuthenticateResponse>, course: Course): number | null {
  const isChallenged = course.deadline < Infinity
  course.lost = response.kind === 'lost' ? course.lost + 1 : 0
  if (response.kind === 'lost') return isChallenged || course.lost < LOST_MAX ? POLL_MS : null
  if (response.kind === 'refused')
    return isChallenged && response.status === 429 ? response.retryAfterSeconds * 1_000 : null
  if (response.body.status === 'challenge_in_progress') return response.body.retry_after_ms
  return response.body.status === 'challenge_required' ? POLL_MS : null
}

/** A payer who has canceled does not pay, even if the bank has confirmed meanwhile. */
function resultOf(
  response: Response<DddAuthenticateResponse>,
  { id }: BankCall,
  isCanceled: boolean,
): Response<string> {
  if (response.kind !== 'ok') return response
  return isCanceled ? PAYER_LEFT : { kind: 'ok', body: id }
}

/** Once: the bank's page is not opened again. */
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
