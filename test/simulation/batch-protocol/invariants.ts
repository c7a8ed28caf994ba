import type { Property } from '../explore.ts'
import { isClaimable } from './recovery.ts'
import { isClosed, type Name, type Settler, type State } from './state.ts'

export type Violation = 'LOST' | 'PHANTOM' | 'TWICE' | 'MISPLACED' | 'FALSE' | 'STUCK'

/** The violations: conditions that must never be true. */
export const violations: Record<Violation, Property<State>> = {
  /** At rest, the gateway has settled a batch that we do not show as settled. */
  LOST: (state) => isAtRest(state) && NAMES.some((name) => isClosed(state, name) && !isShown(state, name)),
  /** At rest, we show a batch as settled that is open at the gateway. */
  PHANTOM: (state) =>
    isAtRest(state) && state.batches.some(({ status, name }) => status === 'settled' && !isClosed(state, name)),
  /** One settlement is recorded twice, or one batch of the gateway as two of ours. */
  TWICE: ({ batches }) =>
    batches.some(({ records }) => records > 1) ||
    NAMES.some((name) => batches.filter((one) => one.status === 'settled' && one.name === name).length > 1),
  /** At rest, a payment is in another batch than at the gateway. */
  MISPLACED: (state) => isAtRest(state) && isMisplaced(state),
  /** At rest, the caller was told something false. */
  FALSE: (state) => isAtRest(state) && state.settlers.some((one) => isDeceived(state, one)),
  /** No step is possible, and a settlement is still open. */
  STUCK: (state, steps) => steps.length === 0 && state.batches.some((batch) => isClaimable(state, batch)),
}

const NAMES = [1, 2] as const

const isShown = ({ batches }: State, name: Name) =>
  batches.some((batch) => batch.status === 'settled' && batch.name === name)

function isMisplaced({ batches, early, late }: State): boolean {
  const isWrong = (row: number | null, name: Name) => {
    const batch = row === null ? undefined : batches[row]
    return batch?.status === 'settled' && batch.name !== name
  }
  return isWrong(early.row, 1) || (late.kind === 'sale' && isWrong(late.row, late.name))
}

function isDeceived(state: State, { id, name, told }: Settler): boolean {
  if (told === 'settled') return !isClosed(state, name)
  const isMine = (name === 1 || name === 2) && state.closed[name] === id
  return isMine && told !== null && told !== 'unknown'
}

/**
 * Whether the state is at rest: everybody has ended, no settlement is open, no request is in flight, and everything
 * sent is recorded.
 */
function isAtRest({ recovery, settlers, network, batches, late }: State): boolean {
  return (
    recovery.at === 'idle' &&
    settlers.every(({ at }) => at === 'gone') &&
    network.every(({ content }) => content !== 'request') &&
    batches.every(({ status }) => status !== 'settling') &&
    (late.at === 'idle' || late.at === 'recorded')
  )
}

export type Landmark =
  | 'both batches are settled'
  | 'settled by recovery'
  | 'open again, and settled by the other'
  | 'a late sale is in the batch before'
  | 'a late sale is in the next batch'
  | 'a void came too late'
  | 'a batch of a voided sale is refused'
  | 'settled on the page of the gateway meanwhile'
  | 'refused while another is under way'

/** The landmarks: states that must be reached, otherwise the absence of violations proves nothing. */
export const landmarks: Record<Landmark, Property<State>> = {
  'both batches are settled': ({ batches }) => batches.filter(({ status }) => status === 'settled').length === 2,
  'settled by recovery': ({ batches }) =>
    batches.some(({ status, epoch, attempts }) => status === 'settled' && epoch > attempts),
  'open again, and settled by the other': ({ batches }) =>
    batches.some(({ status, attempts }) => status === 'settled' && attempts === 2),
  'a late sale is in the batch before': ({ late, batches }) =>
    late.row === 0 && late.isAmbiguous && batches[1]?.status === 'settled',
  'a late sale is in the next batch': ({ late, batches }) =>
    late.row === 1 && late.isAmbiguous && batches[1]?.status === 'settled',
  'a void came too late': ({ early, late }) => late.kind === 'void' && late.at === 'recorded' && !early.isVoided,
  'a batch of a voided sale is refused': ({ early, network }) =>
    early.isVoided && network.some(({ content }) => content === 'refused'),
  'settled on the page of the gateway meanwhile': ({ closed, batches }) =>
    closed[1] === 'portal' && batches[0]?.status === 'settled',
  'refused while another is under way': ({ settlers }) => settlers.some(({ told }) => told === 'refused'),
}
