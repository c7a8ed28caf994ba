import type { About } from '../../../contract/dashboard/about.ts'

export const en = {
  payment: 'Payment',
  subscription: 'Subscription',
  customer: 'Customer',
  contract: 'Contract',
  product: 'Product',
  checkout_session: 'Payment link',
  webhook_endpoint: 'Webhook endpoint',
} satisfies Record<About['type'], string>
