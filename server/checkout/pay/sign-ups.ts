import type { PayFailure, PaySuccess } from '../../../contract/checkout-form.ts'
import type { FormSubscription } from '../../../contract/form-subscription.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { SessionPayment } from './session-payment.ts'

/**
 * Sessions of mode subscription. Subscriptions come after checkout in the import order, so server/app plugs them in.
 *
 * @see CHK-18 to CHK-20, SUB-3
 */
export interface SignUps {
  /** What the payer agrees to, at this time. */
  terms(open: LoadedSession): Promise<FormSubscription>
  /** Charges or verifies the card, and begins the subscription with the approval. */
  pay(payment: SessionPayment): Promise<PaySuccess | PayFailure>
}
