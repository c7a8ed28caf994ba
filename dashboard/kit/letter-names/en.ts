import type { LetterName } from '../../../contract/letters.ts'

export const en = {
  'customer.subscription_link': 'Subscription awaits its card',
  'customer.subscription_created': 'Subscription created',
  'customer.payment_succeeded': 'Payment receipt',
  'customer.payment_failed': 'Payment declined',
  'customer.retries_exhausted': 'Last try declined',
  'customer.refund': 'Refund',
  'customer.card_link': 'New card is needed',
  'customer.card_request': 'Card to save is asked for',
  'customer.contract_link': 'Contract to sign',
  'customer.card_expiring': 'Card expires soon',
  'customer.upcoming_renewal': 'Renewal is coming',
  'merchant.payment_succeeded': 'Bill paid',
  'merchant.payment_failed': 'Bill declined',
  'merchant.retries_exhausted': 'Last try of a bill declined',
  'merchant.endpoint_disabled': 'Webhook endpoint disabled',
  'person.password_reset': 'New password',
  'person.invitation': 'Invitation',
  'person.factors_reset': 'Second factors removed',
  'person.account_changed': 'Account changed',
} satisfies Record<LetterName, string>
