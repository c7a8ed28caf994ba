import type { SessionValidity } from '../../contract/checkout-form.ts'
import { closedState, showApproved, showClosed, showFailed } from './closed-page.ts'
import { byId, type Page, sentence } from './page.ts'
import { type Response, readSession } from './payment-api.ts'
import { move, phaseOf } from './phases.ts'
import { showRefusal } from './refusals.ts'

/** Seconds before each request; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15]
const EXPLAIN_AFTER = 6

/**
 * Polls until the outcome of the payment is known. Nothing can be paid meanwhile.
 *
 * @param idleResponses how many responses in a row must report that no payment is in progress: two if the request
 * itself was lost, because it may arrive after the first poll
 */
export async function checkUntilKnown(page: Page, idleResponses: 1 | 2): Promise<void> {
  byId('checking-note').textContent = ''
  byId('checking-title').focus()
  let idle = 0
  for (let asked = 0; phaseOf(page) === 'checking'; asked++) {
    await sleep((PAUSES[asked] ?? 15) * 1_000)
    if (asked === EXPLAIN_AFTER) explain(page)
    const response = await readSession(page.data)
    if (showIfClosed(page, response, true)) return
    idle = isIdle(response) ? idle + 1 : 0
    if (idle < idleResponses || !move(page, 'idle')) continue
    showRefusal(page, 'not_charged')
    return
  }
}

/** Reads the session again after "Back": the page may show a form that is paid by now. */
export async function rereadSession(page: Page): Promise<void> {
  if (!move(page, 'restored')) return
  const response = await readSession(page.data)
  if (showIfClosed(page, response, false)) return
  if (isIdle(response)) move(page, 'idle')
  else if (move(page, 'lost')) await checkUntilKnown(page, 1)
}

function showIfClosed(page: Page, response: Response<SessionValidity>, isOwnPayment: boolean): boolean {
  if (response.kind !== 'refused') return false
  const state = closedState(response.error)
  if (!state) return false
  const { success_url: successUrl, cancel_url: cancelUrl, payment } = response.error
  if (state === 'paid' && isOwnPayment && successUrl)
    showApproved(page, successUrl, { receipt: payment?.receipt_id ?? '', payment })
  else if (state === 'failed') showFailed(page, cancelUrl ?? page.data.cancelUrl)
  else showClosed(page, state, successUrl ?? cancelUrl, { payment })
  return true
}

function isIdle(response: Response<SessionValidity>): boolean {
  return response.kind === 'ok' && response.body.status === 'PENDING' && !response.body.payment_in_progress
}

function explain(page: Page): void {
  byId('checking-note').textContent = sentence(page, 'still_checking', { reference: page.data.sessionId })
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
