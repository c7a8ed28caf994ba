import type { SessionValidity } from '../../contract/checkout-form.ts'
import { closedState, showApproved, showClosed, showFailed } from './closed-page.ts'
import { byId, type Page, sentence } from './page.ts'
import { type Answer, readSession } from './payment-api.ts'
import { move, phaseOf } from './phases.ts'
import { showRefusal } from './refusals.ts'

/** Seconds before each question; the last one repeats. */
const PAUSES = [1, 2, 4, 8, 15]
const EXPLAIN_AFTER = 6

/**
 * Asks until it is known whether the payment went through. Nothing can be paid meanwhile.
 *
 * @param idleAnswers how many answers in a row must say that nothing runs: two when the request itself was lost, since
 *   it may arrive after the first question
 */
export async function checkUntilKnown(page: Page, idleAnswers: 1 | 2): Promise<void> {
  byId('checking-note').textContent = ''
  byId('checking-title').focus()
  let idle = 0
  for (let asked = 0; phaseOf(page) === 'checking'; asked++) {
    await sleep((PAUSES[asked] ?? 15) * 1_000)
    if (asked === EXPLAIN_AFTER) explain(page)
    const answer = await readSession(page.data)
    if (showIfClosed(page, answer, true)) return
    idle = isIdle(answer) ? idle + 1 : 0
    if (idle < idleAnswers || !move(page, 'idle')) continue
    showRefusal(page, 'not_charged')
    return
  }
}

/** After «Back»: the page may show a form that is paid by now. */
export async function rereadSession(page: Page): Promise<void> {
  if (!move(page, 'restored')) return
  const answer = await readSession(page.data)
  if (showIfClosed(page, answer, false)) return
  if (isIdle(answer)) move(page, 'idle')
  else if (move(page, 'lost')) await checkUntilKnown(page, 1)
}

function showIfClosed(page: Page, answer: Answer<SessionValidity>, isOwnPayment: boolean): boolean {
  if (answer.kind !== 'refused') return false
  const state = closedState(answer.error)
  if (!state) return false
  const { success_url: successUrl, cancel_url: cancelUrl, payment } = answer.error
  if (state === 'paid' && isOwnPayment && successUrl)
    showApproved(page, successUrl, { receipt: payment?.receipt_id ?? '', payment })
  else if (state === 'failed') showFailed(page, cancelUrl ?? page.data.cancelUrl)
  else showClosed(page, state, successUrl ?? cancelUrl, { payment })
  return true
}

function isIdle(answer: Answer<SessionValidity>): boolean {
  return answer.kind === 'ok' && answer.body.status === 'PENDING' && !answer.body.payment_in_progress
}

function explain(page: Page): void {
  byId('checking-note').textContent = sentence(page, 'still_checking', { reference: page.data.sessionId })
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
