import type { PublicError, SessionPayment } from '../../contract/checkout-form.ts'
import { holdHeight, releaseHeight } from './held-height.ts'
import { announce, byId, counted, type Page, sentence } from './page.ts'
import { move } from './phases.ts'
import { closedResult, paidResult, succeededResult } from './session-result.ts'
import { secondClickMs } from './still-page.ts'
import { markSurcharge } from './surcharge.ts'

export type ClosedState = 'approved' | 'paid' | 'expired' | 'cancelled' | 'failed'

const APPROVED_MS = 1_500
const GO_BACK_SECONDS = 5

const STATE_BY_CODE: Record<string, ClosedState> = {
  session_completed: 'paid',
  session_expired: 'expired',
  session_cancelled: 'cancelled',
  session_failed: 'failed',
}

/** Returns the state that a 400 names, or `null` if the session can still be paid. */
export function closedState(error: Partial<PublicError>): ClosedState | null {
  return STATE_BY_CODE[error.code ?? ''] ?? null
}

/** Details of an approval; empty if its response was lost. */
export interface ApprovalDetails {
  card?: string
  receipt?: string
  transaction?: string
  /** Payment from the session's state, if this page did not receive the response. */
  payment?: SessionPayment | undefined
}

/** Shows the approval and goes to the shop; a shop's page that frames this one continues by itself. */
export function showApproved(page: Page, url: string | null, details: ApprovalDetails = {}): void {
  if (!showClosed(page, 'approved', url, details)) return
  announce(page, sentence(page, announcementOf(page)))
  if (!page.parent && url !== null) setTimeout(() => leavePage(url), APPROVED_MS)
}

function announcementOf({ data }: Page) {
  if (data.savedCard) return data.savedCard === 'stored' ? 'card_stored' : 'card_saved'
  return data.isVerified ? 'plan_started' : 'approved'
}

/** Shows that there are no attempts left, and goes back in five seconds, unless the payer chooses to stay. */
export function showFailed(page: Page, url: string | null): void {
  if (!showClosed(page, 'failed', url)) return
  const countdown = document.querySelector<HTMLElement>('.countdown')
  if (countdown && !page.parent && url !== null) countBackwards(page, countdown, url)
}

/**
 * Replaces the form by the panel of a closed state, which the server rendered as a template. The input is removed with
 * the form.
 *
 * @returns false if the page is already closed
 */
export function showClosed(
  page: Page,
  state: ClosedState,
  url: string | null | undefined,
  { payment, ...details }: ApprovalDetails = {},
): boolean {
  const main = byId('main')
  if (page.parent) holdHeight(main)
  if (!move(page, 'close')) return false
  page.form.reset()
  const template = byId(`state-${state}`) as HTMLTemplateElement
  main.replaceChildren(template.content.cloneNode(true))
  for (const [name, value] of Object.entries(details))
    document.querySelector(`[data-fill=${name}]`)?.replaceChildren(value)
  markSurcharge(page)
  const link = document.querySelector<HTMLAnchorElement>('.return')
  if (link && url) link.href = url
  const heading = document.querySelector<HTMLElement>('.closed h1')
  document.title = heading?.textContent ?? document.title
  heading?.focus()
  const result = payment
    ? paidResult(page.data.sessionId, payment)
    : state === 'approved'
      ? succeededResult(page.data, details)
      : closedResult(page.data.sessionId, state === 'failed')
  // A frame that shrinks, or a modal that closes, would put the shop's page under the second click of a double click.
  setTimeout(() => releaseHeight(main), secondClickMs())
  if (page.data.surface === 'rapid') setTimeout(() => page.parent?.result(result), secondClickMs())
  else page.parent?.result(result)
  return true
}

function countBackwards(page: Page, countdown: HTMLElement, url: string): void {
  const line = countdown.querySelector('span')
  let seconds = GO_BACK_SECONDS
  const show = () => line?.replaceChildren(counted(page, 'going_back', seconds))
  const timer = setInterval(() => {
    seconds -= 1
    if (seconds > 0) return show()
    clearInterval(timer)
    leavePage(url)
  }, 1_000)
  countdown.querySelector('button')?.addEventListener('click', () => {
    clearInterval(timer)
    countdown.remove()
  })
  show()
  countdown.hidden = false
}

/** Leaves without an entry in the history: Back does not return to a paid form. */
function leavePage(url: string): void {
  location.replace(url)
}
