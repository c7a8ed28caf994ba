import type { ListPaymentMethodsQuery, PaymentMethod } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Stored cards. They are made on the payment form only: no card number ever passes through here. */
export class PaymentMethodsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async retrieve(id: string, options?: RequestOptions): Promise<PaymentMethod> {
    return this.#send<PaymentMethod>({ method: 'GET', path: pathOf('payment_methods', id), options })
  }

  /** Those on file, of all customers or of one. */
  list(query: ListPaymentMethodsQuery = {}, options?: RequestOptions): List<PaymentMethod> {
    return new List<PaymentMethod>({ send: this.#send, path: '/payment_methods', query: { ...query }, options })
  }

  /** Takes the card off file. It stays retrievable, and is charged no more. */
  async detach(id: string, options?: RequestOptions): Promise<PaymentMethod> {
    const path = pathOf('payment_methods', id)
    return this.#send<PaymentMethod>({ method: 'DELETE', path, repeatable: true, options })
  }
}
