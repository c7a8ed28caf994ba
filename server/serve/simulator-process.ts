import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newSecret, type SimulatorAccess } from '../gateway/simulator/access.ts'
import type { FromSimulator } from '../gateway/simulator/main.ts'

const PROGRAM = fileURLToPath(new URL('../gateway/simulator/main.ts', import.meta.url))

export interface SimulatorProcess extends SimulatorAccess {
  stop(): Promise<void>
}

/**
 * Runs the gateway simulator as the program of its own that it is. It ends when this process does, however that ends. It is
 * given its secret by message, which no other process can read, and nothing of our environment.
 *
 * @throws when it does not come up; with the `code` of what failed, such as `EADDRINUSE`
 */
export async function startSimulatorProcess(options: {
  port: number
  ledger: string
  timeScale: number
}): Promise<SimulatorProcess> {
  const args = ['--port', String(options.port), '--ledger', options.ledger, '--time-scale', String(options.timeScale)]
  // Of its own group: Ctrl-C reaches us, and we end it when nothing needs it any more.
  const child = fork(PROGRAM, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...environment(),
  })
  const secret = newSecret()
  child.send({ secret })
  const port = await listening(child)
  return { url: `http://127.0.0.1:${port}`, secret, stop: () => stop(child) }
}

/** Windows programs need theirs, from which what is secret was taken. Node keeps what it compiles where it does for us. */
function environment() {
  if (process.platform === 'win32') return {}
  const cache = getCompileCacheDir()
  return { env: { PATH: '/usr/bin:/bin', ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) } }
}

async function listening(child: ChildProcess): Promise<number> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The gateway simulator ended with ${code}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [FromSimulator]
  gone.catch(() => {})
  if (message.type === 'listening') return message.port
  await gone.catch(() => {})
  const { code } = message
  throw Object.assign(new Error(message.message), code !== undefined && { code })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
