import { byId, type Page } from './page.ts'
import { isBusy, phaseOf } from './phases.ts'

// The second click of a double click hits whatever the first one put under the pointer. So between the click on Pay and
// its result, nothing responds except the page itself, and elements that the result moves there ignore the second
// click.

/** Systems count two clicks up to 500 ms apart as one double click; a slow hand takes longer. */
const DOUBLE_CLICK_MS = 650
/** Time in which nobody can read a result and react to it. */
const READING_MS = 400
/** A mouse rests between the clicks; a finger that taps twice does not hit the same pixel. */
const SAME_PLACE_PX = { mouse: 8, touch: 30 }

/** The last click on Pay, until the payer does something else. */
let press: { at: number; x: number; y: number; payTop: number } | null = null
let isPressing = false
let changedAt = 0
let scrolledTo = 0

/** Stops events that must not have an effect. It is installed before any other listener of the page. */
export function keepStill(page: Page): void {
  const shield = (event: Event) => {
    if (mustWait(page, event) ? isAction(event) : isSecondClick(page, event)) swallow(event)
    else if (event.type === 'click') notePress(page, event as MouseEvent)
  }
  for (const type of ['click', 'auxclick', 'mousedown', 'keydown']) window.addEventListener(type, shield, true)
  for (const type of ['input', 'keydown']) window.addEventListener(type, forgetPress, true)
  page.pay.addEventListener('pointerdown', () => {
    isPressing = true
  })
  for (const type of ['pointerup', 'pointercancel'])
    window.addEventListener(type, () => {
      isPressing = false
    })
  new MutationObserver(noteChange).observe(page.columns, { attributeFilter: ['data-phase'] })
}

/** Whether elements may move now: not while Pay is held down, and not while a payment is running. */
export function mayMove(page: Page): boolean {
  return !isPressing && phaseOf(page) === 'ready'
}

/** Returns how long a click may still be the second one of a double click on Pay. */
export function secondClickMs(): number {
  const now = performance.now()
  return press ? Math.max(0, press.at + DOUBLE_CLICK_MS - now, changedAt + READING_MS - now) : 0
}

/**
 * Whether an event has to wait. Links work again once the page may be left. During a challenge only its own region
 * reacts.
 */
function mustWait(page: Page, { target }: Event): boolean {
  if (!isBusy(page) || byId('checking-note').textContent !== '') return false
  return phaseOf(page) !== 'challenge' || !(target instanceof Node && byId('challenge').contains(target))
}

/** Whether the event is an action; reading, scrolling and Tab stay possible. */
function isAction(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return true
  const { key, target } = event
  const isChoice = target instanceof Element && target.matches('select, [type=radio]')
  return /^(Enter| |Escape)$/.test(key) || (isChoice && key !== 'Tab')
}

function isSecondClick(page: Page, event: Event): boolean {
  if (!(event instanceof MouseEvent) || event.detail === 0 || !press || scrolledTo !== window.scrollY) return false
  // Pay has moved, and was clicked at its new place.
  if (isOnPay(page, event) && Math.abs(topOfPay(page) - press.payTop) > SAME_PLACE_PX.touch) return false
  const distance = Math.hypot(event.screenX - press.x, event.screenY - press.y)
  const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  return distance <= SAME_PLACE_PX[isTouch ? 'touch' : 'mouse'] && secondClickMs() > 0
}

function notePress(page: Page, event: MouseEvent): void {
  const { detail, screenX: x, screenY: y } = event
  const isPointer = detail > 0 && isOnPay(page, event)
  press = isPointer ? { at: performance.now(), x, y, payTop: topOfPay(page) } : null
  noteScroll()
}

function isOnPay({ pay }: Page, { target }: Event): boolean {
  return target instanceof Node && pay.contains(target)
}

/** Returns the top of Pay in document coordinates, independent of scrolling. */
function topOfPay({ pay }: Page): number {
  return pay.getBoundingClientRect().top + window.scrollY
}

function forgetPress(): void {
  press = null
}

function noteChange(): void {
  changedAt = performance.now()
  noteScroll()
}

/** Notes the position to which the page itself scrolls to the result; later scrolling is the payer's. */
function noteScroll(): void {
  scrolledTo = window.scrollY
  requestAnimationFrame(() => {
    scrolledTo = window.scrollY
  })
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
