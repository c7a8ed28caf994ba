import type { Rules } from './rules.ts'
import { batchAt, isClosed, OPEN, type Result, type Settler, type State, withBatch } from './state.ts'

// Writes of the service. Each function is one transaction.

/** Step 1: the batch is being settled, and recorded payments join it. @returns `null` if it is not open any more */
export function begin(state: State, { row, name, isConfirmed }: Settler, rules: Rules): State | null {
  const { status, epoch, attempts } = batchAt(state, row)
  if (rules.oneSettlement && status !== 'open') return null
  const begun = withBatch(state, row, { status: 'settling', name, epoch: epoch + 1, attempts: attempts + 1 })
  return rules.joinsWithIntent ? join(begun, row, isConfirmed, rules) : begun
}

/** Lets everything recorded without a batch join; of ambiguous transactions, only those that the gateway confirmed. */
function join(state: State, row: number, isConfirmed: boolean, { asksForAmbiguous }: Rules): State {
  const { early, late } = state
  const mayBeEarlier = row > 0 && late.isAmbiguous && asksForAmbiguous && !isConfirmed
  const joins = isPlaceable(state) && !mayBeEarlier
  return {
    ...state,
    early: early.row === null ? { ...early, row } : early,
    late: joins ? { ...late, row } : late,
  }
}

const isPlaceable = ({ late: { kind, at, row } }: State) => kind === 'sale' && at === 'recorded' && row === null

/**
 * Inquires about the late transaction, if it may be in an earlier batch than the one at `row`, and puts it there.
 *
 * @returns also whether it is in the gateway's open batch
 */
export function placeLate(state: State, row: number): { state: State; isConfirmed: boolean } {
  const { late, batches } = state
  if (row === 0 || !isPlaceable(state) || !late.isAmbiguous) return { state, isConfirmed: false }
  if (!isClosed(state, late.name)) return { state, isConfirmed: true }
  const found = batches.findIndex(({ status, name }) => status === 'settled' && name === late.name)
  return { state: found < 0 ? state : { ...state, late: { ...late, row: found } }, isConfirmed: false }
}

/**
 * Step 3: the outcome; the next batch opens with a settlement.
 *
 * @param owned `epoch` is `null` for a writer that reads it directly before, of the attempt that it saw begin
 * @returns `null` if another writer has decided the outcome first
 */
export function record(
  state: State,
  { row, epoch, attempt, result }: { row: number; epoch: number | null; attempt: number | null; result: Result },
  rules: Rules,
): State | null {
  const batch = batchAt(state, row)
  const isOwned = (epoch === null || batch.epoch === epoch) && (attempt === null || batch.attempts === attempt)
  if (rules.intentFirst && rules.fencedByState && batch.status !== 'settling') return null
  if (rules.intentFirst && rules.fencedByEpoch && !isOwned) return null
  if (result === 'refused') return withBatch(state, row, { status: 'open' })
  const settled = withBatch(state, row, { status: 'settled', records: batch.records + 1 })
  const joined = rules.joinsWithIntent ? settled : join(settled, row, false, rules)
  const hasNext = state.batches.length > row + 1
  return hasNext ? joined : { ...joined, batches: [...joined.batches, OPEN] }
}
