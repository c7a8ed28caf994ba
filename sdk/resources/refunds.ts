import type { ListRefundsQuery, Refund, RefundCreate } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Refunds of payments of subscriptions. */
export class RefundsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Refunds a payment. `amount` is in cents; without it the whole remainder is refunded. A declined refund is `failed`,
   * one without an outcome is `pending`: retrieve it later. The request is never sent twice, whatever `maxRetries` is,
   * because that may refund twice. After a lost response, list the refunds of the payment first.
   */
  async create(refund: RefundCreate, options?: RequestOptions): Promise<Refund> {
    const once = { ...options, maxRetries: 0 }
    return this.#send<Refund>({ method: 'POST', path: '/refunds', body: refund, options: once })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Refund> {
    return this.#send<Refund>({ method: 'GET', path: pathOf('refunds', id), options })
  }

  list(query: ListRefundsQuery = {}, options?: RequestOptions): List<Refund> {
    return new List<Refund>({ send: this.#send, path: '/refunds', query: { ...query }, options })
  }
}
