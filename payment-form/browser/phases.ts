import type { FramePhase } from '../../contract/browser-messages.ts'
import { announce, type Page, sentence } from './page.ts'

// payment-page.md 1.6. A pair that is not in the table is refused: that is why a double click pays once.

export type Phase = 'ready' | 'submitting' | 'waiting' | 'checking' | 'rereading' | 'closed'
export type Trigger = 'submit' | 'answered' | 'wait' | 'lost' | 'restored' | 'idle' | 'close'

const MOVES: readonly (readonly [from: Phase, trigger: Trigger, to: Phase])[] = [
  ['ready', 'submit', 'submitting'],
  ['submitting', 'answered', 'ready'],
  ['submitting', 'wait', 'waiting'],
  ['submitting', 'lost', 'checking'],
  ['submitting', 'close', 'closed'],
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

/** What the merchant's page is told; of a closed page it hears the result. */
const FRAME_PHASES: Record<Phase, FramePhase | null> = {
  ready: 'ready',
  submitting: 'submitting',
  waiting: 'ready',
  checking: 'submitting',
  rereading: 'submitting',
  closed: null,
}

const phases = new WeakMap<Page, Phase>()

export function phaseOf(page: Page): Phase {
  return phases.get(page) ?? 'ready'
}

/** Moves the page on and shows it; `false` when this may not happen now. */
export function move(page: Page, trigger: Trigger): boolean {
  const from = phaseOf(page)
  const to = MOVES.find(([start, cause]) => start === from && cause === trigger)?.[2]
  if (!to) return false
  phases.set(page, to)
  page.columns.dataset.phase = to
  const told = FRAME_PHASES[to]
  if (told) page.parent?.state(told)
  showButton(page, to)
  warnBeforeLeaving(to === 'submitting' || to === 'checking')
  return true
}

/** The button keeps its place and the focus, so it is never `disabled`; fields stay readable for the same reason. */
function showButton(page: Page, phase: Phase): void {
  const isBusy = phase === 'submitting' || phase === 'rereading'
  page.pay.toggleAttribute('data-busy', isBusy)
  page.pay.toggleAttribute('data-waiting', phase === 'waiting')
  page.pay.ariaDisabled = String(phase !== 'ready')
  page.payLabel.textContent = isBusy ? sentence(page, 'processing') : page.payText
  for (const field of page.form.querySelectorAll('input')) field.readOnly = isBusy
  if (phase === 'submitting') announce(page, sentence(page, 'processing_announcement'))
}

function warnBeforeLeaving(isNeeded: boolean): void {
  if (isNeeded) window.addEventListener('beforeunload', askToStay)
  else window.removeEventListener('beforeunload', askToStay)
}

function askToStay(event: Event): void {
  event.preventDefault()
}
