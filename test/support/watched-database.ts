import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabaseProxy } from './fault-proxy.ts'
import { frameReader, readText } from './pg-frames.ts'

/** A route to the tests' database that shows what statements do. */
export interface WatchedDatabase extends AsyncDisposable {
  /** Returns the URL for `databaseRoute` of a service. */
  route(databaseUrl: string): string
  /**
   * Returns what the statements of `work` did, as PostgreSQL reports it (`SELECT 1`), in alphabetical order.
   *
   * @param quietMs time to wait before and after it, for statements that continue after a response
   */
  during<Result>(work: () => Promise<Result>, quietMs: number): Promise<{ result: Result; done: string[] }>
}

export async function watchDatabase(): Promise<WatchedDatabase> {
  const done: string[] = []
  const proxy = await openDatabaseProxy(() => {
    const read = frameReader({ startsUntyped: false })
    return (chunk) => {
      for (const { type, body } of read(chunk)) if (type === 'C') done.push(readText(body).text)
    }
  })
  return {
    route: proxy.route,
    async during(work, quietMs) {
      await sleep(quietMs)
      done.splice(0)
      const result = await work()
      await sleep(quietMs)
      return { result, done: done.toSorted() }
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
