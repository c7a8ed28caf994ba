import type {
  Customer,
  CustomerCreate,
  CustomerUpdate,
  ListCustomerPaymentMethodsQuery,
  ListCustomersQuery,
  PaymentMethod,
} from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** The payers that a business knows. */
export class CustomersResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Name or e-mail, or both. A customer with this e-mail that exists already is returned unchanged. */
  async create(customer: CustomerCreate, options?: RequestOptions): Promise<Customer> {
    // A customer is known by the e-mail, so a second try finds the one that the first try made.
    const repeatable = typeof customer.email === 'string'
    return this.#send<Customer>({ method: 'POST', path: '/customers', body: customer, repeatable, options })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Customer> {
    return this.#send<Customer>({ method: 'GET', path: pathOf('customers', id), options })
  }

  /** What is absent stays; `null` clears; metadata is replaced as a whole. */
  async update(id: string, changes: CustomerUpdate, options?: RequestOptions): Promise<Customer> {
    return this.#send<Customer>({ method: 'PATCH', path: pathOf('customers', id), body: changes, options })
  }

  list(query: ListCustomersQuery = {}, options?: RequestOptions): List<Customer> {
    return new List<Customer>({ send: this.#send, path: '/customers', query: { ...query }, options })
  }

  /** The stored cards of one customer. */
  listPaymentMethods(
    id: string,
    query: ListCustomerPaymentMethodsQuery = {},
    options?: RequestOptions,
  ): List<PaymentMethod> {
    const path = pathOf('customers', id, '/payment_methods')
    return new List<PaymentMethod>({ send: this.#send, path, query: { ...query }, options })
  }
}
