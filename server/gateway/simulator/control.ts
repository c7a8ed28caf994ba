import { SECRET_HEADER } from '../../lib/local-caller.ts'
import type { Currency } from '../../lib/money.ts'
import type { SimulatorAccess } from './access.ts'
import type { LedgerRowView } from './ledger-row.ts'
import type { RowFilter } from './serve.ts'
import type { ScriptBody, SettleResponse } from './wire.ts'

/** Controls a running simulator in tests and benchmarks, and shows its ledger in staging. */
export interface SimulatorControl {
  /** Sets outcomes, latency, faults and outages, and advances the clock. */
  script(body: ScriptBody): Promise<void>
  /** Clears everything that was scripted, except the clock. */
  resetScript(): Promise<void>
  rows(filter?: RowFilter): Promise<LedgerRowView[]>
  /** Settles the open batch of the terminal. */
  settle(terminal: string, currency: Currency): Promise<SettleResponse>
}

/**
 * Returns the control of a running simulator. Every method throws unless the simulator responds with status 200.
 *
 * @param access base URL and secret of the simulator
 */
export function simulatorControl(access: SimulatorAccess): SimulatorControl {
  return {
    script: async (body) => void (await call(access, '/_sim/script', body)),
    resetScript: async () => void (await call(access, '/_sim/reset-script', {})),
    async rows({ merchantRef, terminal } = {}) {
      const query = new URLSearchParams({ ...(merchantRef && { merchantRef }), ...(terminal && { terminal }) })
      const { rows } = (await call(access, `/_sim/ledger?${query}`)) as { rows: LedgerRowView[] }
      return rows
    },
    settle: async (terminal, currency) =>
      (await call(access, '/_sim/settle', { terminal, currency })) as SettleResponse,
  }
}

/** Uses one connection per call: a control call must not reuse a socket that a scripted outage has reset. */
async function call({ url, secret }: SimulatorAccess, path: string, body?: object): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { connection: 'close', 'content-type': 'application/json', [SECRET_HEADER]: secret },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = await response.json()
  if (response.status !== 200) throw new Error(`simulator ${path}: ${JSON.stringify(json)}`)
  return json
}
