import { auditGateway } from './invariants.ts'
import type { Run } from './run.ts'

/** Compares what the service has recorded with the gateway's own ledger, reference by reference. */
export async function auditBooks({ world }: Run): Promise<void> {
  const { ledger } = world.gateway.simulator
  const live = new Map<string, number>()
  for (const row of ledger.rows) {
    if (row.op !== 'sale' || !row.recorded || row.approvedAmount === 0) continue
    const held = ledger.isVoided(row) ? 0 : row.approvedAmount - ledger.refundedAmount(row)
    live.set(row.merchantRef, (live.get(row.merchantRef) ?? 0) + held)
  }
  await auditGateway(world.app.services.db, { live })
}
