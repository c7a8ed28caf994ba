import { appendFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const { RIALTO_TEST_QUEUE: queue } = process.env

/** Adds a line to what the run learns of this test process (scripts/test-queue.ts). */
export function note(text: string): void {
  if (queue !== undefined) appendFileSync(join(queue, 'notes', basename(process.argv[1] ?? 'part')), `${text}\n`)
}
