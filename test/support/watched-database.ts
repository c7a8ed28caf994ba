import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabaseProxy } from './fault-proxy.ts'
import { frameReader, readText } from './pg-frames.ts'

/** A way to the tests' database that shows what its statements do. */
export interface WatchedDatabase extends AsyncDisposable {
  /** For `databaseRoute` of a service. */
  route(databaseUrl: string): string
  /**
   * What the statements of `work` did, in the words of PostgreSQL (`SELECT 1`), in the order of the alphabet.
   *
   * @param quietMs waited before and after it, for statements that go on after a response
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
