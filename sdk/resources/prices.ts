import type { ListPricesQuery, Price, PriceCreate, PriceUpdate } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Prices of products, one-time or recurring. */
export class PricesResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Creates a price. `unit_amount` is in cents. A price without `recurring` is paid once. */
  async create(price: PriceCreate, options?: RequestOptions): Promise<Price> {
    return this.#send<Price>({ method: 'POST', path: '/prices', body: price, options })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Price> {
    return this.#send<Price>({ method: 'GET', path: pathOf('prices', id), options })
  }

  /** Updates nickname, active and metadata only. For a different amount create a new price and deactivate this one. */
  async update(id: string, changes: PriceUpdate, options?: RequestOptions): Promise<Price> {
    return this.#send<Price>({ method: 'PATCH', path: pathOf('prices', id), body: changes, options })
  }

  list(query: ListPricesQuery = {}, options?: RequestOptions): List<Price> {
    return new List<Price>({ send: this.#send, path: '/prices', query: { ...query }, options })
  }
}
