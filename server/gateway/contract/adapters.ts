import { directSimulatorGateway } from '../adapters/simulator/direct-simulator-gateway.ts'
import { simulatorGateway } from '../adapters/simulator/simulator-gateway.ts'
import type { Gateway } from '../gateway.ts'
import { type SimulatorControl, simulatorControl } from '../simulator/control.ts'
import { selectRows } from '../simulator/serve.ts'
import { openSimulator } from '../simulator/simulator.ts'
import { startSimulator } from '../simulator/start-simulator.ts'
import type { SettleResponse } from '../simulator/wire.ts'

/** An adapter connected to a gateway that tests can control. */
export interface AdapterUnderTest {
  gateway: Gateway
  control: SimulatorControl
  /** Calls `run` while no connection can be made. */
  whileAway<Result>(run: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** @param port port of the gateway; any if absent. A test that closes it for a while passes one that stays free */
type Start = (port?: number) => Promise<AdapterUnderTest>

/** Adapters against which the contract tests run. A new adapter adds a row. */
export const ADAPTERS: [name: string, start: Start][] = [
  ['simulator over HTTP', overHttp],
  ['simulator in process', inProcess],
]

/** Scales the 20 s of a slow card to 100 ms, and the 60 s of a hidden transaction to 300 ms. */
const TIME_SCALE = 0.005
const HOUR_MS = 3_600_000

async function overHttp(port = 0): Promise<AdapterUnderTest> {
  const simulator = await startSimulator({ timeScale: TIME_SCALE, port })
  const gateway = simulatorGateway(simulator)
  const close = async () => {
    await gateway.close()
    await simulator.close()
  }
  return { gateway, control: simulatorControl(simulator), whileAway: simulator.whileAway, close }
}

async function inProcess(): Promise<AdapterUnderTest> {
  const simulator = await openSimulator({ timeScale: TIME_SCALE })
  const gateway = directSimulatorGateway(simulator)
  const control: SimulatorControl = {
    script: async (body) => {
      const problem = simulator.applyScript(body)
      if (problem) throw new Error(problem)
    },
    resetScript: async () => simulator.script.reset(),
    rows: async (filter = {}) => selectRows(simulator, filter),
    settle: async (terminal, currency) => (await simulator.settle({ terminal, currency })).response as SettleResponse,
  }
  // Keeps the process running while a test waits for a response that never comes: there is no socket that does so.
  const running = setInterval(() => {}, 60_000)
  const close = async () => {
    clearInterval(running)
    await gateway.close()
  }
  return {
    gateway,
    control,
    async whileAway(run) {
      await control.script({ down: { mode: 'refuse', forMs: HOUR_MS } })
      return run().finally(() => control.resetScript())
    },
    close,
  }
}
