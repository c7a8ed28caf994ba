import type { Protocol } from './protocol.ts'
import type { GatewayRecord, Operation, Recovery, State, Step, Verdict } from './state.ts'
import { CRASHES_MAX, EPOCH_MAX, GATEWAY_FAULTS_MAX, IDLE, isOpen, isUnfinished, rowOf, withRow } from './state.ts'
import { writeOutcome } from './write-outcome.ts'

/** The state as one worker sees it. */
type View = State & { recovery: Recovery }
type Move = { words: string; state: View }
type Asking = Extract<Recovery, { at: 'asking' | 'reversing' }>
type Writing = Extract<Recovery, { at: 'writing' }>

/** Returns the possible steps of the recovery workers, including their crashes. */
export function recoverySteps(state: State, protocol: Protocol): Step[] {
  return state.recoveries.flatMap((own, worker) =>
    workerSteps({ ...state, recovery: own }, protocol).map(({ words, state: view }) => ({
      words: worker === 0 ? words : words.replace('recovery', 'the other worker'),
      state: moved(view, worker),
    })),
  )
}

/** Copies field by field, which takes a fraction of the time of a rest without `recovery`. */
function moved(
  { payments, operations, ledger, network, submitters, recoveries, crashes, gatewayFaults, recovery }: View,
  worker: number,
): State {
  const all = recoveries.length === 1 ? [recovery] : recoveries.with(worker, recovery)
  return { payments, operations, ledger, network, submitters, recoveries: all, crashes, gatewayFaults }
}

function workerSteps(state: View, protocol: Protocol): Move[] {
  const { recovery } = state
  if (recovery.at === 'idle') return [...claims(state, protocol), ...reconciles(state, protocol)]
  if (recovery.at === 'asking') return [...ask(state, recovery, protocol), ...die(state, 'before it asks')]
  if (recovery.at === 'reversing')
    return [
      reverse(state, recovery, protocol),
      ...silentReverse(state, recovery, protocol),
      ...die(state, 'before it reverses'),
    ]
  return [writeVerdict(state, recovery as Writing, protocol), ...die(state, 'before it writes')]
}

/** The lease may expire while the handler is alive, so an operation can be claimed at any time after its insert. */
function claims(state: View, protocol: Protocol): Move[] {
  return state.operations.filter(isClaimable).map((operation) => {
    const { reference } = operation
    const isReversing = operation.state === 'REVERSING'
    const epoch = operation.epoch + (protocol.fencedByEpoch ? 1 : 0)
    const claimed: Operation = { ...operation, state: isReversing ? 'REVERSING' : 'IN_DOUBT', epoch }
    return {
      words: `recovery claims operation ${reference}`,
      state: {
        ...state,
        operations: withRow(state.operations, claimed),
        recovery: { at: isReversing ? 'reversing' : 'asking', reference, epoch },
      },
    }
  })
}

export function isClaimable(operation: Operation): boolean {
  return isUnfinished(operation) && operation.epoch < EPOCH_MAX
}

function reconciles(state: View, protocol: Protocol): Move[] {
  if (!protocol.reconcile) return []
  return state.operations
    .filter((operation) => isReconcilable(state, operation))
    .map(({ reference }) => ({
      words: `reconciliation finds a late approval of ${reference} and voids it`,
      state: { ...state, ledger: withRow(state.ledger, { reference, state: 'voided' }) },
    }))
}

/** Whether a written-off charge is live at the gateway. */
export function isReconcilable(state: State, operation: Operation): boolean {
  const found = rowOf(state.ledger, operation.reference)?.state
  return operation.state === 'NOT_CHARGED' && (found === 'approved' || found === 'partial')
}

function ask(state: View, asking: Asking, protocol: Protocol): Move[] {
  const known = rowOf(state.ledger, asking.reference)
  if (!known) return inquireUnknown(state, asking, protocol)
  const verdict = foundVerdict(known.state, protocol)
  if (verdict === 'REVERSING' && !protocol.recordsReversalFirst)
    return [reverse(state, asking, protocol), ...silentReverse(state, asking, protocol)]
  return [
    { words: `recovery inquires and receives "${known.state}"`, state: decide(state, asking, verdict) },
    ...silence(state, asking, protocol),
  ]
}

function foundVerdict(found: GatewayRecord['state'], { policy }: Protocol): Verdict {
  switch (found) {
    case 'approved':
      return policy === 'adopt' ? 'APPROVED' : 'REVERSING'
    case 'partial':
      return 'REVERSING'
    case 'declined':
      return 'DECLINED'
    case 'voided':
      return 'REVERSED'
  }
}

