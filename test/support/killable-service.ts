import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoCredentials, demoFilePath, readDemoFile } from '../../server/demo/demo-file.ts'
import { type SimulatorControl, simulatorControl } from '../../server/gateway/simulator/control.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { startSimulators } from '../../server/serve/start-simulators.ts'
import { createTestDatabase } from './database.ts'
import { freePort, freePorts } from './free-ports.ts'
import { serverProgram } from './server-program.ts'

const READY = 'Rialto is ready.'
const LOG_LINE = /^(?:\{|Error|.*(?:warning|Warning)|\s+at ).*$/gm
const READY_WITHIN_MS = 60_000
/** Scales 15 s to 1.5 s, in which a gateway that is not silent responds even on a busy machine. */
const TIME_SCALE = 0.1

/** A service in its own process, which can be killed and restarted. Its database and its gateway keep running. */
export interface KillableService extends AsyncDisposable {
  /** `{base_url}`, which is the same after every start. */
  url: string
  /** URL of the dashboard, which is the same after every start. */
  formUrl: string
  operationsUrl: string
  databaseUrl: string
  demo: DemoCredentials
  simulator: SimulatorControl
  /** Returns the logs of all processes, without the text that each prints at start-up, which contains a test card. */
  logged(): string
  /** Returns the text printed at start-up. */
  greeting(): string
  /** Starts another process. The previous one must have exited. */
  start(options?: StartOptions): Promise<void>
  /** Starts a process unless one is running; a fault point that none has reached is forgotten. */
  revive(options?: StartOptions): Promise<void>
  /** Makes the process kill itself at this fault point; a later process only if it is started with one. */
  dieAt(fault: FaultPlace): Promise<void>
  /** Resolves with the exit code when the process has exited; `null` if it was killed. */
  ended(): Promise<number | null>
  kill(): Promise<void>
  /** Sends SIGTERM, as a deployment does. */
  terminate(): Promise<number | null>
}

export interface StartOptions {
  /** The fault point of a payment at which the process kills itself. */
  fault?: FaultPlace
  env?: Record<string, string>
  /** Program that Node runs; {@link serverProgram} by default. */
  program?: string
}

/** Opens database and simulator, and starts the first process. Its times are multiplied by `timeScale`. */
export async function openKillableService({
  timeScale = TIME_SCALE,
  ...options
}: StartOptions & { timeScale?: number } = {}): Promise<KillableService> {
  const database = await createTestDatabase()
  const simulator = await startSimulators({ environment: 'staging', timeScale, port: await freePort() })
  const dataDir = await mkdtemp(join(tmpdir(), 'rialto-fault-'))
  const [port, dashboardPort, operationsPort] = await freePorts()
  const faultFile = join(dataDir, 'fault')
  const dieAt = (fault: FaultPlace | '') => writeFile(faultFile, fault)
  const output: string[] = []
  let child: ChildProcess | null = null

  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    SIMULATOR_URL: simulator.url,
    SIMULATOR_SECRET: simulator.secret,
    RIALTO_DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    DASHBOARD_PORT: String(dashboardPort),
    OPERATIONS_PORT: String(operationsPort),
    LOG_LEVEL: 'debug',
    RIALTO_TIME_SCALE: String(timeScale),
    RIALTO_RATE_LIMITS: 'off',
    RIALTO_FAULT: `file:${faultFile}`,
  }
  const start = async ({ fault, env: more, program = serverProgram() }: StartOptions = {}) => {
    await dieAt(fault ?? '')
    child = spawn(process.execPath, [program, 'serve'], {
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await ready(child, output)
  }
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const revive = (given?: StartOptions) => (isRunning() ? dieAt('') : start(given))
  const ended = async () => {
    if (child && isRunning()) await once(child, 'exit')
    return child?.exitCode ?? null
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await ended()
  }
  const close = async () => {
    await kill()
    await simulator.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await start(options)
    const demo = await readDemoFile(demoFilePath(dataDir))
    if (!demo) throw new Error('The service made no demo.json')
    return {
      url: `http://127.0.0.1:${port}`,
      formUrl: demo.dashboard_url,
      operationsUrl: `http://127.0.0.1:${operationsPort}`,
      databaseUrl: database.url,
      demo,
      simulator: simulatorControl(simulator),
      logged: () => output.join('').match(LOG_LINE)?.join('\n') ?? '',
      greeting: () => output.join('').replace(LOG_LINE, ''),
      start,
      revive,
      dieAt,
      ended,
      kill,
      async terminate() {
        child?.kill('SIGTERM')
        return ended()
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until the service reports that it is ready. Its output until then is part of the error. */
async function ready(child: ChildProcess, output: string[]): Promise<void> {
  const first = output.length
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const said = () => output.slice(first).join('')
  const fail = (why: string) => reject(new Error(`The service ${why}. It said:\n${said()}`))
  const limit = setTimeout(fail, READY_WITHIN_MS, 'was not ready in time')
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text)
      if (text.includes(READY)) resolve()
    })
  }
  child.once('exit', () => fail('ended before it was ready'))
  await promise.finally(() => clearTimeout(limit))
}
