import type { GatewayRecord, Message, Operation, Recovery, Reference, State, Submitter } from './state.ts'
import { CRASHES_MAX, EPOCH_MAX, GATEWAY_FAULTS_MAX, rowOf } from './state.ts'

const REFERENCE = digits<Reference>('A', 'B')
const OPERATION = digits<Operation['state']>('SENT', 'IN_DOUBT', 'APPROVED', 'DECLINED', 'NOT_CHARGED', 'FAILED')
const RECORD = digits<GatewayRecord['state']>('approved', 'declined', 'voided')
const MESSAGE = digits<Message['content']>('request', 'approved', 'declined')
const SUBMITTER = digits<Submitter['at']>(
  'arrived',
  'read unpaid',
  'sending',
  'waiting',
  'answered',
  'timed out',
  'gone',
)
const ANSWER = digits<'approved' | 'declined'>('approved', 'declined')
const VERDICT = digits<'APPROVED' | 'DECLINED' | 'NOT_CHARGED'>('APPROVED', 'DECLINED', 'NOT_CHARGED')

const EPOCHS = EPOCH_MAX + 1
const OPERATIONS = 1 + 2 * 6 * EPOCHS
const RECORDS = 1 + 2 * 3
const MESSAGES = 1 + 3
const SUBMITTERS = 7 * 2 * 3
const RECOVERIES = 2 * EPOCHS * 5

/**
 * Encodes the state as one number in a mixed radix. Every field is a digit, so equal numbers mean equal states.
 * Operations and gateway records are ordered; messages are not, because they may overtake each other.
 */
export function stateKey(state: State): number {
  const [firstTab, secondTab] = state.submitters
  let key = state.paid ? 1 : 0
  key = key * (CRASHES_MAX + 1) + state.crashes
  key = key * (GATEWAY_FAULTS_MAX + 1) + state.gatewayFaults
  key = key * OPERATIONS + operationDigit(state.operations[0])
  key = key * OPERATIONS + operationDigit(state.operations[1])
  key = key * RECORDS + recordDigit(state.ledger[0])
  key = key * RECORDS + recordDigit(state.ledger[1])
  key = key * MESSAGES + messageDigit(rowOf(state.network, 'A'))
  key = key * MESSAGES + messageDigit(rowOf(state.network, 'B'))
  key = key * SUBMITTERS + submitterDigit(firstTab)
  key = key * SUBMITTERS + submitterDigit(secondTab)
  return key * RECOVERIES + recoveryDigit(state.recovery)
}

function operationDigit(operation: Operation | undefined) {
  if (!operation) return 0
  return 1 + (REFERENCE[operation.reference] * 6 + OPERATION[operation.state]) * EPOCHS + operation.epoch
}

function recordDigit(record: GatewayRecord | undefined) {
  return record ? 1 + REFERENCE[record.reference] * 3 + RECORD[record.state] : 0
}

function messageDigit(message: Message | undefined) {
  return message ? 1 + MESSAGE[message.content] : 0
}

function submitterDigit(submitter: Submitter | undefined) {
  if (!submitter) return 0
  const response = submitter.response ? 1 + ANSWER[submitter.response] : 0
  return (SUBMITTER[submitter.at] * 2 + (submitter.admitted ? 1 : 0)) * 3 + response
}

function recoveryDigit(recovery: Recovery) {
  if (recovery.at === 'idle') return 0
  const verdict = recovery.at === 'asking' ? 1 : 2 + VERDICT[recovery.verdict]
  return (REFERENCE[recovery.reference] * EPOCHS + recovery.epoch) * 5 + verdict
}

function digits<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name, digit) => [name, digit])) as Record<Name, number>
}
