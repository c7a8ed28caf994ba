import { showClosed } from './closed-page.ts'
import { byId, counted, type Page } from './page.ts'
import { phaseOf } from './phases.ts'
import { serverNow } from './server-clock.ts'
import { mayMove } from './still-page.ts'

const WARN_MS = 10 * 60_000
const LOOK_EVERY_MS = 5_000

/** Warns in the last ten minutes and closes the page at the end, by the server's clock and not the payer's. */
export function watchExpiry(page: Page): void {
  const expiresAt = Date.parse(page.data.expiresAt)
  const look = () => {
    const left = expiresAt - serverNow(page.data)
    if (phaseOf(page) === 'closed') return clearInterval(timer)
    if (!mayMove(page)) return
    if (left <= 0) showClosed(page, 'expired', page.data.cancelUrl)
    else if (left <= WARN_MS) warn(page, Math.max(1, Math.ceil(left / 60_000)))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  look()
}

function warn(page: Page, minutes: number): void {
  const notice = byId('expiry-notice')
  const text = counted(page, 'expires_soon', minutes)
  if (notice.textContent !== text) notice.textContent = text
}
