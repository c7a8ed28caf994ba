import type { ListProductsQuery, Product, ProductCreate, ProductUpdate, ProductWithPrices } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** The products of a business. */
export class ProductsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async create(product: ProductCreate, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'POST', path: '/products', body: product, options })
  }

  /**
   * Returns a product with its newest 100 prices. If `prices_has_more` is true, `prices.list({ product })` returns all.
   */
  async retrieve(id: string, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'GET', path: pathOf('products', id), options })
  }

  /** Updates a product. Absent fields stay as they are; `null` clears a field; metadata is replaced as a whole. */
  async update(id: string, changes: ProductUpdate, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'PATCH', path: pathOf('products', id), body: changes, options })
  }

  /** Lists products without their prices; `prices.list({ product })` returns those. */
  list(query: ListProductsQuery = {}, options?: RequestOptions): List<Product> {
    return new List<Product>({ send: this.#send, path: '/products', query: { ...query }, options })
  }
}
