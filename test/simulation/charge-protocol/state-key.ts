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

const REFERENCE = digits<Reference>('A', 'B')
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
 * Encodes the state as one number in a mixed radix. Every field is a digit, so equal numbers mean equal states.
 * Operations and gateway records are ordered; messages are not, because they may overtake each other, nor are the
 * workers, which are alike.
 */
export function stateKey(state: State): number {
  const [firstTab, secondTab] = state.submitters
  let key = Math.min(state.payments, PAYMENTS - 1)
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
  const workers = state.recoveries.map(recoveryDigit).sort((first, second) => first - second)
  for (const worker of workers) key = key * RECOVERIES + worker
  return key
}

function operationDigit(operation: Operation | undefined) {
  if (!operation) return 0
  return 1 + (REFERENCE[operation.reference] * 8 + OPERATION[operation.state]) * EPOCHS + operation.epoch
}

function recordDigit(record: GatewayRecord | undefined) {
  return record ? 1 + REFERENCE[record.reference] * 4 + RECORD[record.state] : 0
}

function messageDigit(message: Message | undefined) {
  return message ? 1 + MESSAGE[message.content] : 0
}

function submitterDigit(submitter: Submitter | undefined) {
  if (!submitter) return 0
  const response = submitter.response ? 1 + ANSWER[submitter.response] : 0
  return (SUBMITTER[submitter.at] * 2 + (submitter.admitted ? 1 : 0)) * 4 + response
}

function recoveryDigit(recovery: Recovery) {
  if (recovery.at === 'idle') return 0
  const verdict = recovery.at === 'writing' ? 3 + VERDICT[recovery.verdict] : recovery.at === 'asking' ? 1 : 2
  return (REFERENCE[recovery.reference] * EPOCHS + recovery.epoch) * 8 + verdict
}

function digits<Name extends string>(...names: Name[]) {
  return Object.fromEntries(names.map((name, digit) => [name, digit])) as Record<Name, number>
}
