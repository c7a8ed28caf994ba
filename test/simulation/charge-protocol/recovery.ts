import type { Protocol } from './protocol.ts'
import type { Operation, Recovery, State, Step, Verdict } from './state.ts'
import { CRASHES_MAX, EPOCH_MAX, GATEWAY_FAULTS_MAX, IDLE, isOpen, rowOf, withRow } from './state.ts'

type Asking = Extract<Recovery, { at: 'asking' }>
type Writing = Extract<Recovery, { at: 'writing' }>

/** The possible steps of recovery, including its crashes. */
export function recoverySteps(state: State, protocol: Protocol): Step[] {
  const { recovery } = state
  if (recovery.at === 'idle') return [...claims(state, protocol), ...reconciles(state, protocol)]
  if (recovery.at === 'asking') return [...ask(state, recovery, protocol), ...die(state, 'before it asks')]
  return [writeVerdict(state, recovery, protocol), ...die(state, 'before it writes')]
}

/** The lease may expire while the handler is alive, so an operation can be claimed at any time after its insert. */
function claims(state: State, protocol: Protocol): Step[] {
  if (!protocol.recovery) return []
  return state.operations.filter(isClaimable).map((operation) => {
    const epoch = operation.epoch + (protocol.fencedResult ? 1 : 0)
    const claimed: Operation = { ...operation, state: 'IN_DOUBT', epoch }
    return {
      words: `recovery claims operation ${operation.reference}`,
      state: {
        ...state,
        operations: withRow(state.operations, claimed),
        recovery: { at: 'asking', reference: operation.reference, epoch },
      },
    }
  })
}

export function isClaimable(operation: Operation): boolean {
  return isOpen(operation) && operation.epoch < EPOCH_MAX
}

function reconciles(state: State, protocol: Protocol): Step[] {
  if (!protocol.reconcile) return []
  return state.operations
    .filter((operation) => isReconcilable(state, operation))
    .map(({ reference }) => ({
      words: `reconciliation finds a late approval of ${reference} and voids it`,
      state: { ...state, ledger: withRow(state.ledger, { reference, state: 'voided' }) },
    }))
}

/** A written-off charge that is live at the gateway. */
export function isReconcilable(state: State, operation: Operation): boolean {
  return operation.state === 'NOT_CHARGED' && rowOf(state.ledger, operation.reference)?.state === 'approved'
}

function ask(state: State, asking: Asking, protocol: Protocol): Step[] {
  const known = rowOf(state.ledger, asking.reference)
  if (protocol.policy === 'adopt') return [inquire(state, asking, protocol), ...silence(state, asking, protocol)]
  if (!known && protocol.notFound === 'final-after-wait') return [finalizeAfterWait(state, asking, protocol)]
  return [reverse(state, asking, protocol), ...silentReverse(state, asking, protocol)]
}

function inquire(state: State, asking: Asking, protocol: Protocol): Step {
  const known = rowOf(state.ledger, asking.reference)
  if (known) {
    const verdict = { approved: 'APPROVED', declined: 'DECLINED', voided: 'NOT_CHARGED' } as const
    return {
      words: `recovery inquires and receives "${known.state}"`,
      state: decide(state, asking, verdict[known.state]),
    }
  }
  if (protocol.notFound === 'final-after-wait') return finalizeAfterWait(state, asking, protocol)
  if (protocol.notFound === 'tombstone') return reverse(state, asking, protocol)
  const words = 'recovery asks and takes "not found" as not charged'
  return { words, state: decide(state, asking, 'NOT_CHARGED') }
}

/** "Not found" is final only when nothing can arrive any more. */
function finalizeAfterWait(state: State, asking: Asking, protocol: Protocol): Step {
  if (canStillArrive(state, asking, protocol)) {
    return { words: 'recovery receives "not found" too early and backs off', state: { ...state, recovery: IDLE } }
  }
  const words = 'recovery receives "not found" after the wait: not charged'
  return { words, state: decide(state, asking, 'NOT_CHARGED') }
}

/** Without PAY-5, a sender that was suspended before its write may send after the wait. */
function canStillArrive(state: State, { reference }: Asking, protocol: Protocol) {
  const underWay = rowOf(state.network, reference)?.content === 'request'
  return underWay || (protocol.senderChecksDeadline && rowOf(state.submitters, reference)?.at === 'sending')
}

function reverse(state: State, asking: Asking, protocol: Protocol): Step {
  const declined = rowOf(state.ledger, asking.reference)?.state === 'declined'
  const voided = voidReference(state, asking, protocol)
  const words = `recovery voids by reference ${asking.reference}`
  return { words, state: decide(voided, asking, declined ? 'DECLINED' : 'NOT_CHARGED') }
}

function voidReference(state: State, { reference }: Asking, protocol: Protocol): State {
  const known = rowOf(state.ledger, reference)
  const changes = known ? known.state === 'approved' : protocol.notFound === 'tombstone'
  return changes ? { ...state, ledger: withRow(state.ledger, { reference, state: 'voided' }) } : state
}

function silentReverse(state: State, asking: Asking, protocol: Protocol): Step[] {
  const voided = voidReference(state, asking, protocol)
  return [
    ...silence(voided, asking, protocol, 'recovery voids by reference, the response is lost'),
    ...silence(state, asking, protocol, 'recovery voids by reference, the gateway never receives it'),
  ]
}

function silence(
  state: State,
  asking: Asking,
  protocol: Protocol,
  words = 'recovery inquires and receives nothing',
): Step[] {
  if (state.gatewayFaults === GATEWAY_FAULTS_MAX) return []
  const silent = { ...state, gatewayFaults: state.gatewayFaults + 1, recovery: IDLE }
  return [{ words, state: protocol.exhausted === 'failed' ? declareFailed(silent, asking) : silent }]
}

function declareFailed(state: State, { reference }: Asking): State {
  const operation = rowOf(state.operations, reference)
  if (!operation || !isOpen(operation)) return state
  return { ...state, operations: withRow(state.operations, { ...operation, state: 'FAILED' }) }
}

function decide(state: State, { reference, epoch }: Asking, verdict: Verdict): State {
  return { ...state, recovery: { at: 'writing', reference, epoch, verdict } }
}

function writeVerdict(state: State, writing: Writing, protocol: Protocol): Step {
  return {
    words: `recovery writes ${writing.verdict}`,
    state: recordVerdict({ ...state, recovery: IDLE }, writing, protocol),
  }
}

function recordVerdict(state: State, { reference, epoch, verdict }: Writing, protocol: Protocol): State {
  const operation = rowOf(state.operations, reference)
  if (!operation) return state
  if (protocol.fencedResult && !(operation.epoch === epoch && isOpen(operation))) return state
  const operations = withRow(state.operations, { ...operation, state: verdict })
  return { ...state, paid: state.paid || verdict === 'APPROVED', operations }
}

function die(state: State, moment: string): Step[] {
  if (state.crashes === CRASHES_MAX) return []
  return [{ words: `recovery is killed ${moment}`, state: { ...state, crashes: state.crashes + 1, recovery: IDLE } }]
}
