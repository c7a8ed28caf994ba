import type { Batch, ListBatchesQuery, ListBatchPaymentsQuery, Payment } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Batches of each terminal: the open one since its last settlement, and the settled ones. */
export class BatchesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Batch> {
    return this.#send<Batch>({ method: 'GET', path: pathOf('batches', id), options })
  }

  list(query: ListBatchesQuery = {}, options?: RequestOptions): List<Batch> {
    return new List<Batch>({ send: this.#send, path: '/batches', query: { ...query }, options })
  }

  /** Lists the payments of a batch, of every kind. */
  listPayments(id: string, query: ListBatchPaymentsQuery = {}, options?: RequestOptions): List<Payment> {
    return new List<Payment>({
      send: this.#send,
      path: pathOf('batches', id, '/payments'),
      query: { ...query },
      options,
    })
  }
}
