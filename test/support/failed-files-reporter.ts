import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of `node --test` that prints the names of failures, one per line. A file of the queue is a suite with its
 * name.
 */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`
  }
}
