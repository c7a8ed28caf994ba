import { deepEqual } from 'node:assert/strict'
import type { SimulatorControl } from '../../server/gateway/simulator/control.ts'
import { audit } from './audit.ts'
import { moneyRows } from './money-rows.ts'
import { until } from './until.ts'

interface Audited {
  databaseUrl: string
  simulator: SimulatorControl
  logged(): string
}

/** Performs the last step of every fault test: no operation is open, and the audit finds nothing. */
export async function assertSoundBooks({ databaseUrl, simulator, logged }: Audited, withinMs?: number): Promise<void> {
  await using book = moneyRows(databaseUrl)
  await until('every outcome is final', async () => (await book.countOpen()) === 0, withinMs)
  deepEqual(await audit({ query: book.query, rows: await simulator.rows(), logs: logged() }), [])
}
