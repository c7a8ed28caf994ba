import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { readOrMakeSecret } from '../gateway/simulator/secret-file.ts'
import type { RunningSimulator } from '../gateway/simulator/start-simulator.ts'
import { startSimulators } from './start-simulators.ts'

// Runs the simulated gateway, 3-D Secure server and bank as a program:
//   node server/serve/simulator-program.ts --secret-file data/simulator.secret --port 4010 --ledger
// data/simulator.jsonl `--time-scale 0.05` turns 20 seconds into one. `--public-url` is the origin at which payers'
// browsers reach the bank. A parent process with an IPC channel sends `{ secret }` instead of naming a file, and
// receives a `FromSimulator`. The simulator exits when its parent does.

export type FromSimulator = { type: 'listening'; port: number } | { type: 'failed'; message: string; code?: string }

if (import.meta.main) await run()

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      ledger: { type: 'string' },
      'secret-file': { type: 'string' },
      'time-scale': { type: 'string', default: '1' },
      'public-url': { type: 'string' },
      environment: { type: 'string', default: 'staging' },
    },
  })
  const timeScale = Number(values['time-scale'])
  if (!(timeScale > 0)) return fail('--time-scale must be a number above 0.')
  try {
    const secret = await secretFrom(values['secret-file'])
    if (secret === null)
      return fail('--secret-file is required: the path of the secret. The file is created if it is missing.')
    const running = await startSimulators({
      environment: values.environment === 'production' ? 'production' : 'staging',
      port: Number(values.port),
      timeScale,
      secret,
      ...(values.ledger !== undefined && { ledgerFile: values.ledger }),
      ...(values['public-url'] !== undefined && { publicUrl: values['public-url'] }),
      onFatal: (error) => fail(`The ledger cannot be written: ${(error as Error).message}`),
    })
    announce(running)
  } catch (error) {
    fail(reason(error as NodeJS.ErrnoException, values.port), (error as NodeJS.ErrnoException).code)
  }
}

/** Reads the secret: never from the command line or the environment, where other programs could read it. */
async function secretFrom(file: string | undefined): Promise<string | null> {
  if (file !== undefined) return readOrMakeSecret(file)
  if (!process.send) return null
  const [{ secret }] = (await once(process, 'message')) as [{ secret: string }]
  return secret
}

function announce(running: RunningSimulator): void {
  let isStopping = false
  const stopOnce = () => {
    if (!isStopping) stop(running)
    isStopping = true
  }
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stopOnce)
  process.on('disconnect', stopOnce)
  if (process.send) process.send({ type: 'listening', port: running.port } satisfies FromSimulator)
  else process.stdout.write(`Gateway simulator at ${running.url}\n`)
}

async function stop(running: RunningSimulator): Promise<void> {
  await running.close()
  process.exit(0)
}

function reason(error: NodeJS.ErrnoException, port: string): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} is in use. Stop the program that listens on it, or choose another port with --port.`
    : `The gateway simulator cannot start: ${error.message}`
}

/** Reports to the parent process if there is one, otherwise to standard error. */
function fail(message: string, code?: string): void {
  if (!process.send) {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }
  process.send({ type: 'failed', message, ...(code !== undefined && { code }) } satisfies FromSimulator, () =>
    process.exit(1),
  )
}
