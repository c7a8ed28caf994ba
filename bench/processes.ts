import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newSecret, type SimulatorAccess } from '../server/gateway/simulator/access.ts'
import { freePorts } from '../test/support/free-ports.ts'
import type { Load } from './load-program.ts'
import type { RequestLoad } from './request-load-program.ts'
import type { LoadResult } from './timed.ts'

/** A server under test, in its own process. */
export interface Target extends AsyncDisposable {
  name: string
  url: string
  createPath: string
  headers: Record<string, string>
  businessId: string
  /** Key of the merchant API. */
  apiKey: string
  /** Access token of the client at `SHOP_ORIGIN`. */
  shopToken: string
  /** {dashboard_url}, and the code of a link that signs in there. */
  dashboardUrl: string
  signInCode: string
  pid: number
}

/**
 * Starts a program.
 *
 * @param program prints one line of JSON when it listens
 */
export async function startTarget(name: string, program: string, env: Record<string, string>): Promise<Target> {
  const [port, dashboardPort, operationsPort] = await freePorts()
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      DASHBOARD_PORT: String(dashboardPort),
      OPERATIONS_PORT: String(operationsPort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstLine(child)
  const { accessToken, ...printed } = JSON.parse(line) as Record<
    'businessId' | 'accessToken' | 'apiKey' | 'shopToken' | 'dashboardUrl' | 'signInCode',
    string
  >
  const { businessId } = printed
  return {
    name,
    ...printed,
    url: `http://127.0.0.1:${port}`,
    createPath: `/api/${businessId}/checkout/create`,
    headers: { authorization: `Bearer ${accessToken}` },
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: () => stop(child),
  }
}

export async function startSimulator(ledger: string): Promise<SimulatorAccess & AsyncDisposable> {
  const program = fileURLToPath(new URL('../server/serve/simulator-program.ts', import.meta.url))
  const child = fork(program, ['--port', '0', '--ledger', ledger], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const secret = newSecret()
  child.send({ secret })
  const [message] = (await once(child, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${message.port}`, secret, [Symbol.asyncDispose]: () => stop(child) }
}

/** Runs a load in a separate process, so that it does not use the server's event loop. */
export async function load(
  target: Target,
  what: Pick<Load, 'operation' | 'connections' | 'seconds' | 'payer'> & { makeTokens?: number },
): Promise<LoadResult> {
  const { url, createPath, headers } = target
  return run('./load-program.ts', { url, createPath, headers, ...what })
}

/** Runs a load of requests that are all alike. */
export function loadRequests(what: RequestLoad): Promise<LoadResult> {
  return run('./request-load-program.ts', what)
}

async function run(program: string, what: object): Promise<LoadResult> {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [file, JSON.stringify(what)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await firstLine(child)) as LoadResult
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The process has no output')
  const lines = createInterface({ input: child.stdout })
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}`)
  })
  const [line] = (await Promise.race([once(lines, 'line'), gone])) as [string]
  gone.catch(() => {})
  return line
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
