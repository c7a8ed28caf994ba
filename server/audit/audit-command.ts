import type { Db } from '../db/connection.ts'
import { readCommand, UsageError } from '../lib/command.ts'
import { countEntries, findBrokenEntry, listAuditedBusinesses } from './audit-queries.ts'

const USAGE = `Usage: npm run audit -- verify

  verify   Checks the audit log of every business and of every account: an entry that was changed, removed or moved is
           found by its hash. Ends with status 1 when there is one.`

/** An audit log was changed after it was written. */
export class AuditLogBroken extends Error {
  override readonly name = 'AuditLogBroken'
}

/**
 * Runs `npm run audit -- …`.
 *
 * @returns the output
 * @throws UsageError; AuditLogBroken naming the first wrong entry of each business
 * @see DSH-16
 */
export async function auditCommand({ db }: { db: Db }, args: readonly string[]): Promise<string> {
  const { verb } = readCommand(args, { usage: USAGE, options: [] })
  if (verb !== 'verify') throw new UsageError(`Unknown command: ${verb}`, USAGE)
  const checked: { text: string; isBroken: boolean }[] = []
  for (const id of await listAuditedBusinesses(db)) checked.push(await checkLog(db, id))
  if (checked.length === 0) return 'There is no audit log yet.'
  const output = checked.map(({ text }) => text).join('\n')
  if (checked.some(({ isBroken }) => isBroken)) throw new AuditLogBroken(output)
  return output
}

async function checkLog(db: Db, businessId: string): Promise<{ text: string; isBroken: boolean }> {
  const broken = await findBrokenEntry(db, businessId)
  if (broken) return { text: `${businessId}  broken at entry ${broken.number}`, isBroken: true }
  return { text: `${businessId}  intact, ${await countEntries(db, businessId)} entries`, isBroken: false }
}
