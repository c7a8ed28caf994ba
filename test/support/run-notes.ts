import { appendFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const { RIALTO_TEST_QUEUE: queue = '' } = process.env
const part = basename(process.argv[1] ?? '')
/** A program that a test starts has the same environment, and is not a part of the run. */
export const isPart = queue !== '' && /^part-\d+\.mjs$/.test(part)

/** Adds a line to the notes that the run reads from this test process (scripts/test-queue.ts). */
export function note(text: string): void {
  if (isPart) appendFileSync(join(queue, 'notes', part), `${text}\n`)
}

const closers: (() => Promise<void>)[] = []

/** Adds what this test process closes after its last file, because its files share it. */
export function atEndOfPart(close: () => Promise<void>): void {
  closers.push(close)
}

export async function endPart(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}
