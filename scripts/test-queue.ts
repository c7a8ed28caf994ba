import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// A separate process for each test file would import the whole service four hundred times. So a test process takes one
// file after another from a queue that all processes share (test/support/run-queued-files.ts).

const RUNNER = fileURLToPath(new URL('../test/support/run-queued-files.ts', import.meta.url))
const FAILED_REPORTER = new URL('../test/support/failed-files-reporter.ts', import.meta.url)

/** Maximum number of files per process, so that what it retains of them, such as their logs, stays below 1 GB. */
export const FILES_PER_PROCESS = 30

/**
 * Folders whose files take longest, whatever their size. They come first, so that a run does not end with one of them
 * on a single core.
 */
const SLOW = ['test/browser/', 'test/dom/', 'test/faults/', 'test/simulation/', 'server/serve/']

/** Processor seconds of a file: of its process, the programs that it started, and its browsers. */
export interface FileTime {
  file: string
  tests: number
  browsers: number
}

export interface TestQueue {
  /** One file per process, for `node --test`. */
  parts: string[]
  env: Record<string, string>
  /** Options of `node --test` for its output, and for the list of failures that `failed` reads. */
  reporters: string[]
  /** Returns the names of the files that have failed, or of processes that failed for a reason outside of tests. */
  failed(): string[]
  /** Returns the files that no process has taken; there are none unless a process has crashed. */
  left(): string[]
  /** Returns the notes of each process that was killed or failed for a reason outside of its tests, its files last. */
  crashes(): string[]
  /** Returns the time of each file, the longest first. */
  times(): FileTime[]
  delete(): void
}

export function makeTestQueue(files: string[], filesPerProcess: number): TestQueue {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-test-queue-'))
  const ordered = slowFirst(files)
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'files.json'), JSON.stringify(ordered))
  const parts = Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (_, index) => {
    const part = join(folder, `part-${String(index + 1).padStart(2, '0')}.mjs`)
    writeFileSync(part, `import '${pathToFileURL(RUNNER)}'\n`)
    return part
  })
  return {
    parts,
    env: { RIALTO_TEST_QUEUE: folder, RIALTO_TEST_QUEUE_FILES: String(filesPerProcess) },
    reporters: [
      ['spec', 'stdout'],
      [FAILED_REPORTER.href, join(folder, 'failed')],
    ].flatMap(([name, to]) => [`--test-reporter=${name}`, `--test-reporter-destination=${to}`]),
    failed: () => readFileSync(join(folder, 'failed'), 'utf8').split('\n').filter(Boolean),
    left() {
      const numbers = new Set(readdirSync(taken))
      return ordered.filter((_, index) => !numbers.has(String(index)))
    },
    crashes: () => notesOf(folder).flatMap(([part, lines]) => crash(part, lines)),
    times: () =>
      notesOf(folder)
        .flatMap(([, lines]) => timesOf(lines))
        .toSorted((a, b) => b.tests + b.browsers - a.tests - a.browsers),
    delete: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Returns the notes of each process (test/support/run-queued-files.ts). */
function notesOf(folder: string): [part: string, lines: string[]][] {
  const notes = join(folder, 'notes')
  return readdirSync(notes).map((part) => [part, readFileSync(join(notes, part), 'utf8').trim().split('\n')])
}

function timesOf(lines: string[]): FileTime[] {
  let browsers = 0
  return lines.flatMap((line) => {
    const [, what, seconds, file] = line.match(/^(took|browser) (\S+) ?(.*)$/) ?? []
    if (what === 'browser') browsers += Number(seconds)
    if (what !== 'took' || !file) return []
    const time = { file, tests: Number(seconds), browsers }
    browsers = 0
    return [time]
  })
}

function crash(part: string, lines: string[]): string[] {
  const end = endOf(lines)
  if (end === 'exit 0') return []
  const ran = lines.filter((line) => line.startsWith('ran ')).map((line) => line.slice(4))
  return [[`${part}: ${end}`, ...errorsOf(lines), `It ran ${ran.join(', ')}`].join('\n  ')]
}

const endOf = (lines: string[]): string => lines.at(-1)?.match(/^exit \d+$/)?.[0] ?? 'was killed'

const errorsOf = (lines: string[]): string[] => lines.filter((line) => !/^(?:ran|took|browser|exit) /.test(line))

/** Sorts by folder, then by size, which is the best estimate of how long a file takes. */
function slowFirst(files: string[]): string[] {
  const rank = (file: string) => (SLOW.some((folder) => file.startsWith(folder)) ? 1e9 : 0) + statSync(file).size
  return files.toSorted((a, b) => rank(b) - rank(a))
}
