import { createHash } from 'node:crypto'

/** Events without anything that differs between two runs of a seed: the same seed has the same hash. */
export interface Trace {
  note(line: string): void
  /** The last lines, for the report of a failure. */
  tail(count: number): string[]
  hash(): string
}

const KEPT = 400

export function createTrace(onLine: (line: string) => void = () => {}): Trace {
  const hash = createHash('sha256')
  const lines: string[] = []
  return {
    note(line) {
      hash.update(`${line}\n`)
      lines.push(line)
      if (lines.length > KEPT) lines.shift()
      onLine(line)
    },
    tail: (count) => lines.slice(-count),
    hash: () => hash.copy().digest('hex').slice(0, 16),
  }
}
