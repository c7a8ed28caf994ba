import type { Business } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import { idOfVersion, newId, versionOfId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Cents } from '../../lib/money.ts'
import { UNPAID } from './new-session.ts'
import { SESSION_LIFETIME_SECONDS, type Session } from './session.ts'
import type { SessionTokens } from './session-token.ts'
import { checkoutUrl, type Links } from './session-view.ts'

/** Returns the page where a customer stores a card, with or without a subscription. @see CHK-60 */
export type CustomerCardLink = (customer: { businessId: string; id: string }) => string

// The link names its customer, as that of a subscription names the subscription: by the id with another version.
const VERSION = '9'

/** What the link of a customer names. */
export const idOfCustomerCardLink = (customerId: string): string => idOfVersion(customerId, VERSION)

export const customerOfCardLink = (id: string): string | null =>
  versionOfId(id) === VERSION ? idOfVersion(id, '7') : null

export function customerCardLinks({
  sessionTokens,
  keyring,
  links,
}: {
  sessionTokens: Pick<SessionTokens, 'make'>
  keyring: Pick<Keyring, 'currentId'>
  links: Links
}): CustomerCardLink {
  return ({ businessId, id }) => {
    const place = { businessId, id: idOfCustomerCardLink(id), tokenKeyId: keyring.currentId }
    return checkoutUrl({ uiMode: 'hosted' }, sessionTokens.make(place), links)
  }
}

/**
 * A session that stores a card of a customer. It verifies the card and charges nothing. No OAuth client has asked for
 * it, and no shop waits for the customer to return.
 *
 * @param now in the business's time
 */
export function setupSession(
  { links }: { links: Links },
  { business, customerId }: { business: Business; customerId: string },
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
    customerId,
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
    expiresAt: addSeconds(now, SESSION_LIFETIME_SECONDS),
  }
}
