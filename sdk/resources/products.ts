import type { ListProductsQuery, Product, ProductCreate, ProductUpdate, ProductWithPrices } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** What a business sells. */
export class ProductsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async create(product: ProductCreate, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'POST', path: '/products', body: product, options })
  }

  /** With its newest prices, at most 100. When `prices_has_more`, `prices.list({ product })` has them all. */
  async retrieve(id: string, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'GET', path: pathOf('products', id), options })
  }

  /** What is absent stays; `null` clears; metadata is replaced as a whole. */
  async update(id: string, changes: ProductUpdate, options?: RequestOptions): Promise<ProductWithPrices> {
    return this.#send<ProductWithPrices>({ method: 'PATCH', path: pathOf('products', id), body: changes, options })
  }

  /** Without their prices: those are listed by `prices.list({ product })`. */
  list(query: ListProductsQuery = {}, options?: RequestOptions): List<Product> {
    return new List<Product>({ send: this.#send, path: '/products', query: { ...query }, options })
  }
}
