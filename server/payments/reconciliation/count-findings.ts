import type { Db } from '../../db/connection.ts'
import type { FindingKind } from './finding.ts'
import { countOpenFindings } from './finding-queries.ts'
import { countFailedDays } from './reconciliation-queries.ts'

/** Counts open findings and failed days, for the alarms of reconciliation. */
export async function countFindings(db: Db): Promise<{ byKind: Record<FindingKind, number>; failedDays: number }> {
  const [byKind, failedDays] = await Promise.all([countOpenFindings(db), countFailedDays(db)])
  return { byKind, failedDays }
}
