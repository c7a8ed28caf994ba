import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { secondsOfEnded } from './processor-time.ts'
import { endPart, note } from './run-notes.ts'

// A test process of scripts/test-queue.ts: takes one test file after another and runs each as a suite with its name.
// The suite's hooks are the file's: what a file opens is closed before the next file is imported.

const {
  RIALTO_TEST_QUEUE: queue = '',
  RIALTO_TEST_QUEUE_FILES: most,
  RIALTO_TEST_QUEUE_END_MS: endMs = '15000',
} = process.env
const files: string[] = JSON.parse(readFileSync(join(queue, 'files.json'), 'utf8'))

// An error after the end of its test fails the process, but not a test: only these notes name it.
process.on('uncaughtExceptionMonitor', (error, origin) => note(`${origin}: ${error?.stack ?? error}`))
process.on('unhandledRejection', (reason: Error) => note(`unhandledRejection: ${reason?.stack ?? reason}`))
process.on('exit', (code) => note(`exit ${code}`))

interface Handle {
  type: string
  is_active: boolean
  is_referenced: boolean
  pid?: number
  localEndpoint?: { port: number } | null
  remoteEndpoint?: { port: number } | null
}

let ran = 0
for (const [index, file] of files.entries()) {
  if (ran === Number(most)) break
  if (!take(index)) continue
  ran++
  note(`ran ${file}`)
  const before = processorSeconds()
  await describe(file, async () => void (await import(pathToFileURL(file).href)))
  note(`took ${(processorSeconds() - before).toFixed(1)} ${file}`)
}
await endPart()

// Does not keep the process running: it fires only if a file has left something open.
setTimeout(() => {
  const open = `A test file left open: ${openHandles().join(', ')}`
  note(open)
  process.stderr.write(`${open}\n`)
  process.exit(1)
}, Number(endMs)).unref()

/**
 * Returns the processor seconds of this process and of ended programs that it started, without the database and
 * browsers.
 */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + secondsOfEnded()
}

/** Returns what keeps the process running, with the addresses of sockets and the ids of child processes. */
function openHandles(): string[] {
  const reporter: { excludeNetwork?: boolean; getReport(): object } | undefined = process.report
  // Avoids looking up names of addresses.
  if (reporter) reporter.excludeNetwork = true
  const report: { libuv?: Handle[] } | undefined = reporter?.getReport()
  const open = report?.libuv?.filter((handle) => handle.is_active && handle.is_referenced) ?? []
  const named = open.map((handle) => {
    const ports = [handle.localEndpoint?.port, handle.remoteEndpoint?.port].map((port) => port ?? '-')
    return handle.type === 'tcp' ? `tcp ${ports.join(' to ')}` : `${handle.type} ${handle.pid ?? ''}`.trim()
  })
  return [...process.getActiveResourcesInfo(), ...named]
}

/** @returns `false` if another process has taken it */
function take(index: number): boolean {
  try {
    closeSync(openSync(join(queue, 'taken', String(index)), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
