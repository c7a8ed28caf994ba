import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { Payment } from '../../../contract/payment.ts'
import type { RouteDocument } from '../../http/route.ts'
import { PAYMENT_EXAMPLE } from '../payment-example.ts'

export const VOID_DOCUMENT: RouteDocument = {
  name: 'createVoid',
  group: 'Refunds and voids',
  summary: 'Void a payment',
  description: `Cancels a payment of a subscription whose batch is still open and of which nothing is refunded. Once the
batch is settled, refund it. When the outcome could not be determined in time the response is 500: it is being resolved,
and the payment shows it. At most 5 requests a minute.`,
  responses: {
    200: { description: 'The payment, voided.', body: Payment, example: { ...PAYMENT_EXAMPLE, status: 'voided' } },
  },
  refusals: ['not_found', 'conflict', 'validation_failed', 'internal_error', 'unavailable'],
  example: { payment: EXAMPLE_IDS.payment },
}
