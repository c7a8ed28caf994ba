import type { TestEvent } from 'node:test/reporters'

/** A reporter of `node --test`: the names of what failed, one a line. A file of the queue is a suite of its name. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`
  }
}
