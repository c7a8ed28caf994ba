import type { Payment, VoidCreate } from '../generated/types.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from '../transport.ts'

/** Voids of payments of subscriptions whose batch is open. */
export class VoidsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Voids a payment and returns it. The request is never sent twice, whatever `maxRetries` is: after a lost response,
   * retrieve the payment.
   */
  async create(voided: VoidCreate, options?: RequestOptions): Promise<Payment> {
    const once = { ...options, maxRetries: 0 }
    return this.#send<Payment>({ method: 'POST', path: '/voids', body: voided, options: once })
  }
}
