import type { Page } from './page.ts'
import { chosenCard } from './read-form.ts'
import { showRefusal } from './refusals.ts'

// One click pays with a saved card. A script on the page that frames this one could make the frame transparent above
// something else, or move it under the pointer just before a click. So in a frame, the button has to be visible for a
// while first.

const SEEN_MS = 500
/** Later than the second click of a double click, and early enough to belong to the first press. */
const CONFIRM_AFTER_MS = 700
const CONFIRM_BEFORE_MS = 30_000

interface Entry extends IntersectionObserverEntry {
  /** Whether nothing covers or dims it, including in the surrounding pages. Chromium only. */
  isVisible?: boolean
}

/**
 * Watches the button.
 *
 * @returns a function that returns whether a payment may proceed; otherwise the payer is told what to do (PAG-129)
 */
export function watchPayInSight(page: Page): () => boolean {
  if (window.parent === window) return () => true
  const knowsCovers = 'isVisible' in IntersectionObserverEntry.prototype
  let seenSince = Infinity
  let pressedAt = -Infinity
  const options = { threshold: [0, 0.95, 1], trackVisibility: true, delay: 100 }
  const observer = new IntersectionObserver((entries) => {
    const entry = entries.at(-1) as Entry
    const isSeen = entry.intersectionRatio >= 0.95 && entry.isVisible !== false
    seenSince = isSeen ? Math.min(seenSince, performance.now()) : Infinity
  }, options)
  // Chromium drops clicks in a watched frame that has just moved, so it is watched for a saved card only.
  let isWatched = false
  const follow = () => {
    if (isWatched === (chosenCard(page) !== null)) return
    isWatched = !isWatched
    seenSince = Infinity
    if (isWatched) observer.observe(page.pay)
    else observer.disconnect()
  }
  page.form.addEventListener('change', follow)
  follow()
  return () => {
    follow()
    if (!isWatched) return true
    const now = performance.now()
    if (now - seenSince < SEEN_MS || seenSince === Infinity) return refuse(page, 'form_unseen')
    if (knowsCovers) return true
    const sincePress = now - pressedAt
    if (sincePress >= CONFIRM_AFTER_MS && sincePress <= CONFIRM_BEFORE_MS) return true
    if (sincePress > CONFIRM_BEFORE_MS) pressedAt = now
    return refuse(page, 'press_again')
  }
}

function refuse(page: Page, code: string): boolean {
  showRefusal(page, code)
  return false
}
