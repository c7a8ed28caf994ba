import { ApiError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import type { Query, Send } from './transport.ts'

/** Selects a page of a list. Lists are newest first; without a cursor the newest page is returned. */
export interface PageQuery {
  /** Page size, 1 to 100. The default is 10 for a single page and 100 in a loop. */
  limit?: number | undefined
  /** Returns the older page after this id. */
  starting_after?: string | undefined
  /** Returns the newer page before this id. A loop then continues to newer pages. */
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
 * A list that has not been requested yet. `for await` iterates over all of it, page by page; `await` returns its first
 * page.
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

  /** Returns the first page. Each call sends a request. */
  page(): Promise<Page<Item>> {
    return fetchPage(this.#request)
  }

  /** Makes `await` return the first page. */
  // biome-ignore lint/suspicious/noThenProperty: the list is awaitable on purpose.
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

/** One page of a list, newest first. `for await` iterates over it and all further pages. */
export class Page<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly data: readonly Item[]
  /** Whether there are further objects in the requested direction. */
  readonly has_more: boolean
  readonly #request: ListRequest

  constructor(request: ListRequest, { data, has_more }: Envelope<Item>) {
    this.data = data
    this.has_more = has_more
    this.#request = request
  }

  /** Returns the next page in the requested direction; `null` if there is none. */
  async nextPage(): Promise<Page<Item> | null> {
    const { query } = this.#request
    const isUpwards = query.ending_before !== undefined
    const last = isUpwards ? this.data.at(0) : this.data.at(-1)
    if (!this.has_more || !last) return null
    const from = isUpwards ? query.ending_before : query.starting_after
    // The list would never end.
    if (last.id === from) throw repeatedPage()
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

const repeatedPage = () =>
  new ApiError({
    type: 'api_error',
    code: 'unreadable_response',
    message: 'The list repeats a page. Check baseUrl and any proxy in between',
  })

async function fetchPage<Item extends { id: string }>(request: ListRequest): Promise<Page<Item>> {
  const { send, path, query, options } = request
  return new Page(request, await send<Envelope<Item>>({ method: 'GET', path, query, options }))
}
