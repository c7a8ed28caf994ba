import type { ClosedPageData } from '../view/closed-page-data.ts'
import { byId, type Page } from './page.ts'
import { connectParent } from './parent-messages.ts'
import { phaseOf } from './phases.ts'
import { closedResult, paidResult } from './session-result.ts'

// A page in a frame of the merchant's page. Opened on its own, the same page works as a hosted one.

/** Connects the form to the page that frames it, if that page may frame it. */
export function joinParent(page: Page): void {
  const { parentOrigin: origin, sessionId } = page.data
  if (!isFramed() || !origin) return
  const cancel = () => {
    if (phaseOf(page) !== 'ready') return
    page.form.reset()
    page.parent?.result({ status: 'canceled', session_id: sessionId })
  }
  page.parent = connectParent({ origin, sessionId, content: content(), onClose: cancel, onScheme: showScheme })
  document.getElementById('cancel')?.addEventListener('click', (event) => {
    event.preventDefault()
    cancel()
  })
}

/**
 * Reports a session that was already closed: otherwise the merchant's page would wait for the form until its timeout.
 */
export function tellClosed(): void {
  const block = document.getElementById('closed-data')
  if (!block || !isFramed()) return
  const { parentOrigin, sessionId, isFailed, payment } = JSON.parse(block.textContent ?? '') as ClosedPageData
  const onClose = () => {}
  connectParent({ origin: parentOrigin, sessionId, content: content(), onClose, onScheme: showScheme })?.result(
    payment ? paidResult(sessionId, payment) : closedResult(sessionId, isFailed),
  )
}

function isFramed(): boolean {
  const isFramed = window.parent !== window
  document.body.toggleAttribute('data-framed', isFramed)
  return isFramed
}

/** Returns the element whose height is reported: on these surfaces it does not have the window's minimum height. */
function content(): Element {
  return document.querySelector('.page') ?? byId('main')
}

/**
 * Applies the scheme of the merchant's page, which does not follow the payer's system. A scheme that the business has
 * set stays.
 */
function showScheme(scheme: 'light' | 'dark'): void {
  for (const rule of document.styleSheets[0]?.cssRules ?? []) {
    if (!(rule instanceof CSSMediaRule)) continue
    const [, of] = /prefers-color-scheme: (light|dark)/.exec(rule.media.mediaText) ?? []
    if (!of) continue
    rule.media.mediaText = of === scheme ? 'all' : 'not all'
    document.documentElement.style.colorScheme = scheme
  }
}
