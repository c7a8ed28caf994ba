import { readFileSync } from 'node:fs'
import pg from 'pg'

// Loaded before the service. On a message, it reports how often the service's main thread has slept and how many
// statements it has sent.

export interface Counted {
  wakeups: number
  statements: number
}

let statements = 0
const client = pg.Client.prototype as { query(...parts: unknown[]): unknown }
const { query } = client
client.query = function (...parts) {
  statements++
  return query.apply(this, parts)
}

// The simulator gets the same arguments of Node, and waits for a different message.
if (process.argv[2] === 'serve') process.on('message', report)

function report(): void {
  const status = readFileSync(`/proc/self/task/${process.pid}/status`, 'utf8')
  const wakeups = Number(/^voluntary_ctxt_switches:\s*(\d+)$/m.exec(status)?.[1])
  process.send?.({ wakeups, statements } satisfies Counted)
}
