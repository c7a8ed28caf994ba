import type { RequestOptions } from './options.ts'
import type { Query, Send } from './transport.ts'

/** Which page of a list. Newest first; without a cursor, from the newest. */
export interface PageQuery {
  /** Objects in a page, 1 to 100. One page has 10 unless said; a loop asks for 100 at a time. */
  limit?: number | undefined
  /** The id that the older page begins after. */
  starting_after?: string | undefined
  /** The id that the newer page ends before. A loop then goes on to newer ones. */
  ending_before?: string | undefined
}

interface Envelope<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
}

interface ListRequest {
  send: Send
  path: string
  query: Query & PageQuery
  options: RequestOptions | undefined
}

const LOOP_LIMIT = 100

/**
 * A list that is not asked for yet. `for await` goes over all of it, page after page; `await` gives its first page.
 *
 * ```ts
 * for await (const customer of rialto.customers.list()) …
 * const { data, has_more } = await rialto.customers.list({ limit: 20 })
 * ```
 */
export class List<Item extends { id: string }> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #request: ListRequest

  constructor(request: ListRequest) {
    this.#request = request
  }

  /** The first page. Each call asks anew. */
  page(): Promise<Page<Item>> {
    return fetchPage(this.#request)
  }

  /** For `await`: a list that is awaited is its first page. */
  // biome-ignore lint/suspicious/noThenProperty: the list is awaited on purpose.
  then<Result1 = Page<Item>, Result2 = never>(
    onPage?: ((page: Page<Item>) => Result1 | PromiseLike<Result1>) | null,
    onError?: ((error: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.page().then(onPage, onError)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { query } = this.#request
    yield* await fetchPage<Item>({ ...this.#request, query: { ...query, limit: query.limit ?? LOOP_LIMIT } })
  }
}

/** One page of a list, newest first. `for await` goes over it and all pages behind it. */
export class Page<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly data: readonly Item[]
  /** There are more in the direction that was asked for. */
  readonly has_more: boolean
  readonly #request: ListRequest

  constructor(request: ListRequest, { data, has_more }: Envelope<Item>) {
    this.data = data
    this.has_more = has_more
    this.#request = request
  }

  /** The page behind this one, in the direction that was asked for, or `null` when there is none. */
  async nextPage(): Promise<Page<Item> | null> {
    const { query } = this.#request
    const isUpwards = query.ending_before !== undefined
    const last = isUpwards ? this.data.at(0) : this.data.at(-1)
    if (!this.has_more || !last) return null
    const cursor = isUpwards ? { ending_before: last.id } : { starting_after: last.id }
    return fetchPage({ ...this.#request, query: { ...query, ...cursor } })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const isUpwards = this.#request.query.ending_before !== undefined
    for (let page: Page<Item> | null = this; page; page = await page.nextPage()) {
      yield* isUpwards ? page.data.toReversed() : page.data
    }
  }
}

async function fetchPage<Item extends { id: string }>(request: ListRequest): Promise<Page<Item>> {
  const { send, path, query, options } = request
  return new Page(request, await send<Envelope<Item>>({ method: 'GET', path, query, options }))
}
