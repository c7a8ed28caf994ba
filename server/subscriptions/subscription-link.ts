import type { SessionTokens } from '../checkout/sessions/session-token.ts'
import type { Links } from '../checkout/sessions/session-view.ts'
import { idOfVersion, versionOfId } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'

/** Returns the page where the customer enters the card of a subscription, or signs a contract. */
export type SubscriptionLink = (one: { businessId: string; id: string }) => string

/** Like it, the page where the customer replaces the card of a running subscription. */
export type CardLink = SubscriptionLink

// Ids are UUIDv7. The id of a card link is that of its subscription with the version 8, so that the link, too, names
// its object and nothing is stored for it.
const VERSION = '8'

/** What the link to replace the card of a subscription names. */
export const idOfCardLink = (subscriptionId: string): string => idOfVersion(subscriptionId, VERSION)

export const cardLinks =
  (link: SubscriptionLink): CardLink =>
  ({ businessId, id }) =>
    link({ businessId, id: idOfCardLink(id) })

/** @returns the id of the subscription; `null` when it is not that of a card link */
export const subscriptionOfCardLink = (id: string): string | null =>
  versionOfId(id) === VERSION ? idOfVersion(id, '7') : null

/** The token of a link names its object, as that of a session names the session: nothing is stored. */
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
