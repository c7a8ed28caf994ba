import type { Model, Step as StepOf } from './explore.ts'

// The exhaustive model of BIL-32: a worker charges the bills of two subscriptions and commits their steps together or
// separately. A commit may fail, its acknowledgement may be lost, and the worker may die at any moment, even while the
// database is committing. Recovery adopts.

export interface GroupRules {
  /** Whether a request leaves only after the commit of its intent. */
  sendsAfterCommit: boolean
  /** Whether a bill is not sent if its group may be committed. */
  unknownIsNotSent: boolean
  /** Whether an intent is in a different commit than its own result. */
  separateCommits: boolean
}

export const GROUP_RULES: GroupRules = { sendsAfterCommit: true, unknownIsNotSent: true, separateCommits: true }

interface Bill {
  operation: 'none' | 'SENT' | 'APPROVED' | 'NOT_CHARGED'
  /** Progress of the worker with the bill. */
  at: 'idle' | 'beginning' | 'sending' | 'waiting' | 'approved' | 'recording'
  isRequested: boolean
  /** Number of sales at the gateway. */
  live: number
}

/** A statement that the database executes. */
interface Statement {
  step: 'intents' | 'approvals'
  members: readonly number[]
  /** Whether its worker is dead: nobody gets the acknowledgement. */
  isOrphan: boolean
}

export interface State {
  bills: readonly Bill[]
  statements: readonly Statement[]
  crashes: number
}

export type GroupViolation = 'DOUBLE' | 'LOST' | 'PHANTOM'
type Landmark = 'both paid' | 'one paid, the other open' | 'intents of a dead worker' | 'approvals of a dead worker'
type Step = StepOf<State>

const CRASHES_MAX = 2
const NEW: Bill = { operation: 'none', at: 'idle', isRequested: false, live: 0 }
const SUBSETS = [[0], [1], [0, 1]]

export function groupProtocol(rules: GroupRules): Model<State, GroupViolation, Landmark> {
  return {
    initial: { bills: [NEW, NEW], statements: [], crashes: 0 },
    key: (state) => JSON.stringify(state),
    steps: (state) => [
      ...SUBSETS.flatMap((members) => [...begin(state, members, rules), ...record(state, members)]),
      ...state.statements.flatMap((statement) => outcomes(state, statement, rules)),
      ...state.bills.flatMap((bill, index) => [...exchange(state, bill, index), ...recover(state, bill, index)]),
      ...die(state),
    ],
    violations: {
      DOUBLE: ({ bills }) => bills.some(({ live }) => live > 1),
      /** Money has moved, and no record leads to it. */
      LOST: ({ bills, statements }) =>
        bills.some((bill, index) => bill.live > 0 && bill.at === 'idle' && isFree(bill) && !isIn(statements, index)),
      PHANTOM: ({ bills }) => bills.some(({ operation, live }) => operation === 'APPROVED' && live === 0),
    },
    landmarks: {
      'both paid': ({ bills }) => bills.every(({ operation }) => operation === 'APPROVED'),
      'one paid, the other open': ({ bills: [first, second] }) =>
        first?.operation === 'APPROVED' && second?.operation === 'SENT',
      'intents of a dead worker': ({ statements }) => statements.some(isWholeOrphan('intents')),
      'approvals of a dead worker': ({ statements }) => statements.some(isWholeOrphan('approvals')),
    },
  }
}

const isWholeOrphan =
  (wanted: Statement['step']) =>
  ({ step, members, isOrphan }: Statement) =>
    isOrphan && step === wanted && members.length === 2
const isFree = ({ operation }: Bill) => operation === 'none' || operation === 'NOT_CHARGED'
const isIn = (statements: readonly Statement[], index: number) =>
  statements.some(({ members }) => members.includes(index))

function withBills(state: State, members: readonly number[], change: (bill: Bill) => Partial<Bill>): State {
  const bills = state.bills.map((bill, index) => (members.includes(index) ? { ...bill, ...change(bill) } : bill))
  return { ...state, bills }
}

