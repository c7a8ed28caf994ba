import type { Protocol } from './protocol.ts'
import type { Message, Operation, State, Step, Submitter } from './state.ts'
import { CRASHES_MAX, rowOf, withoutRow, withRow } from './state.ts'
import { writeOutcome } from './write-outcome.ts'

type Moves = (state: State, tab: Submitter, protocol: Protocol) => Step[]

const MOVES: Record<Submitter['at'], Moves> = {
  arrived: arrive,
  'read unpaid': insertUnchecked,
  sending: send,
  waiting: wait,
  answered: recordResult,
  'timed out': discardClient,
  listening: listen,
  late: recordLate,
  gone: () => [],
}

/** Returns the possible steps of the two request handlers, including their crashes. */
export function submitterSteps(state: State, protocol: Protocol): Step[] {
  return state.submitters.flatMap((tab) => [...MOVES[tab.at](state, tab, protocol), ...die(state, tab)])
}

/** PAY-1 to PAY-3: one transaction refuses while the key is paid or occupied, and otherwise inserts the operation. */
function arrive(state: State, tab: Submitter, protocol: Protocol): Step[] {
  if (!protocol.paidReadInTransaction) return [readPaid(state, tab)]
  if (state.payments > 0 || isOccupied(state, protocol)) return [refuse(state, tab)]
  const admitted = admit(state, tab, protocol)
  return protocol.intentFirst ? [admitted, loseAcknowledgement(admitted.state, tab)] : [admitted]
}

function readPaid(state: State, tab: Submitter): Step {
  const at = state.payments > 0 ? 'gone' : 'read unpaid'
  return {
    words: `${name(tab)} reads that it is ${state.payments > 0 ? 'paid' : 'unpaid'}`,
    state: withTab(state, { ...tab, at }),
  }
}

function insertUnchecked(state: State, tab: Submitter, protocol: Protocol): Step[] {
  return [isOccupied(state, protocol) ? refuse(state, tab) : admit(state, tab, protocol)]
}

function isOccupied(state: State, protocol: Protocol) {
  return protocol.oneOpenOperation && state.operations.some((operation) => occupiesKey(operation, protocol))
}

function occupiesKey({ state }: Operation, protocol: Protocol) {
  if (state === 'IN_DOUBT') return protocol.inDoubtOccupiesKey
  if (state === 'APPROVED') return protocol.successOccupiesKey
  return state === 'SENT' || state === 'REVERSING'
}

function refuse(state: State, tab: Submitter): Step {
  return { words: `${name(tab)} is refused: paid, or another operation is open`, state: leave(state, tab) }
}

function admit(state: State, tab: Submitter, protocol: Protocol): Step {
  const admitted = withTab(state, { ...tab, at: 'sending', admitted: true })
  if (!protocol.intentFirst) return { words: `${name(tab)} goes ahead and commits nothing`, state: admitted }
  const operations = withRow(state.operations, sentOperation(tab))
  return { words: `${name(tab)} inserts its operation`, state: { ...admitted, operations } }
}

function loseAcknowledgement(admitted: State, tab: Submitter): Step {
  return {
    words: `${name(tab)} inserts its operation, never learns of the commit, responds with 500`,
    state: leave(admitted, tab),
  }
}

function send(state: State, tab: Submitter): Step[] {
  const network = withRow<Message>(state.network, { reference: tab.reference, content: 'request' })
  return [{ words: `${name(tab)} sends the charge`, state: withTab({ ...state, network }, { ...tab, at: 'waiting' }) }]
}

function wait(state: State, tab: Submitter): Step[] {
  const timeout = { words: `${name(tab)} waits in vain`, state: withTab(state, { ...tab, at: 'timed out' }) }
  return [...receive(state, tab, 'answered'), timeout]
}

