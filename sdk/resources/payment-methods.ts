import type { ListPaymentMethodsQuery, PaymentMethod } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Stored cards. They are created on the payment form only; no card number passes through this library. */
export class PaymentMethodsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async retrieve(id: string, options?: RequestOptions): Promise<PaymentMethod> {
    return this.#send<PaymentMethod>({ method: 'GET', path: pathOf('payment_methods', id), options })
  }

  /** Lists stored cards, of all customers or of one. */
  list(query: ListPaymentMethodsQuery = {}, options?: RequestOptions): List<PaymentMethod> {
    return new List<PaymentMethod>({ send: this.#send, path: '/payment_methods', query: { ...query }, options })
  }

  /** Detaches the card: it can no longer be charged, but can still be retrieved. */
  async detach(id: string, options?: RequestOptions): Promise<PaymentMethod> {
    const path = pathOf('payment_methods', id)
    return this.#send<PaymentMethod>({ method: 'DELETE', path, repeatable: true, options })
  }
}
