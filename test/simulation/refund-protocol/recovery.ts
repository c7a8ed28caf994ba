import { resultOf } from './gateway.ts'
import { record } from './record.ts'
import type { Rules } from './rules.ts'
import {
  CRASHES_MAX,
  EPOCH_MAX,
  IDLE,
  isOpen,
  isVoided,
  type Operation,
  type Recovery,
  type Reference,
  type Result,
  requesterOf,
  rowOf,
  type State,
  type Step,
  withRow,
} from './state.ts'

type Busy = Exclude<Recovery, { at: 'idle' }>
type Owned = { reference: Reference; epoch: number }

/** Returns the possible steps of recovery, including its crashes. */
export function recoverySteps(state: State, rules: Rules): Step[] {
  const { recovery } = state
  if (recovery.at === 'idle') return claims(state, rules)
  return [...work(state, recovery, rules), ...die(state, recovery)]
}

/** The lease may expire while the handler is alive, so an operation can be claimed at any time after its insert. */
function claims(state: State, { recovery }: Rules): Step[] {
  if (!recovery) return []
  return state.operations.filter(isClaimable).map((operation) => {
    const { reference } = operation
    const epoch = operation.epoch + 1
    const claimed: Operation = { reference, state: 'IN_DOUBT', epoch }
    const operations = withRow(state.operations, claimed)
    return {
      words: `recovery claims ${reference}`,
      state: { ...state, operations, recovery: { at: 'inquiring', reference, epoch } },
    }
  })
}

export const isClaimable = (operation: Operation) => isOpen(operation) && operation.epoch < EPOCH_MAX

function work(state: State, recovery: Busy, rules: Rules): Step[] {
  const owned = { reference: recovery.reference, epoch: recovery.epoch }
  switch (recovery.at) {
    case 'inquiring':
      return [inquire(state, owned, rules)]
    case 'resending':
      return [resend(state, owned, rules)]
    case 'waiting':
      return wait(state, owned)
    case 'checking':
      return [check(state, owned, rules)]
    case 'writing':
      return [write(state, recovery, rules)]
  }
}

function inquire(state: State, owned: Owned, rules: Rules): Step {
  return requesterOf(state, owned.reference).wanted === 'void'
    ? inquireVoid(state, owned, rules)
    : inquireRefund(state, owned, rules)
}

function inquireRefund(state: State, owned: Owned, rules: Rules): Step {
  const known = rowOf(state.ledger, owned.reference)
  if (known) return found(state, owned, resultOf(known))
  if (rules.waitsToResend && canStillArrive(state, owned.reference, rules))
    return backOff(state, 'recovery receives "not found" too early')
  return next(state, 'recovery receives "not found" for good', { at: 'resending', ...owned })
}

/** Inquires about a void, which is sent again as long as the batch is open, because a second void does no harm. */
function inquireVoid(state: State, owned: Owned, rules: Rules): Step {
  if (isVoided(state)) return found(state, owned, 'approved')
  if (!state.isBatchOpen) return found(state, owned, 'declined')
  if (rowOf(state.ledger, owned.reference)?.isDeclined) return declined(state, owned, rules)
  return next(state, 'recovery finds the sale as it was', { at: 'resending', ...owned })
}

function declined(state: State, owned: Owned, rules: Rules): Step {
  if (rules.declineIsFinal && canStillArrive(state, owned.reference, rules))
    return backOff(state, 'recovery finds the void declined too early')
  return found(state, owned, 'declined')
}

const found = (state: State, owned: Owned, verdict: Result) =>
  next(state, `recovery finds "${verdict}"`, { at: 'writing', ...owned, verdict })

function resend(state: State, { reference, epoch }: Owned, { fencedByEpoch }: Rules): Step {
  const operation = rowOf(state.operations, reference)
  const isOwner = operation?.state === 'IN_DOUBT' && (!fencedByEpoch || operation.epoch === epoch)
  if (!isOwner) return backOff(state, 'recovery is not the owner')
  // Nobody waits for the response to an earlier one any more.
  const others = state.network.filter(
    (one) => one.reference !== reference || one.sender !== 'recovery' || one.content === 'request',
  )
  const network = [...others, { reference, sender: 'recovery', content: 'request' } as const]
  return next({ ...state, network }, `recovery sends ${reference} again`, { at: 'waiting', reference, epoch })
}

function wait(state: State, { reference, epoch }: Owned): Step[] {
  const timeout = backOff(state, 'recovery waits in vain')
  const message = state.network.find(
    (one) => one.reference === reference && one.sender === 'recovery' && one.content !== 'request',
  )
  if (!message || message.content === 'request') return [timeout]
  const received = { ...state, network: state.network.filter((one) => one !== message) }
  const words = `recovery receives "${message.content}"`
  const isRefusedVoid = message.content === 'declined' && requesterOf(state, reference).wanted === 'void'
  return [
    timeout,
    next(
      received,
      words,
      isRefusedVoid
        ? { at: 'checking', reference, epoch }
        : { at: 'writing', reference, epoch, verdict: message.content },
    ),
  ]
}

function check(state: State, owned: Owned, rules: Rules): Step {
  if (!rules.refusalIsChecked) return found(state, owned, 'declined')
  if (isVoided(state)) return found(state, owned, 'approved')
  return state.isBatchOpen ? declined(state, owned, rules) : found(state, owned, 'declined')
}

function write(state: State, { reference, epoch, verdict }: Extract<Busy, { at: 'writing' }>, rules: Rules): Step {
  const written = record(state, { reference, result: verdict, epoch }, rules) ?? state
  return next(written, `recovery writes "${verdict}"`, IDLE)
}

/**
 * Whether a request can still arrive: without PAY-5, a sender that was suspended before its write may send after the
 * wait.
 */
function canStillArrive(state: State, reference: Reference, rules: Rules): boolean {
  const isUnderWay = state.network.some(
    (one) =>
      one.reference === reference && one.content === 'request' && (one.sender === 'requester' || rules.renewsDeadline),
  )
  return isUnderWay || (rules.senderChecksDeadline && requesterOf(state, reference).at === 'sending')
}

/** Crashes; an inquiry without a result has the same effect. */
function die(state: State, { at }: Busy): Step[] {
  if (state.crashes === CRASHES_MAX) return []
  return [backOff({ ...state, crashes: state.crashes + 1 }, `recovery is killed while ${at}`)]
}

const backOff = (state: State, words: string) => next(state, words, IDLE)

const next = (state: State, words: string, recovery: Recovery): Step => ({ words, state: { ...state, recovery } })