function receive(state: State, tab: Submitter, at: 'answered' | 'late'): Step[] {
  const message = rowOf(state.network, tab.reference)
  if (!message || message.content === 'request') return []
  const answered: Submitter = { ...tab, at, response: message.content }
  const received = withTab({ ...state, network: withoutRow(state.network, message) }, answered)
  return [{ words: `${name(tab)} receives "${message.content}"`, state: received }]
}

/** PAY-10: a write whose acknowledgement is lost is repeated until the caller's time is over. */
function recordResult(state: State, tab: Submitter, protocol: Protocol): Step[] {
  const written = record(state, tab, WRITTEN[tab.response ?? 'declined'], protocol)
  const words = `${name(tab)} writes "${tab.response}"`
  const steps = [
    { words, state: leave(written, tab) },
    { words: `${name(tab)} loses the database while it writes "${tab.response}"`, state: leave(state, tab) },
  ]
  return written === state ? steps : [...steps, { words: `${words} and does not learn of the commit`, state: written }]
}

/** PAY-16: a partial approval is a decline, and is reversed. So is an approval that the policy refuses (PAY-29). */
const WRITTEN = { approved: 'APPROVED', partial: 'REVERSING', declined: 'DECLINED' } as const

function record(state: State, tab: Submitter, verdict: Operation['state'], protocol: Protocol): State {
  const operation = rowOf(state.operations, tab.reference) ?? sentOperation(tab)
  if (protocol.fencedByEpoch && !isOwn(operation)) return state
  return writeOutcome(state, operation, verdict, protocol)
}

function discardClient(state: State, tab: Submitter, { lateResults }: Protocol): Step[] {
  const operation = rowOf(state.operations, tab.reference)
  const marked: State =
    operation?.state === 'SENT'
      ? { ...state, operations: withRow(state.operations, { ...operation, state: 'IN_DOUBT' }) }
      : state
  const words = `${name(tab)} marks its operation in doubt and responses 400`
  return [{ words, state: lateResults ? withTab(marked, { ...tab, at: 'listening' }) : leave(marked, tab) }]
}

/** Listens on: the socket stays open (PAY-13). */
function listen(state: State, tab: Submitter): Step[] {
  return [{ words: `${name(tab)} closes its socket`, state: leave(state, tab) }, ...receive(state, tab, 'late')]
}

/**
 * Records a result that comes after the response, like one that recovery would find. Its writer reads the epoch
 * directly before.
 */
function recordLate(state: State, tab: Submitter, protocol: Protocol): Step[] {
  const { response } = tab
  const verdict =
    response === 'approved' && protocol.policy === 'reverse' ? 'REVERSING' : WRITTEN[response ?? 'declined']
  const operation = rowOf(state.operations, tab.reference) ?? sentOperation(tab)
  const written = writeOutcome(state, operation, verdict, protocol)
  return [{ words: `${name(tab)} writes a late "${response}"`, state: leave(written, tab) }]
}

function die(state: State, tab: Submitter): Step[] {
  const isOver = tab.at === 'listening' || tab.at === 'late' || tab.at === 'gone'
  if (tab.at === 'arrived' || isOver || state.crashes === CRASHES_MAX) return []
  const dead = leave({ ...state, crashes: state.crashes + 1 }, tab)
  return [{ words: `${name(tab)} is killed while ${tab.at}`, state: dead }]
}

/**
 * Whether the submitter still owns the operation: it owns the first epoch, and every claim of recovery starts a new
 * one.
 */
function isOwn(operation: Operation) {
  return operation.epoch === 1
}

function sentOperation(tab: Submitter): Operation {
  return { reference: tab.reference, state: 'SENT', epoch: 1 }
}

function withTab(state: State, tab: Submitter): State {
  return { ...state, submitters: withRow(state.submitters, tab) }
}

/** Ends a request. Its view of the operation stays as it is in `state`. */
function leave(state: State, tab: Submitter): State {
  return withTab(state, { ...(rowOf(state.submitters, tab.reference) ?? tab), at: 'gone' })
}

function name(tab: Submitter) {
  return `tab ${tab.reference}`
}
