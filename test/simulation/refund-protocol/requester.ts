import { markInDoubt, newOperation, record } from './record.ts'
import type { Rules } from './rules.ts'
import {
  AMOUNT,
  CRASHES_MAX,
  isOpen,
  isVoided,
  type Reference,
  type Requester,
  type Result,
  requesterOf,
  rowOf,
  type State,
  type Step,
  type Told,
  type Wanted,
  withRow,
} from './state.ts'

type Moves = (state: State, requester: Requester, rules: Rules) => Step[]

const MOVES: Record<Requester['at'], Moves> = {
  arrived: arrive,
  read: insertUnchecked,
  withdrawing: withdraw,
  sending: send,
  waiting: wait,
  answered: recordResult,
  checking: check,
  listening: listen,
  gone: () => [],
}

/** Returns the possible steps of the two request handlers, including their crashes. */
export function requesterSteps(state: State, rules: Rules): Step[] {
  return state.requesters.flatMap((one) => [...MOVES[one.at](state, one, rules), ...die(state, one)])
}

function arrive(state: State, { reference }: Requester, rules: Rules): Step[] {
  return (['part', 'rest', 'void'] as const).flatMap((wanted) => {
    const amount = allowedAmount(state, wanted, rules)
    const asked = withRequester(state, reference, { wanted, amount: amount ?? 0 })
    if (amount === null) return [refuse(asked, reference)]
    if (rules.readsUnderLock) return insert(asked, reference, rules)
    const words = `${reference} asks for ${wanted === 'void' ? 'a void' : `a refund of the ${wanted}`}, and reads the payment`
    return [{ words, state: withRequester(asked, reference, { at: 'read' }) }]
  })
}

/** Returns the allowed amount (REF-2, REF-3, REF-10). @returns `null` for a refusal */
function allowedAmount(state: State, wanted: Wanted, { checksStatus }: Rules): number | null {
  const { status, refunded } = state.payment
  if (checksStatus && status !== 'succeeded') return null
  if (wanted === 'void') return checksStatus && refunded > 0 ? null : AMOUNT
  const pending = state.operations
    .filter((one) => isOpen(one) && requesterOf(state, one.reference).wanted !== 'void')
    .reduce((sum, { reference }) => sum + requesterOf(state, reference).amount, 0)
  const rest = AMOUNT - refunded - pending
  if (rest < 1) return null
  return wanted === 'part' ? 1 : rest
}

function insertUnchecked(state: State, { reference }: Requester, rules: Rules): Step[] {
  return insert(state, reference, rules)
}

function insert(state: State, reference: Reference, rules: Rules): Step[] {
  if (rules.oneOpenOperation && state.operations.some(isOpen)) return [refuse(state, reference)]
  const { wanted, amount } = requesterOf(state, reference)
  const what = wanted === 'void' ? 'void' : `refund of ${amount}`
  const admitted = withRequester(state, reference, { at: 'sending' })
  if (!rules.intentFirst) return [{ words: `${reference} begins a ${what} and commits nothing`, state: admitted }]
  const inserted = { ...admitted, operations: withRow(state.operations, newOperation(reference)) }
  const unsure = withRequester(inserted, reference, { at: wanted === 'void' ? 'gone' : 'withdrawing', told: 'unknown' })
  return [
    { words: `${reference} inserts its ${what}`, state: inserted },
    { words: `${reference} inserts its ${what} and never learns of the commit`, state: unsure },
  ]
}

function refuse(state: State, reference: Reference): Step {
  return { words: `${reference} is refused`, state: end(state, reference, 'refused') }
}

/** Declines the refund, which may be committed, because nothing was sent. */
function withdraw(state: State, { reference }: Requester, rules: Rules): Step[] {
  const written = record(state, { reference, result: 'declined', epoch: 1 }, rules) ?? state
  return [{ words: `${reference} withdraws its refund`, state: end(written, reference, 'unknown') }]
}

function send(state: State, { reference }: Requester, rules: Rules): Step[] {
  const sent = {
    ...state,
    network: [...state.network, { reference, sender: 'requester', content: 'request' } as const],
  }
  const unsent = record(state, { reference, result: 'declined', epoch: 1 }, rules)
  return [
    { words: `${reference} sends its request`, state: withRequester(sent, reference, { at: 'waiting' }) },
    {
      words: `${reference} does not send its request`,
      state: unsent ? end(unsent, reference, 'failed') : notOwned(state, reference, rules),
    },
  ]
}

