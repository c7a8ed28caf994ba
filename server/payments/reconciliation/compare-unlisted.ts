import { addSeconds } from '../../lib/clock.ts'
import { inGroups } from '../in-groups.ts'
import type { Comparison } from './comparison.ts'
import { confirmUnlisted } from './confirm-difference.ts'
import { listUnlisted } from './our-operation-queries.ts'

const PAGE = 200

/**
 * Finds approved operations of the day that are not in the gateway's list. Called only after the whole list was read.
 * Clocks may differ, so each operation is inquired about before it counts as missing.
 */
export async function compareUnlisted(comparison: Comparison): Promise<void> {
  const { services, terminal, runId, from, until } = comparison
  const { db, clock, gateways } = services
  const finalAfterMs = gateways(terminal.gateway).capabilities.notFoundFinalAfterMs
  const span = { runId, from, until, deadlineBefore: addSeconds(clock.now(), -finalAfterMs / 1000), limit: PAGE }
  for (let after: string | null = null; ; ) {
    const operations = await listUnlisted(db, terminal, { ...span, after })
    await inGroups(operations, (ours) => confirmUnlisted(comparison, ours))
    if (operations.length < PAGE) return
    after = operations.at(-1)?.id ?? null
  }
}
