import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { secondsOfCores, secondsOfTree } from '../test/support/processor-time.ts'
import type { FileTime } from './test-queue.ts'
import type { TestServer } from './test-server.ts'

/** Number of files that a whole run lists at its end. */
const LONGEST = 40

/**
 * Starts to measure the time of tests, their browsers and PostgreSQL.
 *
 * @returns a function that returns the lines of the report
 */
export function beginReport({ processId }: Pick<TestServer, 'processId'>): (times: FileTime[]) => string[] {
  const postgres = () => (processId === undefined ? 0 : secondsOfTree(processId))
  const before = { postgres: postgres(), cores: secondsOfCores(), at: performance.now() }
  return (times) => {
    const cores = secondsOfCores()
    const taken = { postgres: postgres() - before.postgres, seconds: (performance.now() - before.at) / 1_000 }
    const [busy, idle] = [cores.busy - before.cores.busy, cores.idle - before.cores.idle]
    return [...sums(times, { ...taken, busy, idle }), ...folders(times), ...longest(times)]
  }
}

interface Taken {
  postgres: number
  seconds: number
  busy: number
  idle: number
}

function sums(times: FileTime[], { postgres, seconds, busy, idle }: Taken): string[] {
  const tests = sum(times, (one) => one.tests)
  const browsers = sum(times, (one) => one.browsers)
  const waited = Math.round((100 * idle) / (busy + idle || 1))
  return [
    `Processor time: ${Math.round(tests + browsers + postgres)} s within ${Math.round(seconds)} s`,
    ...[
      [tests, 'test processes and the programs that they start'] as const,
      [browsers, 'browsers'] as const,
      [postgres, 'PostgreSQL'] as const,
    ].map(([taken, name]) => line(taken, name)),
    `${availableParallelism()} cores worked ${Math.round(busy)} s, this run and all else, and waited ${waited} %`,
  ]
}

function folders(times: FileTime[]): string[] {
  const groups = Map.groupBy(times, ({ file }) => file.split('/').slice(0, 2).join('/'))
  const taken = [...groups].map(([name, files]) => ({ name, seconds: sum(files, all), files: files.length }))
  const first = taken.toSorted((a, b) => b.seconds - a.seconds).filter(({ seconds }) => seconds >= 1)
  return ['By folder:', ...first.map(({ name, seconds, files }) => line(seconds, `${name} (${files} files)`))]
}

function longest(times: FileTime[]): string[] {
  return ['Most processor time:', ...times.slice(0, LONGEST).map((one) => line(all(one), one.file))]
}

const all = ({ tests, browsers }: FileTime) => tests + browsers
const sum = (times: FileTime[], of: (one: FileTime) => number) => times.reduce((so, one) => so + of(one), 0)
const line = (seconds: number, name: string) => `${seconds.toFixed(1).padStart(8)} s  ${name}`
