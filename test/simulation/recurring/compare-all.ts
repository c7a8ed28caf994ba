import { describeBills, describeModel, describePayments, describeRecorded } from './compare.ts'
import { readBills, readPayments, readSubscriptions } from './recorded.ts'
import type { Run, Sub } from './run.ts'

/**
 * Compares each subscription that has changed with its model.
 *
 * @throws Error with both, where they differ
 */
export async function compareAll(run: Run, { isThorough = false } = {}): Promise<void> {
  const { world, subs, trace } = run
  const { db } = world.app.services
  const rows = await readSubscriptions(
    db,
    subs.map(({ id }) => id),
  )
  for (const sub of subs) {
    const row = rows.get(sub.id)
    if (!row) throw new Error(`${sub.ordinal} is gone`)
    const [ours, theirs] = [describeModel(sub.model), describeRecorded(row)]
    if (ours !== theirs) throw difference(sub, ours, theirs)
    const count = sub.model.payments.length
    if (row.version === sub.comparedVersion && count === sub.comparedPayments && !isThorough) continue
    Object.assign(sub, { comparedVersion: row.version, comparedPayments: count })
    trace.note(`${sub.ordinal} ${ours.replaceAll('\n', ', ')}`)
    const payments = describePayments(await readPayments(db, sub.id))
    const ourPayments = describePayments(sub.model.payments)
    if (payments !== ourPayments) throw difference(sub, ourPayments, payments)
    const bills = describeBills(await readBills(db, sub.id))
    const ourBills = describeBills(sub.model.bills)
    if (bills !== ourBills) throw difference(sub, ourBills, bills)
  }
}

function difference({ ordinal, model, id }: Sub, ours: string, theirs: string): Error {
  const { unit, count } = model.cadence
  const ourLines = ours.split('\n')
  const theirLines = theirs.split('\n')
  const all = new Set([...ourLines, ...theirLines])
  const differing = [...all].filter((line) => ourLines.includes(line) !== theirLines.includes(line))
  const told = differing.map((line) => `  ${ourLines.includes(line) ? 'model' : 'service'}: ${line}`)
  return new Error(`${ordinal} (${unit} ${count}, ${model.zone}, ${id}) differs:\n${told.join('\n')}`)
}
