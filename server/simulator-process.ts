import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./gateway/simulator/main.ts', import.meta.url))

export interface SimulatorProcess {
  url: string
  stop(): Promise<void>
}

/**
 * Runs the gateway simulator as the program of its own that it is. It ends when this process does, however that ends.
 *
 * @throws when it does not come up: its own words are on the console
 */
export async function startSimulatorProcess(options: {
  port: number
  ledger: string
  timeScale: number
}): Promise<SimulatorProcess> {
  const args = ['--port', String(options.port), '--ledger', options.ledger, '--time-scale', String(options.timeScale)]
  // Of its own group: Ctrl-C reaches us, and we end it when nothing needs it any more.
  const child = fork(PROGRAM, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const port = await listening(child)
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
}

async function listening(child: ChildProcess): Promise<number> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`The gateway simulator ended with ${code}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [{ port: number }]
  gone.catch(() => {})
  return message.port
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
