import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

// A test process of scripts/test-queue.ts: takes one test file after another and runs each as a suite of its name. Its
// hooks are those of the suite: what a file opens is closed before the next file is imported.

const {
  RIALTO_TEST_QUEUE: queue = '',
  RIALTO_TEST_QUEUE_FILES: most,
  RIALTO_TEST_QUEUE_END_MS: endMs = '15000',
} = process.env
const files: string[] = JSON.parse(readFileSync(join(queue, 'files.json'), 'utf8'))

let ran = 0
for (const [index, file] of files.entries()) {
  if (ran === Number(most)) break
  if (!take(index)) continue
  ran++
  await describe(file, async () => void (await import(pathToFileURL(file).href)))
}

// Does not keep the process running: it fires only if a file has left something open.
setTimeout(() => {
  process.stderr.write(`A test file left open: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}, Number(endMs)).unref()

/** @returns `false` when another process has taken it */
function take(index: number): boolean {
  try {
    closeSync(openSync(join(queue, 'taken', String(index)), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
