import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import { PaymentMethod, PaymentMethodList } from '../../contract/payment-method.ts'
import type { RouteDocument } from '../http/route.ts'

const group = 'Payment methods'

const EXAMPLE: PaymentMethod = {
  id: EXAMPLE_IDS.paymentMethod,
  object: 'payment_method',
  type: 'card',
  customer: EXAMPLE_IDS.customer,
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031 },
  status: 'active',
  created: 1763740860,
}

const page = {
  200: {
    description: 'A page of payment methods.',
    body: PaymentMethodList,
    example: { object: 'list', data: [EXAMPLE], has_more: false },
  },
}

/** Documents of the payment method routes. */
export const PAYMENT_METHOD_DOCUMENTS = {
  list: {
    name: 'listPaymentMethods',
    group,
    summary: 'List payment methods',
    description: 'The cards on file, newest first. Detached ones are not listed.',
    responses: page,
  },
  listOfCustomer: {
    name: 'listCustomerPaymentMethods',
    group,
    summary: 'List the payment methods of a customer',
    description: 'The cards on file, newest first. Detached ones are not listed.',
    responses: page,
  },
  retrieve: {
    name: 'retrievePaymentMethod',
    group,
    summary: 'Retrieve a payment method',
    description: 'Also returns a detached one.',
    responses: { 200: { description: 'The payment method.', body: PaymentMethod, example: EXAMPLE } },
  },
  detach: {
    name: 'detachPaymentMethod',
    group,
    summary: 'Detach a payment method',
    description: 'The card can no longer be charged or listed. Safe to repeat.',
    responses: {
      200: {
        description: 'The payment method, detached.',
        body: PaymentMethod,
        example: { ...EXAMPLE, status: 'detached' },
      },
    },
  },
} satisfies Record<string, RouteDocument>
