import type { PageToWallet, WalletPayment, WalletToPage } from '../../contract/wallet-frame.ts'
import { validateForm } from './field-errors.ts'
import { type Page, typed } from './page.ts'
import { payWith } from './pay.ts'
import { phaseOf } from './phases.ts'
import { showRefusal } from './refusals.ts'
import { mayMove } from './still-page.ts'

const BUSY_MS = 300
const MOVE_MS = { full: 200, reduced: 40 }
const HEIGHT_MAX = 1_000

/**
 * Requests the Google Pay button from the frame on the other origin, after the first paint. Its row takes up no space
 * until the frame is ready: a payer who cannot use it sees the page unchanged.
 *
 * @see GPY-1
 */
export function offerWallet(page: Page): void {
  const { walletFrame: url } = page.data
  const row = document.getElementById('wallet')
  if (url && row) requestAnimationFrame(() => setTimeout(() => openFrame(page, row, url)))
}

function openFrame(page: Page, row: HTMLElement, url: string): void {
  const frame = document.createElement('iframe')
  frame.title = 'Google Pay'
  frame.allow = 'payment'
  frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-same-origin allow-forms')
  frame.src = url
  const { origin } = new URL(url)
  const send = (message: PageToWallet) => frame.contentWindow?.postMessage(message, origin)
  window.addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = event.data as WalletToPage
    if (message.type === 'rc:wallet_loaded') send({ type: 'rc:wallet_start', scheme: schemeOf() })
    else if (message.type === 'rc:wallet_ready') showRow(page, row)
    else if (message.type === 'rc:wallet_not_ready') row.remove()
    else if (message.type === 'rc:wallet_height') frame.style.height = heightOf(message.height)
    else if (message.type === 'rc:wallet_failed') showRefusal(page, 'googlePayToken')
    else if (message.type === 'rc:wallet_paid') payByWallet(page, message)
    else if (message.type === 'rc:wallet_press' && isComplete(page)) send({ type: 'rc:wallet_open' })
  })
  new MutationObserver(() => {
    row.inert = phaseOf(page) !== 'ready'
  }).observe(page.columns, { attributeFilter: ['data-phase'] })
  row.prepend(frame)
}

/** Returns the scheme by the business's setting and the merchant's page, like the stylesheet. */
function schemeOf(): 'light' | 'dark' {
  return getComputedStyle(document.documentElement).getPropertyValue('--scheme') === 'dark' ? 'dark' : 'light'
}

const heightOf = (height: number) => (height > 0 ? `${Math.min(height, HEIGHT_MAX)}px` : '')

/**
 * Shows the row. A field in use keeps its place on the screen; otherwise the form slides down, which browsers do not
 * count as a layout shift.
 */
function showRow(page: Page, row: HTMLElement): void {
  if (!mayMove(page)) return void setTimeout(() => showRow(page, row), BUSY_MS)
  const next = row.nextElementSibling
  const topOf = () => next?.getBoundingClientRect().top ?? 0
  const top = topOf()
  row.dataset.ready = ''
  const moved = topOf() - top
  // The browser keeps a scrolled page in its place.
  if (window.scrollY > 0) return
  if (page.form.contains(document.activeElement)) window.scrollBy(0, moved)
  if (window.scrollY > 0) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const duration = isStill ? MOVE_MS.reduced : MOVE_MS.full
  row.animate([{ opacity: 0 }, {}], duration)
  for (let part = next; part; part = part.nextElementSibling)
    part.animate([{ transform: `translateY(${-moved}px)` }, {}], duration)
}

/** Whether the rest of the form is filled in before the sheet opens; the wallet provides the card and its address. */
function isComplete(page: Page): boolean {
  return phaseOf(page) === 'ready' && validateForm(page, (field) => !field.closest('.new-card, .saved'))
}

function payByWallet(page: Page, { googlePayToken, description, email, billing }: WalletPayment): void {
  page.pay.focus({ preventScroll: true })
  const amount = page.data.surcharge?.texts.without.amount ?? page.data.amount
  void payWith(
    page,
    { payment_method_type: 'google_pay', googlePayToken, amount, ...(billing && { billing_address: billing }) },
    { name: billing?.name ?? '', email: email ?? typed(page, 'email'), card: description },
  )
}
