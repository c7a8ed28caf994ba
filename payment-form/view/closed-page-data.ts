import type { SessionPayment } from '../../contract/checkout-form.ts'
import type { PaymentPageView } from '../../contract/payment-page.ts'

/** The script's data on a closed page, for the merchant's page that frames it. */
export interface ClosedPageData {
  parentOrigin: string
  sessionId: string
  /** Three declines. */
  isFailed: boolean
  /** `null` unless it is paid. */
  payment: SessionPayment | null
}

/** `null` when no page may frame it. */
export function closedPageData(view: PaymentPageView): ClosedPageData | null {
  const { state, parent } = view
  const payment = ('payment' in view && view.payment) || null
  return parent && { parentOrigin: parent.origin, sessionId: parent.sessionId, isFailed: state === 'failed', payment }
}
