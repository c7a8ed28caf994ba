import type { PayResponse } from '../../../contract/checkout-form.ts'
import type { FormSubscription } from '../../../contract/form-subscription.ts'
import type { PageContract } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import type { Charged } from '../../payments/charge/charged.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { OpenedCardLink } from '../sessions/open-customer-card-link.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionPlace } from '../sessions/session-token.ts'
import type { PayAttempt } from './pay-attempt.ts'

/**
 * What checkout needs of subscriptions, for sessions of mode `subscription`. Subscriptions come after checkout in the
 * import order, so server/app provides the implementation.
 *
 * @see CHK-18 to CHK-20, SUB-3
 */
export interface SignUps {
  /** Returns the terms to which the payer would agree now. */
  terms(loaded: LoadedSession): Promise<FormSubscription>
  /** @throws ApiError `contract_unsigned`, so that no authentication or wallet token is used up in vain */
  requireSignature(loaded: LoadedSession): Promise<void>
  /** Charges or verifies the card; the approval starts the subscription. */
  pay(payment: PayAttempt): Promise<Charged<PayResponse>>
  /** Opens the page of a token that belongs to another link than a session's; `null` if there is no such link. */
  openLink(place: SessionPlace): Promise<OpenedLink | null>
  /** Records the customer's signature under the contract of that page. */
  sign(place: SessionPlace, by: Signer): Promise<void>
}

/** Who signs a contract. */
export interface Signer {
  name: string
  ip: string
  /** Token of a dashboard session in the same browser; `null` for customers. */
  sessionToken: string | null
}

/** What a link leads to. */
export type OpenedLink =
  /** Session of the link, payable or already closed. */
  | { session: Session }
  | { canceledBy: Business }
  | OpenedCardLink
  /** Contract that must be signed first. */
  | { signAt: SessionPlace }
  | { business: Business; contract: PageContract }
