import type {
  ListSubscriptionPaymentsQuery,
  ListSubscriptionsQuery,
  Payment,
  Subscription,
  SubscriptionCreate,
} from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Stored cards that are charged on a schedule. */
export class SubscriptionsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * With a `payment_method` and a start today the first bill is charged at once; a declined card rejects with a
   * `CardError`. Never sent twice, whatever `maxRetries` is: a repeated create may charge twice. After a lost response
   * list the customer's subscriptions first.
   */
  async create(subscription: SubscriptionCreate, options?: RequestOptions): Promise<Subscription> {
    const once = { ...options, maxRetries: 0 }
    return this.#send<Subscription>({ method: 'POST', path: '/subscriptions', body: subscription, options: once })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.#send<Subscription>({ method: 'GET', path: pathOf('subscriptions', id), options })
  }

  list(query: ListSubscriptionsQuery = {}, options?: RequestOptions): List<Subscription> {
    return new List<Subscription>({ send: this.#send, path: '/subscriptions', query: { ...query }, options })
  }

  /** Declined attempts too, each as a payment of its own. */
  listPayments(id: string, query: ListSubscriptionPaymentsQuery = {}, options?: RequestOptions): List<Payment> {
    const path = pathOf('subscriptions', id, '/payments')
    return new List<Payment>({ send: this.#send, path, query: { ...query }, options })
  }

  async retrievePayment(id: string, payment: string, options?: RequestOptions): Promise<Payment> {
    const path = pathOf('subscriptions', id, pathOf('payments', payment))
    return this.#send<Payment>({ method: 'GET', path, options })
  }
}
