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

/** What the printed documents say of the routes of customers. */
export const CUSTOMER_DOCUMENTS = {
  create: {
    name: 'createCustomer',
    group,
    summary: 'Create a customer',
    description:
      'Safe to repeat: a known `email`, in whatever case, responds with 200 with the customer that has it, unchanged. Without an ' +
      '`email` it is always a new one.',
    responses: {
      201: { description: 'The new customer.', body: Customer, example: EXAMPLE },
      200: { description: 'The customer who has this email already, unchanged.', body: Customer, example: EXAMPLE },
    },
    example: { name, email, phone, metadata },
  },
  list: {
    name: 'listCustomers',
    group,
    summary: 'List customers',
    description: 'Newest first.',
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
    responses: { 200: { description: 'The customer.', body: Customer, example: EXAMPLE } },
  },
  update: {
    name: 'updateCustomer',
    group,
    summary: 'Update a customer',
    description: 'What is absent stays; `null` clears; `metadata` is replaced as a whole. Name or email must be left.',
    responses: {
      200: { description: 'The customer as it is now.', body: Customer, example: { ...EXAMPLE, phone: null } },
    },
    refusals: ['conflict'],
    example: { phone: null },
  },
} satisfies Record<string, RouteDocument>
