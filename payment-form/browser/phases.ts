import type { FramePhase } from '../../contract/browser-messages.ts'
import { holdHeight, releaseHeight } from './held-height.ts'
import { announce, type Page, sentence } from './page.ts'

// The states of the page (PAG-5, PAG-20). A transition that is not in the table is refused: therefore a double click
// pays only once.

export type Phase =
  | 'ready'
  | 'submitting'
  | 'authenticating'
  | 'challenge'
  | 'waiting'
  | 'checking'
  | 'rereading'
  | 'closed'
export type Trigger =
  | 'submit'
  | 'authenticate'
  | 'challenge'
  | 'returned'
  | 'proved'
  | 'answered'
  | 'wait'
  | 'lost'
  | 'restored'
  | 'idle'
  | 'close'

const MOVES: readonly (readonly [from: Phase, trigger: Trigger, to: Phase])[] = [
  ['ready', 'submit', 'submitting'],
  ['submitting', 'answered', 'ready'],
  ['submitting', 'wait', 'waiting'],
  ['submitting', 'lost', 'checking'],
  ['submitting', 'close', 'closed'],
  ['submitting', 'authenticate', 'authenticating'],
  ['authenticating', 'challenge', 'challenge'],
  ['challenge', 'returned', 'authenticating'],
  ['authenticating', 'proved', 'submitting'],
  ['authenticating', 'answered', 'ready'],
  ['authenticating', 'wait', 'waiting'],
  ['authenticating', 'lost', 'checking'],
  ['authenticating', 'close', 'closed'],
  ['waiting', 'idle', 'ready'],
  ['waiting', 'close', 'closed'],
  ['checking', 'idle', 'ready'],
  ['checking', 'close', 'closed'],
  ['ready', 'lost', 'checking'],
  ['ready', 'restored', 'rereading'],
  ['ready', 'close', 'closed'],
  ['rereading', 'idle', 'ready'],
  ['rereading', 'lost', 'checking'],
  ['rereading', 'close', 'closed'],
]

/** Phase that is reported to the merchant's page; `null` for a closed page, which reports its result. */
const FRAME_PHASES: Record<Phase, FramePhase | null> = {
  ready: 'ready',
  submitting: 'submitting',
  authenticating: 'submitting',
  challenge: 'challenge',
  waiting: 'ready',
  checking: 'submitting',
  rereading: 'submitting',
  closed: null,
}

const phases = new WeakMap<Page, Phase>()

export function phaseOf(page: Page): Phase {
  return phases.get(page) ?? 'ready'
}

/** Whether the page is between the click on Pay and the result. */
export function isBusy(page: Page): boolean {
  return /checking|challenge/.test(phaseOf(page)) || isProcessing(phaseOf(page))
}

/** Whether the payer sees "Processing…". */
function isProcessing(phase: Phase): boolean {
  return phase === 'submitting' || phase === 'authenticating'
}

/** Moves the page to a phase and shows it; returns `false` if the table does not allow it. */
export function move(page: Page, trigger: Trigger): boolean {
  const from = phaseOf(page)
  const to = MOVES.find(([start, cause]) => start === from && cause === trigger)?.[2]
  if (!to) return false
  if (isProcessing(to)) holdHeight(...heldParts(page))
  else if (to !== 'checking') releaseHeight(...heldParts(page))
  phases.set(page, to)
  page.columns.dataset.phase = to
  const told = FRAME_PHASES[to]
  if (told) page.parent?.state(told)
  showButton(page, to)
  if (from === 'ready' && to === 'submitting') announce(page, sentence(page, 'processing_announcement'))
  muteCancel(isBusy(page))
  warnBeforeLeaving(isBusy(page))
  return true
}

/** Returns the button, whose label changes, and the whole form, which another panel may replace. */
function heldParts({ pay, form }: Page): HTMLElement[] {
  const section = form.parentElement
  return section ? [pay, section] : [pay]
}

function muteCancel(isMuted: boolean): void {
  const cancel = document.getElementById('cancel')
  if (isMuted) cancel?.setAttribute('aria-disabled', 'true')
  else cancel?.removeAttribute('aria-disabled')
}

/**
 * Updates the button. It keeps its place and the focus, so it is never `disabled`; fields stay readable for the same
 * reason.
 */
function showButton(page: Page, phase: Phase): void {
  const isWorking = isProcessing(phase) || phase === 'challenge' || phase === 'rereading'
  page.pay.toggleAttribute('data-busy', isWorking)
  page.pay.toggleAttribute('data-waiting', phase === 'waiting')
  page.pay.ariaDisabled = String(phase !== 'ready')
  page.payLabel.textContent = isWorking ? sentence(page, 'processing') : page.payText
  for (const field of page.form.querySelectorAll('input')) field.readOnly = isWorking
}

function warnBeforeLeaving(isNeeded: boolean): void {
  if (isNeeded) window.addEventListener('beforeunload', confirmStay)
  else window.removeEventListener('beforeunload', confirmStay)
}

function confirmStay(event: Event): void {
  event.preventDefault()
}
