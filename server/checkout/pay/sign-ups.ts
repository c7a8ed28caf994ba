import type { PayFailure, PaySuccess } from '../../../contract/checkout-form.ts'
import type { FormSubscription } from '../../../contract/form-subscription.ts'
import type { PageContract } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { OpenedCardLink } from '../sessions/open-customer-card-link.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionPlace } from '../sessions/session-token.ts'
import type { SessionPayment } from './session-payment.ts'

/**
 * Sessions of mode subscription. Subscriptions come after checkout in the import order, so server/app plugs them in.
 *
 * @see CHK-18 to CHK-20, SUB-3
 */
export interface SignUps {
  /** What the payer agrees to, at this time. */
  terms(loaded: LoadedSession): Promise<FormSubscription>
  /** @throws ApiError `contract_unsigned`, before the payer's authentication or a wallet's message is used for it */
  requireSignature(loaded: LoadedSession): Promise<void>
  /** Charges or verifies the card, and begins the subscription with the approval. */
  pay(payment: SessionPayment): Promise<PaySuccess | PayFailure>
  /** The page of a token that is not a session's but that of a subscription that waits for its card. */
  openLink(place: SessionPlace): Promise<OpenedLink | null>
  /** The customer's signature under the contract of that page. */
  sign(place: SessionPlace, by: Signer): Promise<void>
}

/** Who signs a contract. */
export interface Signer {
  name: string
  ip: string
  /** Of the dashboard session that the same browser has; `null` for customers. */
  sessionToken: string | null
}

/** What a link leads to. */
export type OpenedLink =
  /** To be paid, or paid. */
  | { session: Session }
  | { canceledBy: Business }
  | OpenedCardLink
  /** The contract that is to be signed first. */
  | { signAt: SessionPlace }
  | { business: Business; contract: PageContract }