function inquireUnknown(state: View, asking: Asking, protocol: Protocol): Move[] {
  const isSilent = silence(state, asking, protocol)
  if (protocol.notFound === 'final-after-wait') return [finalizeAfterWait(state, asking, protocol), ...isSilent]
  if (protocol.notFound === 'at-once' && protocol.policy === 'adopt') {
    const words = 'recovery asks and takes "not found" as not charged'
    return [{ words, state: decide(state, asking, 'NOT_CHARGED') }, ...isSilent]
  }
  return [reverse(state, asking, protocol), ...silentReverse(state, asking, protocol)]
}

/** Finalizes "not found" once nothing can arrive any more. */
function finalizeAfterWait(state: View, asking: Asking, protocol: Protocol): Move {
  if (canStillArrive(state, asking, protocol)) {
    return { words: 'recovery receives "not found" too early and backs off', state: { ...state, recovery: IDLE } }
  }
  const words = 'recovery receives "not found" after the wait: not charged'
  return { words, state: decide(state, asking, 'NOT_CHARGED') }
}

/**
 * Whether a request can still arrive: without PAY-5, a sender that was suspended before its write may send after the
 * wait.
 */
function canStillArrive(state: State, { reference }: Asking, protocol: Protocol) {
  const underWay = rowOf(state.network, reference)?.content === 'request'
  return underWay || (protocol.senderChecksDeadline && rowOf(state.submitters, reference)?.at === 'sending')
}

function reverse(state: View, asking: Asking, protocol: Protocol): Move {
  const known = rowOf(state.ledger, asking.reference)?.state
  const verdict = known === undefined ? 'NOT_CHARGED' : known === 'declined' ? 'DECLINED' : 'REVERSED'
  const voided = voidReference(state, asking, protocol)
  return { words: `recovery voids by reference ${asking.reference}`, state: decide(voided, asking, verdict) }
}

function voidReference(state: View, { reference }: Asking, protocol: Protocol): View {
  const known = rowOf(state.ledger, reference)?.state
  const changes = known ? known === 'approved' || known === 'partial' : protocol.notFound === 'tombstone'
  return changes ? { ...state, ledger: withRow(state.ledger, { reference, state: 'voided' }) } : state
}

function silentReverse(state: View, asking: Asking, protocol: Protocol): Move[] {
  const voided = voidReference(state, asking, protocol)
  return [
    ...silence(voided, asking, protocol, 'recovery voids by reference, the response is lost'),
    ...silence(state, asking, protocol, 'recovery voids by reference, the gateway never receives it'),
  ]
}

function silence(
  state: View,
  asking: Asking,
  protocol: Protocol,
  words = 'recovery inquires and receives nothing',
): Move[] {
  if (state.gatewayFaults === GATEWAY_FAULTS_MAX) return []
  const silent: View = { ...state, gatewayFaults: state.gatewayFaults + 1, recovery: IDLE }
  return [{ words, state: protocol.exhausted === 'failed' ? declareFailed(silent, asking) : silent }]
}

function declareFailed(state: View, { reference }: Asking): View {
  const operation = rowOf(state.operations, reference)
  if (!operation || !isOpen(operation)) return state
  return { ...state, operations: withRow(state.operations, { ...operation, state: 'FAILED' }) }
}

function decide(state: View, { reference, epoch }: Asking, verdict: Verdict): View {
  return { ...state, recovery: { at: 'writing', reference, epoch, verdict } }
}

function writeVerdict(state: View, { reference, epoch, verdict }: Writing, protocol: Protocol): Move {
  const operation = rowOf(state.operations, reference)
  const isOwner = operation !== undefined && (!protocol.fencedByEpoch || operation.epoch === epoch)
  const written = isOwner ? writeOutcome(state, operation, verdict, protocol) : state
  const isNext = verdict === 'REVERSING' && written !== state
  const recovery: Recovery = isNext ? { at: 'reversing', reference, epoch } : IDLE
  return { words: `recovery writes ${verdict}`, state: { ...written, recovery } }
}

function die(state: View, moment: string): Move[] {
  if (state.crashes === CRASHES_MAX) return []
  return [{ words: `recovery is killed ${moment}`, state: { ...state, crashes: state.crashes + 1, recovery: IDLE } }]
}
