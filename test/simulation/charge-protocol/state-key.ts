import type {
  GatewayRecord,
  GatewayResponse,
  Message,
  Operation,
  Recovery,
  Reference,
  State,
  Submitter,
  Verdict,
} from './state.ts'
import { CRASHES_MAX, EPOCH_MAX, GATEWAY_FAULTS_MAX, rowOf } from './state.ts'

const OPERATION = digits<Operation['state']>(
  'SENT',
  'IN_DOUBT',
  'REVERSING',
  'APPROVED',
  'DECLINED',
  'NOT_CHARGED',
  'REVERSED',
  'FAILED',
)
const RECORD = digits<GatewayRecord['state']>('approved', 'partial', 'declined', 'voided')
const MESSAGE = digits<Message['content']>('request', 'approved', 'partial', 'declined')
const SUBMITTER = digits<Submitter['at']>(
  'arrived',
  'read unpaid',
  'sending',
  'waiting',
  'answered',
  'timed out',
  'listening',
  'late',
  'gone',
)
const ANSWER = digits<GatewayResponse>('approved', 'partial', 'declined')
const VERDICT = digits<Verdict>('APPROVED', 'DECLINED', 'NOT_CHARGED', 'REVERSING', 'REVERSED')

const EPOCHS = EPOCH_MAX + 1
const OPERATIONS = 1 + 2 * 8 * EPOCHS
const RECORDS = 1 + 2 * 4
const MESSAGES = 1 + 4
const SUBMITTERS = 9 * 2 * 4
const RECOVERIES = 2 * EPOCHS * 8
const PAYMENTS = 3

/**
 * Encodes the state as one number in a mixed radix. Every field is a digit, so equal numbers mean equal states, except
 * for names: the two tabs are interchangeable, so a state and its mirror, in which they have exchanged their names,
 * have the same number. Operations and gateway records are ordered; messages are not, because they may overtake each
 * other; neither are the workers, which are interchangeable.
 */
export function stateKey(state: State): number {
  const first = firstReference(state)
  const second = first === 'A' ? 'B' : 'A'
  let key = Math.min(state.payments, PAYMENTS - 1)
  key = key * (CRASHES_MAX + 1) + state.crashes
  key = key * (GATEWAY_FAULTS_MAX + 1) + state.gatewayFaults
  key = key * OPERATIONS + operationDigit(state.operations[0], first)
  key = key * OPERATIONS + operationDigit(state.operations[1], first)
  key = key * RECORDS + recordDigit(state.ledger[0], first)
  key = key * RECORDS + recordDigit(state.ledger[1], first)
  key = key * MESSAGES + messageDigit(state, first)
  key = key * MESSAGES + messageDigit(state, second)
  key = key * SUBMITTERS + submitterDigit(state, first)
  key = key * SUBMITTERS + submitterDigit(state, second)
  const [worker, other] = state.recoveries
  if (!worker) return key
  const digit = recoveryDigit(worker, first)
  if (!other) return key * RECOVERIES + digit
  const otherDigit = recoveryDigit(other, first)
  return (key * RECOVERIES + Math.min(digit, otherDigit)) * RECOVERIES + Math.max(digit, otherDigit)
}

/** Returns the state with the names of the tabs exchanged. */
export function mirrored(state: State): State {
  const renamed = <Row extends { reference: Reference }>(row: Row): Row => ({
    ...row,
    reference: MIRROR[row.reference],
  })
  return {
    ...state,
    operations: state.operations.map(renamed),
    ledger: state.ledger.map(renamed),
    network: state.network.map(renamed),
    submitters: state.submitters.map(renamed).reverse(),
    recoveries: state.recoveries.map((recovery) => (recovery.at === 'idle' ? recovery : renamed(recovery))),
  }
}

const MIRROR = { A: 'B', B: 'A' } as const

/** Returns the tab that came first; if neither has left other traces, the one with the lower digit. */
function firstReference(state: State): Reference {
  const [trace] = state.operations.length > 0 ? state.operations : state.ledger
  if (trace) return trace.reference
  return tabDigit(state, 'A') <= tabDigit(state, 'B') ? 'A' : 'B'
}

function tabDigit(state: State, reference: Reference) {
  return messageDigit(state, reference) * SUBMITTERS + submitterDigit(state, reference)
}

function operationDigit(operation: Operation | undefined, first: Reference) {
  if (!operation) return 0
  return 1 + (nameDigit(operation, first) * 8 + OPERATION[operation.state]) * EPOCHS + operation.epoch
}

function recordDigit(record: GatewayRecord | undefined, first: Reference) {
  return record ? 1 + nameDigit(record, first) * 4 + RECORD[record.state] : 0
}

function messageDigit(state: State, reference: Reference) {
  const message = rowOf(state.network, reference)
  return message ? 1 + MESSAGE[message.content] : 0
}

function submitterDigit(state: State, reference: Reference) {
  const submitter = rowOf(state.submitters, reference)
  if (!submitter) return 0
  const response = submitter.response ? 1 + ANSWER[submitter.response] : 0
  return (SUBMITTER[submitter.at] * 2 + (submitter.admitted ? 1 : 0)) * 4 + response
}

function recoveryDigit(recovery: Recovery, first: Reference) {
  if (recovery.at === 'idle') return 0
  const verdict = recovery.at === 'writing' ? 3 + VERDICT[recovery.verdict] : recovery.at === 'asking' ? 1 : 2
  return (nameDigit(recovery, first) * EPOCHS + recovery.epoch) * 8 + verdict
}

function nameDigit({ reference }: { reference: Reference }, first: Reference) {
  return reference === first ? 0 : 1
}

function digits<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name, digit) => [name, digit])) as Record<Name, number>
}
