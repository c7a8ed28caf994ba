import { SECRET_HEADER } from '../../lib/local-caller.ts'
import type { ReceivedThreeDs } from './received.ts'
import type { ThreeDsScriptBody } from './script.ts'

/** Controls the simulated 3-D Secure server and bank in tests. */
export interface ThreeDsSimulatorControl {
  /** Arranges deviations and latency. */
  script(body: ThreeDsScriptBody): Promise<void>
  /** Clears what was arranged and received; transactions stay. */
  reset(): Promise<void>
  received(): Promise<ReceivedThreeDs>
}

/**
 * Returns the control. Every method throws unless the simulator responds with status 200.
 *
 * @param access base URL and secret of the simulator
 */
export function threeDsSimulatorControl(access: { url: string; secret: string }): ThreeDsSimulatorControl {
  return {
    script: async (body) => void (await call(access, '/_sim/3ds/script', body)),
    reset: async () => void (await call(access, '/_sim/3ds/reset', {})),
    received: async () => (await call(access, '/_sim/3ds/received')) as ReceivedThreeDs,
  }
}

async function call({ url, secret }: { url: string; secret: string }, path: string, body?: object): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { connection: 'close', 'content-type': 'application/json', [SECRET_HEADER]: secret },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  if (response.status !== 200) throw new Error(`simulator ${path}: ${JSON.stringify(json)}`)
  return json
}
