import { describeBills, describeModel, describePayments, describeRecorded } from './compare.ts'
import { type RecordedSubscription, readSubscriptions, readVersions } from './recorded.ts'
import type { Run, Sub } from './run.ts'

/** Number of comparisons after which all subscriptions are read, changed or not. */
const COMPLETE_EVERY = 10

/**
 * Compares each subscription that has changed, here or in the model, and from time to time all of them.
 *
 * @returns the number of operations whose outcome is open
 * @throws Error with both sides if they differ
 */
export async function compareAll(run: Run, { isThorough = false } = {}): Promise<number> {
  const { world, subs, trace } = run
  const { db } = world.app.services
  const { open, versions } = await readVersions(db)
  run.comparisons += 1
  // A refused create leaves nothing.
  if (versions.size !== subs.length)
    throw new Error(`INV-31 there are ${versions.size} subscriptions, not ${subs.length}`)
  const isComplete = isThorough || run.comparisons % COMPLETE_EVERY === 0
  const looked = subs.map((sub) => ({ sub, ours: describe(sub), version: versions.get(sub.id) }))
  const isChanged = ({ sub, ours, version }: (typeof looked)[number]) =>
    version !== sub.comparedVersion || ours !== sub.compared
  const wanted = isComplete ? looked : looked.filter(isChanged)
  const rows = await readSubscriptions(
    db,
    wanted.map(({ sub }) => sub.id),
  )
  for (const one of wanted) {
    const { sub, ours } = one
    const row = rows.get(sub.id)
    if (!row) throw new Error(`${sub.ordinal} is gone`)
    const theirs = describeRow(row)
    if (ours !== theirs) throw difference(sub, ours, theirs)
    if (isChanged(one)) trace.note(`${sub.ordinal} ${describeModel(sub.model).replaceAll('\n', ', ')}`)
    Object.assign(sub, { comparedVersion: row.version, compared: ours })
  }
  return open
}

const describe = ({ model }: Sub) =>
  [describeModel(model), describePayments(model.payments), describeBills(model.bills)].join('\n')

const describeRow = (row: RecordedSubscription) =>
  [describeRecorded(row), row.payments, row.bills.split('\n').sort().join('\n')].join('\n')

function difference({ ordinal, model, id }: Sub, ours: string, theirs: string): Error {
  const { unit, count } = model.cadence
  const ourLines = ours.split('\n')
  const theirLines = theirs.split('\n')
  const all = new Set([...ourLines, ...theirLines])
  const differing = [...all].filter((line) => ourLines.includes(line) !== theirLines.includes(line))
  const told = differing.map((line) => `  ${ourLines.includes(line) ? 'model' : 'service'}: ${line}`)
  return new Error(`${ordinal} (${unit} ${count}, ${model.zone}, ${id}) differs:\n${told.join('\n')}`)
}
