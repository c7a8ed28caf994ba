import type { PaymentPageView } from '../contract/payment-page.ts'

/** What the script of a closed page is told, for the merchant's page that frames it. */
export interface ClosedPageData {
  parentOrigin: string
  sessionId: string
  /** Three declines. */
  isFailed: boolean
}

/** `null` when no page may frame it. */
export function closedPageData({ state, parent }: PaymentPageView): ClosedPageData | null {
  return parent && { parentOrigin: parent.origin, sessionId: parent.sessionId, isFailed: state === 'failed' }
}
