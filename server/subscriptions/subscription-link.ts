import type { SessionTokens } from '../checkout/sessions/session-token.ts'
import type { Links } from '../checkout/sessions/session-view.ts'
import type { Keyring } from '../lib/keyring.ts'

/** Returns the URL of the page where the customer enters the card of a subscription, or signs a contract. */
export type SubscriptionLink = (one: { businessId: string; id: string }) => string

/** The token of a link names its object, just as a session's token names the session: nothing is stored. */
export function subscriptionLinks({
  sessionTokens,
  keyring,
  links,
}: {
  sessionTokens: Pick<SessionTokens, 'make'>
  keyring: Pick<Keyring, 'currentId'>
  links: Links
}): SubscriptionLink {
  return ({ businessId, id }) => {
    const token = sessionTokens.make({ businessId, id, tokenKeyId: keyring.currentId })
    return `${links.dashboardUrl}/customer/checkout/${token}`
  }
}
