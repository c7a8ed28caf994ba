import { Customer, CustomerList } from '../../contract/customer.ts'
import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import type { RouteDocument } from '../http/route.ts'

const group = 'Customers'

const EXAMPLE: Customer = {
  id: EXAMPLE_IDS.customer,
  object: 'customer',
  name: 'Ana Roy',
  email: 'ana@example.com',
  phone: '+1 212 555 0100',
  metadata: { plan: 'gold', seats: 4 },
  created: 1763740800,
}

const { name, email, phone, metadata } = EXAMPLE

/** Documents of the customer routes. */
export const CUSTOMER_DOCUMENTS = {
  create: {
    name: 'createCustomer',
    group,
    summary: 'Create a customer',
    description:
      'Safe to repeat: when a customer with this `email` exists, in any case, the response is 200 with that customer, ' +
      'unchanged. Without an `email` a new customer is always created.',
    responses: {
      201: { description: 'The new customer.', body: Customer, example: EXAMPLE },
      200: { description: 'The existing customer with this email, unchanged.', body: Customer, example: EXAMPLE },
    },
    example: { name, email, phone, metadata },
  },
  list: {
    name: 'listCustomers',
    group,
    summary: 'List customers',
    description: 'Newest first. With `email`, the one customer who has it, or an empty list.',
    responses: {
      200: {
        description: 'A page of customers.',
        body: CustomerList,
        example: { object: 'list', data: [EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveCustomer',
    group,
    summary: 'Retrieve a customer',
    description: "The customer's saved cards are a list of their own.",
    responses: { 200: { description: 'The customer.', body: Customer, example: EXAMPLE } },
  },
  update: {
    name: 'updateCustomer',
    group,
    summary: 'Update a customer',
    description:
      'Absent fields stay; `null` clears a field; `metadata` is replaced as a whole. A name or an email must remain.',
    responses: {
      200: { description: 'The customer as it is now.', body: Customer, example: { ...EXAMPLE, phone: null } },
    },
    refusals: ['conflict'],
    example: { phone: null },
  },
} satisfies Record<string, RouteDocument>
