import type { Property } from '../explore.ts'
import { isClaimable } from './recovery.ts'
import { AMOUNT, givenBack, isOpen, isVoided, type Requester, rowOf, type State, shownBack } from './state.ts'

export type Violation = 'DOUBLE' | 'LOST' | 'PHANTOM' | 'FALSE' | 'STUCK'

/** The violations: conditions that must never be true. */
export const violations: Record<Violation, Property<State>> = {
  /** More was refunded than the payment has, or twice for one request. */
  DOUBLE: (state) =>
    givenBack(state) > AMOUNT ||
    state.requesters.some(
      ({ reference, wanted }) => wanted !== 'void' && (rowOf(state.ledger, reference)?.approvals ?? 0) > 1,
    ),
  /** At rest, money was refunded that we do not show. */
  LOST: (state) => givenBack(state) > shownBack(state) && isAtRest(state),
  /** At rest, we show money as refunded that was not. */
  PHANTOM: (state) => givenBack(state) < shownBack(state) && isAtRest(state),
  /** At rest, the merchant was told something false. */
  FALSE: (state) => isAtRest(state) && state.requesters.some((one) => isDeceived(state, one)),
  /** No step is possible, and an operation is still open. */
  STUCK: (state, steps) => steps.length === 0 && state.operations.some(isClaimable),
}

function isDeceived(state: State, { reference, told }: Requester): boolean {
  const isMade = (rowOf(state.ledger, reference)?.approvals ?? 0) > 0
  if (told === 'done') return !isMade && !isVoided(state)
  return (told === 'failed' || told === 'refused') && isMade
}

/** Whether the state is at rest: all handlers have ended, no operation is open, and no request is in flight. */
function isAtRest(state: State): boolean {
  return (
    state.recovery.at === 'idle' &&
    state.requesters.every(({ at }) => at === 'gone') &&
    state.network.every(({ content }) => content !== 'request') &&
    !state.operations.some(isOpen)
  )
}

export type Landmark =
  | 'refunded in two parts'
  | 'voided'
  | 'voided by recovery'
  | 'refunded by recovery'
  | 'refused while another is open'
  | 'refunded after a void that failed'
  | 'sent again after the batch closed'

const wantedOf = (state: State, wanted: Requester['wanted']) => state.requesters.filter((one) => one.wanted === wanted)
const endedAs = (state: State, one: Requester) => rowOf(state.operations, one.reference)

/** The landmarks: states that must be reached, otherwise the absence of violations proves nothing. */
export const landmarks: Record<Landmark, Property<State>> = {
  'refunded in two parts': ({ payment, ledger }) => payment.status === 'refunded' && ledger.length === 2,
  voided: ({ payment }) => payment.status === 'voided',
  'voided by recovery': (state) =>
    wantedOf(state, 'void').some((one) => {
      const { state: ended, epoch = 0 } = endedAs(state, one) ?? {}
      return ended === 'APPROVED' && epoch > 1
    }),
  'refunded by recovery': (state) =>
    wantedOf(state, 'rest').some((one) => {
      const { state: ended, epoch = 0 } = endedAs(state, one) ?? {}
      return ended === 'APPROVED' && epoch > 1
    }),
  'refused while another is open': (state) =>
    state.operations.some(isOpen) && state.requesters.some(({ told }) => told === 'refused'),
  'refunded after a void that failed': (state) =>
    state.payment.status === 'refunded' &&
    wantedOf(state, 'void').some((one) => endedAs(state, one)?.state === 'DECLINED'),
  'sent again after the batch closed': (state) =>
    !state.isBatchOpen && state.network.some(({ sender }) => sender === 'recovery'),
}
