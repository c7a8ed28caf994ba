import type { Currency } from '../../lib/money.ts'
import { SECRET_HEADER, type SimulatorAccess } from './access.ts'
import type { LedgerRowView } from './ledger-row.ts'
import type { RowFilter } from './serve.ts'
import type { ScriptBody, SettleResponse } from './wire.ts'

/** What a test or a benchmark does with a simulator beside paying through it. */
export interface SimulatorControl {
  /** Arranges outcomes, latency, faults, the gateway being away; moves the clock. */
  script(body: ScriptBody): Promise<void>
  /** Forgets all of it but the clock. */
  resetScript(): Promise<void>
  rows(filter?: RowFilter): Promise<LedgerRowView[]>
  /** Closes the open batch. */
  settle(terminal: string, currency: Currency): Promise<SettleResponse>
}

/**
 * Every method throws when the simulator does not respond with status 200.
 *
 * @param access of the simulator: `http://127.0.0.1:4010` and the secret of its start
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

/** One socket a call: a control call must not meet a socket that a scripted outage has cut. */
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
