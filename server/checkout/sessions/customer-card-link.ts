import type { Business } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import { idOfVersion, newId, versionOfId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Cents } from '../../lib/money.ts'
import { UNPAID } from './new-session.ts'
import { SESSION_LIFETIME_SECONDS, type Session } from './session.ts'
import type { SessionTokens } from './session-token.ts'
import { checkoutUrl, type Links } from './session-view.ts'

const CARD_LINK_LIFETIME_SECONDS = 30 * 86_400

/** A request to a customer to store a card. Times are by the clock of the business. @see CHK-60, SUB-48 */
export interface CustomerCardLink {
  businessId: string
  /** Id of the request, which the token of the link contains. */
  id: string
  customerId: string
  /** Subscription whose card is replaced by the stored one; `null` if the card is only stored. */
  subscriptionId: string | null
  /** Latest session opened from the link; `null` if it was never opened. */
  sessionId: string | null
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

/** Returns the URL of a link's page. */
export type CustomerCardLinkUrl = (link: { businessId: string; id: string }) => string

// The token of a link does not say what kind of object it names, so the id does: ids of other objects have version 7.
const VERSION = '9'

export const isCustomerCardLinkId = (id: string): boolean => versionOfId(id) === VERSION

/** @param now current time of the business */
export const newCustomerCardLink = (
  of: Pick<CustomerCardLink, 'businessId' | 'customerId' | 'subscriptionId'>,
  now: Date,
): CustomerCardLink => ({
  ...of,
  id: idOfVersion(newId(), VERSION),
  sessionId: null,
  createdAt: now,
  expiresAt: addSeconds(now, CARD_LINK_LIFETIME_SECONDS),
  revokedAt: null,
})

/** Whether the link still leads to a form. @param now current time of the business */
export const isLive = ({ expiresAt, revokedAt }: Pick<CustomerCardLink, 'expiresAt' | 'revokedAt'>, now: Date) =>
  revokedAt === null && expiresAt > now

export function customerCardLinks({
  sessionTokens,
  keyring,
  links,
}: {
  sessionTokens: Pick<SessionTokens, 'make'>
  keyring: Pick<Keyring, 'currentId'>
  links: Links
}): CustomerCardLinkUrl {
  return ({ businessId, id }) =>
    checkoutUrl({ uiMode: 'hosted' }, sessionTokens.make({ businessId, id, tokenKeyId: keyring.currentId }), links)
}

/**
 * Returns a session that stores a card of a customer. It verifies the card, charges nothing, and does not outlive its
 * link. No OAuth client has requested it, and no shop waits for the customer to return.
 *
 * @param now current time of the business
 */
export function setupSession(
  { links }: { links: Links },
  { business, link }: { business: Business; link: CustomerCardLink },
  { tokenKeyId, now }: { tokenKeyId: string; now: Date },
): Session {
  return {
    ...UNPAID,
    businessId: business.id,
    id: newId(),
    clientId: null,
    tokenKeyId,
    uiMode: 'hosted',
    mode: 'setup',
    currency: business.currency,
    amountTotal: 0 as Cents,
    amountSubtotal: null,
    amountTax: null,
    amountDiscount: null,
    surchargeRateBp: null,
    customerId: link.customerId,
    customerEmail: null,
    customerNamedBy: 'merchant',
    customerName: null,
    successUrl: null,
    cancelUrl: null,
    parentOrigin: new URL(links.dashboardUrl).origin,
    description: null,
    clientReferenceId: null,
    metadata: null,
    lineItems: null,
    discounts: null,
    billingAddressCollection: null,
    shippingAddressCollection: null,
    consentCollection: null,
    subscription: null,
    createdAt: now,
    expiresAt: endOfSession(link, now),
  }
}

/** Returns the expiry of a session, which does not outlive its link. */
export function endOfSession({ expiresAt }: CustomerCardLink, now: Date): Date {
  const ownEnd = addSeconds(now, SESSION_LIFETIME_SECONDS)
  return ownEnd < expiresAt ? ownEnd : expiresAt
}
