import type { Currency } from '../../lib/money.ts'
import type { LedgerRowView } from './ledger-row.ts'
import type { RowFilter } from './serve.ts'
import type { ScriptBody, SettleAnswer } from './wire.ts'

/** What a test or a benchmark does with a simulator beside paying through it. */
export interface SimulatorControl {
  /** Arranges outcomes, latency, faults, the gateway being away; moves the clock. */
  script(body: ScriptBody): Promise<void>
  /** Forgets all of it but the clock. */
  resetScript(): Promise<void>
  rows(filter?: RowFilter): Promise<LedgerRowView[]>
  /** Closes the open batch. */
  settle(terminal: string, currency: Currency): Promise<SettleAnswer>
}

/**
 * Every method throws when the simulator does not answer with status 200.
 *
 * @param url of the simulator: `http://127.0.0.1:4010`
 */
export function simulatorControl(url: string): SimulatorControl {
  return {
    script: async (body) => void (await call(url, '/_sim/script', body)),
    resetScript: async () => void (await call(url, '/_sim/reset-script', {})),
    async rows({ merchantRef, terminal } = {}) {
      const query = new URLSearchParams({ ...(merchantRef && { merchantRef }), ...(terminal && { terminal }) })
      const { rows } = (await call(url, `/_sim/ledger?${query}`)) as { rows: LedgerRowView[] }
      return rows
    },
    settle: async (terminal, currency) => (await call(url, '/_sim/settle', { terminal, currency })) as SettleAnswer,
  }
}

/** One socket a call: a control call must not meet a socket that a scripted outage has cut. */
async function call(url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method: body ? 'POST' : 'GET',
    headers: { connection: 'close', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`simulator ${path}: ${JSON.stringify(answer)}`)
  return answer
}
