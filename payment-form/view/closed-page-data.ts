import type { SessionPayment } from '../../contract/checkout-form.ts'
import type { PaymentPageView } from '../../contract/payment-page.ts'

/** Data of the script on a closed page, for the merchant's page that frames it. */
export interface ClosedPageData {
  parentOrigin: string
  sessionId: string
  /** Whether the session has failed after three declines. */
  isFailed: boolean
  /** `null` unless the session is paid. */
  payment: SessionPayment | null
}

/** Returns the data; `null` if no page may frame this one. */
export function closedPageData(view: PaymentPageView): ClosedPageData | null {
  const { state, parent } = view
  const payment = ('payment' in view && view.payment) || null
  return parent && { parentOrigin: parent.origin, sessionId: parent.sessionId, isFailed: state === 'failed', payment }
}
