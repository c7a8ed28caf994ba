import type { Batch, Late, Message, Recovery, Settler, State } from './state.ts'

const digitsOf = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name, digit) => [name, digit + 1])) as Record<Name, number>

const AT = digitsOf<Settler['at']>(
  'arrived',
  'placing',
  'inquiring',
  'beginning',
  'sending',
  'waiting',
  'answered',
  'completing',
  'listening',
  'gone',
)
const RESULT = digitsOf('settled', 'refused')
const TOLD = digitsOf('settled', 'failed', 'unknown', 'refused', 'empty')
const STATUS = digitsOf('open', 'settling', 'settled')
const LATE_AT = digitsOf<Late['at']>('idle', 'sent', 'arrived', 'recorded')
const KIND = digitsOf('sale', 'void')
const CONTENT = digitsOf<Message['content']>('request', 'settled', 'refused')
const RECOVERY = digitsOf<Recovery['at']>('idle', 'inquiring', 'writing', 'completing')

/**
 * Encodes the state as text: equal texts mean equal futures. The names of the two settlers are interchangeable, and for
 * one that has ended, only what its caller was told counts.
 */
export function stateKey(state: State): string {
  const { early, late, crashes, batches, recovery } = state
  const shared = String.fromCharCode(
    ((early.row ?? 3) * 2 + Number(early.isVoided)) * 2 + crashes,
    lateDigit(late),
    recoveryDigit(recovery),
    closedDigit(state),
    ...batches.map(batchDigit),
  )
  const [one = '', other = ''] = state.settlers.map((settler) => settlerPart(state, settler)).sort()
  return shared + one + other
}

const closedDigit = ({ closed }: State) => Number(closed[1] !== null) * 2 + Number(closed[2] !== null)

/** Encodes a settler. The second character of a short part is smaller than that of any long one. */
function settlerPart(state: State, settler: Settler): string {
  const { id, at, told, name } = settler
  const message = state.network.find(({ from }) => from === id)
  const hasEnded = at === 'gone' && message?.content !== 'request'
  const closes = closesDigit(state, settler)
  if (hasEnded) return String.fromCharCode(closes, told === 'settled' || told === 'failed' ? TOLD[told] * 4 + name : 0)
  return String.fromCharCode(
    closes,
    ...settlerDigits(settler),
    message ? CONTENT[message.content] * 4 + message.name : 0,
  )
}

/** Encodes who has closed a batch, which counts as long as they may be told that nobody has. */
function closesDigit({ closed }: State, { id, at, told }: Settler): number {
  if (at === 'gone' && told !== 'failed') return 0
  return Number(closed[1] === id) * 2 + Number(closed[2] === id)
}

function settlerDigits({ at, row, name, epoch, attempt, isConfirmed, result, told }: Settler): number[] {
  const where = (AT[at] * 3 + row) * 4 + name
  const owned = (epoch * 8 + attempt) * 2 + Number(isConfirmed)
  return [where, owned, (result ? RESULT[result] : 0) * 8 + (told ? TOLD[told] : 0)]
}

const batchDigit = ({ status, name, epoch, attempts, records }: Batch) =>
  (((STATUS[status] * 4 + name) * 8 + epoch) * 4 + attempts) * 4 + records

const lateDigit = ({ kind, at, name, row, isAmbiguous }: Late) =>
  (((kind ? KIND[kind] : 0) * 5 + LATE_AT[at]) * 4 + name) * 8 + (row ?? 3) * 2 + Number(isAmbiguous)

function recoveryDigit(recovery: Recovery): number {
  if (recovery.at === 'idle') return 0
  const verdict = recovery.at === 'writing' ? RESULT[recovery.verdict] : 0
  return ((RECOVERY[recovery.at] * 3 + recovery.row) * 8 + recovery.epoch) * 4 + verdict
}