/** Begins bills. One that another statement holds is skipped, like a locked row. */
function begin(state: State, members: readonly number[], rules: GroupRules): Step[] {
  const mayBegin = (index: number) => {
    const bill = state.bills[index]
    return bill?.at === 'idle' && isFree(bill) && !isIn(state.statements, index)
  }
  if (!members.every(mayBegin)) return []
  const words = `the worker begins ${members}`
  if (!rules.separateCommits) return [{ words, state: withBills(state, members, () => ({ at: 'sending' })) }]
  const at = rules.sendsAfterCommit ? 'beginning' : 'sending'
  const begun = withBills(state, members, () => ({ at }))
  return [
    { words, state: { ...begun, statements: [...state.statements, { step: 'intents', members, isOrphan: false }] } },
  ]
}

function record(state: State, members: readonly number[]): Step[] {
  if (!members.every((index) => state.bills[index]?.at === 'approved')) return []
  const recording = withBills(state, members, () => ({ at: 'recording' }))
  const statements: Statement[] = [...state.statements, { step: 'approvals', members, isOrphan: false }]
  return [{ words: `the worker records ${members}`, state: { ...recording, statements } }]
}

/** Returns the outcomes: a statement commits as a whole or not at all, and the worker learns the result or does not. */
function outcomes(state: State, statement: Statement, rules: GroupRules): Step[] {
  const { step, members, isOrphan } = statement
  const left = { ...state, statements: state.statements.filter((one) => one !== statement) }
  const committed = withBills(left, members, (bill) => write(bill, step, rules))
  const name = `the ${step} of ${members}`
  const unknown = (after: State) =>
    isOrphan ? after : withBills(after, members, ({ at }) => ({ at: goOnUnknown(at, step, rules) }))
  const steps = [
    { words: `${name} are committed, and nobody learns of it`, state: unknown(committed) },
    { words: `${name} are rolled back, and nobody learns of it`, state: unknown(left) },
  ]
  if (isOrphan) return steps
  const known = withBills(committed, members, ({ at }) => ({ at: goOn(at, step) }))
  return [...steps, { words: `${name} are committed`, state: known }]
}

function write(bill: Bill, step: Statement['step'], { separateCommits }: GroupRules): Partial<Bill> {
  if (step === 'intents') return isFree(bill) ? { operation: 'SENT' } : {}
  return bill.operation === 'SENT' || (!separateCommits && isFree(bill)) ? { operation: 'APPROVED' } : {}
}

const goOn = (at: Bill['at'], step: Statement['step']): Bill['at'] =>
  step === 'approvals' ? 'idle' : at === 'beginning' ? 'sending' : at

const goOnUnknown = (at: Bill['at'], step: Statement['step'], { unknownIsNotSent }: GroupRules): Bill['at'] =>
  step === 'intents' && (at !== 'beginning' || !unknownIsNotSent) ? goOn(at, step) : 'idle'

/** Sends the request, and returns its response if there is one. */
function exchange(state: State, bill: Bill, index: number): Step[] {
  const to = (words: string, change: Partial<Bill>) => ({
    words: `${words} ${index}`,
    state: withBills(state, [index], () => change),
  })
  if (bill.at === 'sending') return [to('the worker sends', { at: 'waiting', isRequested: true })]
  const steps = bill.at === 'waiting' ? [to('the worker waits in vain for', { at: 'idle' })] : []
  if (!bill.isRequested) return steps
  const live = bill.live + 1
  if (bill.at === 'waiting') steps.push(to('the worker receives', { at: 'approved', isRequested: false, live }))
  return [
    ...steps,
    to('the response is lost of', { at: bill.at === 'waiting' ? 'idle' : bill.at, isRequested: false, live }),
  ]
}

/** Recovers (PAY-23): a charge at the gateway is adopted; "not found" is final once nothing can arrive any more. */
function recover(state: State, { operation, at, isRequested, live }: Bill, index: number): Step[] {
  if (operation !== 'SENT' || at !== 'idle' || isRequested || isIn(state.statements, index)) return []
  const found = live > 0 ? 'APPROVED' : 'NOT_CHARGED'
  return [{ words: `recovery finds ${index} ${found}`, state: withBills(state, [index], () => ({ operation: found })) }]
}

/**
 * Lets the worker die: what it has sent arrives or not; its statements are committed or not. Another worker continues.
 */
function die(state: State): Step[] {
  if (state.crashes === CRASHES_MAX) return []
  const bills = state.bills.map((bill) => ({ ...bill, at: 'idle' as const }))
  const statements = state.statements.map((statement) => ({ ...statement, isOrphan: true }))
  return [{ words: 'the worker is killed', state: { bills, statements, crashes: state.crashes + 1 } }]
}