/** Leaves the outcome to recovery, which owns it and may send the request instead. */
function notOwned(state: State, reference: Reference, rules: Rules): State {
  return end(state, reference, rules.unsentIsFenced ? toldOf(state, reference) : 'failed')
}

function wait(state: State, { reference }: Requester, rules: Rules): Step[] {
  return [timeout(state, reference, rules), ...receive(state, reference, { at: 'answered' })]
}

function timeout(state: State, reference: Reference, rules: Rules): Step {
  const words = `${reference} waits in vain`
  if (rules.unknownStaysOpen) {
    const listening = withRequester(markInDoubt(state, reference), reference, { at: 'listening', told: 'unknown' })
    return { words, state: listening }
  }
  const failed = record(state, { reference, result: 'declined', epoch: 1 }, rules) ?? state
  return { words: `${words} and takes it as failed`, state: end(failed, reference, 'failed') }
}

function receive(state: State, reference: Reference, change: Partial<Requester>): Step[] {
  const message = state.network.find(
    (one) => one.reference === reference && one.sender === 'requester' && one.content !== 'request',
  )
  if (!message || message.content === 'request') return []
  const network = state.network.filter((one) => one !== message)
  const received = withRequester({ ...state, network }, reference, { ...change, result: message.content })
  return [{ words: `${reference} receives "${message.content}"`, state: received }]
}

function recordResult(state: State, requester: Requester, rules: Rules): Step[] {
  const { reference, wanted, told } = requester
  const result = requester.result ?? 'declined'
  if (told !== null) return recordLate(state, requester, rules)
  if (wanted === 'void' && result === 'declined' && rules.refusalIsChecked) {
    const checking = withRequester(state, reference, { at: 'checking' })
    return [{ words: `${reference} is declined, and inquires about the sale`, state: checking }]
  }
  return write(state, reference, result, rules)
}

function write(state: State, reference: Reference, result: Result, rules: Rules): Step[] {
  const written = record(state, { reference, result, epoch: 1 }, rules)
  const told = written ? DONE[result] : toldOf(state, reference)
  return [
    { words: `${reference} writes "${result}"`, state: end(written ?? state, reference, told) },
    {
      words: `${reference} loses the database while it writes "${result}"`,
      state: end(markInDoubt(state, reference), reference, 'unknown'),
    },
  ]
}

const DONE: Record<Result, Told> = { approved: 'done', declined: 'failed' }

/** Returns what is told if another writer was first. A void is either made, or not confirmed. */
function toldOf(state: State, reference: Reference): Told {
  const operation = rowOf(state.operations, reference)
  if (operation?.state === 'APPROVED') return 'done'
  const isRefund = requesterOf(state, reference).wanted !== 'void'
  return operation?.state === 'DECLINED' && isRefund ? 'failed' : 'unknown'
}

/**
 * Checks a refused void (REF-11): only the state of the sale distinguishes a refusal from a void that was made before.
 */
function check(state: State, { reference, result }: Requester, rules: Rules): Step[] {
  if (result === null) return []
  const found = isVoided(state) ? 'approved' : 'declined'
  return write(state, reference, found, rules)
}

/** Records a result that came after the caller had its response, whoever owns the operation now. */
function listen(state: State, { reference }: Requester): Step[] {
  const closed = { words: `${reference} closes its socket`, state: withRequester(state, reference, { at: 'gone' }) }
  return [closed, ...receive(state, reference, { at: 'answered' })]
}

function recordLate(state: State, { reference, wanted, result, told }: Requester, rules: Rules): Step[] {
  const isDefinite = wanted !== 'void' || result === 'approved'
  const late = { reference, result: result ?? 'declined', epoch: null }
  const written = isDefinite ? record(state, late, rules) : null
  return [{ words: `${reference} writes a late "${result}"`, state: end(written ?? state, reference, told) }]
}

function die(state: State, { reference, at }: Requester): Step[] {
  if (at === 'arrived' || at === 'gone' || at === 'listening' || state.crashes === CRASHES_MAX) return []
  const dead = withRequester({ ...state, crashes: state.crashes + 1 }, reference, { at: 'gone' })
  return [{ words: `${reference} is killed while ${at}`, state: dead }]
}

const end = (state: State, reference: Reference, told: Told | null) =>
  withRequester(state, reference, { at: 'gone', told, result: null })

function withRequester(state: State, reference: Reference, change: Partial<Requester>): State {
  return { ...state, requesters: withRow(state.requesters, { ...requesterOf(state, reference), ...change }) }
}
