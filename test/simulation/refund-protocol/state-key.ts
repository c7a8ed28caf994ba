import type { GatewayRecord, Message, Operation, Recovery, Reference, Requester, State } from './state.ts'
import { rowOf } from './state.ts'

const digitsOf = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name, digit) => [name, digit + 1])) as Record<Name, number>

const AT = digitsOf<Requester['at']>(
  'arrived',
  'read',
  'withdrawing',
  'sending',
  'waiting',
  'answered',
  'checking',
  'listening',
  'gone',
)
const WANTED = digitsOf('part', 'rest', 'void')
const RESULT = digitsOf('approved', 'declined')
const TOLD = digitsOf('done', 'failed', 'unknown', 'refused')
const OPERATION = digitsOf<Operation['state']>('SENT', 'IN_DOUBT', 'APPROVED', 'DECLINED')
const STATUS = digitsOf('succeeded', 'refunded', 'voided')
const RECOVERY = digitsOf<Recovery['at']>('idle', 'inquiring', 'resending', 'waiting', 'checking', 'writing')
const CONTENT = digitsOf<Message['content']>('request', 'approved', 'declined')

/**
 * Encodes the state as text, one character per part: equal texts mean equal states, except for the names of the two
 * requests, which are interchangeable.
 */
export function stateKey(state: State): string {
  const { payment, isBatchOpen, crashes } = state
  const shared = String.fromCharCode(
    STATUS[payment.status] * 16 + payment.refunded,
    crashes * 2 + (isBatchOpen ? 1 : 0),
  )
  const [one, other] = [partOf(state, 'A'), partOf(state, 'B')]
  return one < other ? shared + one + other : shared + other + one
}

function partOf(state: State, reference: Reference): string {
  return String.fromCharCode(
    requesterDigit(rowOf(state.requesters, reference)),
    operationDigit(rowOf(state.operations, reference)) * 64 + recordDigit(rowOf(state.ledger, reference)),
    messagesDigit(state.network.filter((message) => message.reference === reference && isAwaited(state, message))),
    recoveryDigit(state.recovery, reference),
  )
}

/** Whether somebody waits for the message: a response to a process that has ended has no effect. */
function isAwaited({ requesters, recovery }: State, { reference, sender, content }: Message): boolean {
  if (content === 'request') return true
  if (sender === 'recovery') return recovery.at === 'waiting' && recovery.reference === reference
  const at = rowOf(requesters, reference)?.at
  return at === 'waiting' || at === 'listening'
}

function recoveryDigit(recovery: Recovery, reference: Reference): number {
  if (recovery.at === 'idle' || recovery.reference !== reference) return 0
  return (RECOVERY[recovery.at] * 8 + recovery.epoch) * 4 + (recovery.at === 'writing' ? RESULT[recovery.verdict] : 0)
}

function requesterDigit(requester: Requester | undefined): number {
  if (!requester) return 0
  const { at, wanted, amount, result, told } = requester
  const asked = AT[at] * 4 + (wanted ? WANTED[wanted] : 0)
  return ((asked * 3 + amount) * 3 + (result ? RESULT[result] : 0)) * 5 + (told ? TOLD[told] : 0)
}

const operationDigit = (operation: Operation | undefined) =>
  operation ? OPERATION[operation.state] * 8 + operation.epoch : 0

const recordDigit = (record: GatewayRecord | undefined) =>
  record ? 1 + record.approvals * 2 + (record.isDeclined ? 1 : 0) : 0

/**
 * Encodes messages, which have no order, because they may overtake each other. There are at most three of each kind.
 */
function messagesDigit(messages: readonly Message[]): number {
  return messages.reduce((sum, { sender, content }) => {
    const kind = (sender === 'recovery' ? 3 : 0) + CONTENT[content] - 1
    return sum + 4 ** kind
  }, 0)
}
