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

/** The customers of a business. */
export class CustomersResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Creates a customer with a name, an e-mail address or both. An existing customer with this address is returned
   * unchanged.
   */
  async create(customer: CustomerCreate, options?: RequestOptions): Promise<Customer> {
    // With an e-mail address a retry is safe: it returns the customer that the first attempt created.
    const repeatable = typeof customer.email === 'string'
    return this.#send<Customer>({ method: 'POST', path: '/customers', body: customer, repeatable, options })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Customer> {
    return this.#send<Customer>({ method: 'GET', path: pathOf('customers', id), options })
  }

  /** Updates a customer. Absent fields stay as they are; `null` clears a field; metadata is replaced as a whole. */
  async update(id: string, changes: CustomerUpdate, options?: RequestOptions): Promise<Customer> {
    return this.#send<Customer>({ method: 'PATCH', path: pathOf('customers', id), body: changes, options })
  }

  list(query: ListCustomersQuery = {}, options?: RequestOptions): List<Customer> {
    return new List<Customer>({ send: this.#send, path: '/customers', query: { ...query }, options })
  }

  /** Lists the stored cards of one customer. */
  listPaymentMethods(
    id: string,
    query: ListCustomerPaymentMethodsQuery = {},
    options?: RequestOptions,
  ): List<PaymentMethod> {
    const path = pathOf('customers', id, '/payment_methods')
    return new List<PaymentMethod>({ send: this.#send, path, query: { ...query }, options })
  }
}
