import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

const ERRORS_MAX = 4_000

export interface BuilderLog {
  info(text: string): void
  error(detail: object, text: string): void
}

export interface Builder {
  /** Resolves with whether the program ran to its end, built or failed; `false` if it was stopped. */
  ended: Promise<boolean>
  stop(): void
}

/**
 * Runs a program that builds something beside the service, with a lower priority.
 *
 * @param name name of what it builds, for the log
 */
export function startBuilder(name: string, file: string, log: BuilderLog): Builder {
  const start = performance.now()
  const program = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] })
  yieldToOthers(program)
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  let errors = ''
  program.stderr.on('data', (text) => {
    errors += text
  })
  program.once('error', (error) => {
    log.error({ err: error }, `${name} could not be built`)
    resolve(true)
  })
  program.once('exit', (code, signal) => {
    if (signal) return resolve(false)
    if (code === 0) log.info(`${name} was built in ${Math.round(performance.now() - start)} ms`)
    else log.error({ errors: errors.slice(-ERRORS_MAX) }, `${name} could not be built`)
    resolve(true)
  })
  return { ended, stop: () => void program.kill() }
}

/** Lowers the priority below what starts at the same time, above all the database. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The program has ended, or the system does not allow it.
  }
}
