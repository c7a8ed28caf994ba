import type { LetterTo } from '../../../contract/dashboard/subscription-views.ts'
import type { LetterSettings } from '../../businesses/letter-settings.ts'
import type { PlannedSubscription } from '../../subscriptions/create/plan-subscription.ts'
import type { Subscription } from '../../subscriptions/subscription.ts'

interface Recipients {
  first: PlannedSubscription['first']
  /** E-mail address of the customer; `null` without one. */
  recipient: string | null
  settings: Pick<LetterSettings, 'lettersOff' | 'notifiedEmails'>
}

/**
 * Returns the letters that are sent when a subscription is created.
 *
 * @see LTR-1 to LTR-3, LTR-14
 */
export function lettersOfCreate(
  { sendsPaymentLink }: Pick<Subscription, 'sendsPaymentLink'>,
  { first, recipient, settings }: Recipients,
): LetterTo[] {
  const kinds: Pick<LetterTo, 'kind' | 'to'>[] =
    first === 'link'
      ? sendsPaymentLink
        ? [{ kind: 'subscription_link', to: 'customer' }]
        : []
      : [{ kind: 'subscription_created', to: 'customer' }]
  if (first === 'charge')
    kinds.push({ kind: 'payment_succeeded', to: 'customer' }, { kind: 'payment_succeeded', to: 'merchant' })
  const addressesOf = { customer: recipient === null ? [] : [recipient], merchant: [...settings.notifiedEmails] }
  return kinds
    .filter(({ kind, to }) => !settings.lettersOff.some((off) => off === `${to}.${kind}`))
    .map(({ kind, to }) => ({ kind, to, addresses: addressesOf[to] }))
    .filter(({ addresses }) => addresses.length > 0)
}
