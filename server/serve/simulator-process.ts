import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newSecret, type SimulatorAccess } from '../gateway/simulator/access.ts'
import type { FromSimulator } from './simulator-program.ts'

const PROGRAM = fileURLToPath(new URL('./simulator-program.ts', import.meta.url))

export interface SimulatorProcess extends SimulatorAccess {
  stop(): Promise<void>
}

/**
 * Runs the simulators in a process of their own, which exits when this process exits for any reason. It receives its
 * secret by message, which no other process can read, and does not inherit the environment.
 *
 * @throws if it does not start; the error has the `code` of the cause, such as `EADDRINUSE`
 */
export async function startSimulatorProcess(options: {
  port: number
  ledger: string
  timeScale: number
  environment: 'staging' | 'production'
  publicUrl: string | null
}): Promise<SimulatorProcess> {
  const { port: wanted, ledger, timeScale, environment, publicUrl } = options
  const args = ['--port', String(wanted), '--ledger', ledger, '--time-scale', String(timeScale)]
  args.push('--environment', environment)
  if (publicUrl !== null) args.push('--public-url', publicUrl)
  // In its own process group, so that Ctrl-C reaches only this process, which stops the simulator last.
  const child = fork(PROGRAM, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...childEnvironment(),
  })
  const secret = newSecret()
  child.send({ secret })
  const port = await listening(child)
  return { url: `http://127.0.0.1:${port}`, secret, stop: () => stop(child) }
}

/**
 * Returns the environment of the child. On Windows, programs need the full one, from which secrets were removed. Both
 * processes share one compile cache.
 */
function childEnvironment() {
  if (process.platform === 'win32') return {}
  const cache = getCompileCacheDir()
  return { env: { PATH: '/usr/bin:/bin', ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) } }
}

async function listening(child: ChildProcess): Promise<number> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The gateway simulator exited with code ${code}`)
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
