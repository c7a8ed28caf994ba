import type { Rules } from './rules.ts'
import {
  type GatewayRecord,
  isVoided,
  type Message,
  type Result,
  requesterOf,
  rowOf,
  type State,
  type Step,
  withRow,
} from './state.ts'

/**
 * Returns the possible steps of messages in flight, which are lost or arrive in any order, and the end of the batch.
 */
export function gatewaySteps(state: State, rules: Rules): Step[] {
  const closed = { words: 'the gateway closes the batch', state: { ...state, isBatchOpen: false } }
  // Only a void depends on the batch.
  const mayClose = state.isBatchOpen && state.requesters.some(({ wanted }) => wanted === 'void')
  return [
    ...state.network.flatMap((message) => [...arrivals(state, message, rules), ...losses(state, message)]),
    ...(mayClose ? [closed] : []),
  ]
}

/** Loses a message; a lost response is one for which nobody waits any more. */
function losses(state: State, message: Message): Step[] {
  if (message.content !== 'request') return []
  const network = state.network.filter((one) => one !== message)
  return [{ words: `the network loses the request of ${nameOf(message)}`, state: { ...state, network } }]
}

function arrivals(state: State, message: Message, rules: Rules): Step[] {
  if (message.content !== 'request') return []
  return decisions(state, message, rules).map(({ record, result }) => ({
    words: `the gateway receives ${nameOf(message)}: ${result}`,
    state: {
      ...state,
      ...(record && { ledger: withRow(state.ledger, record) }),
      network: state.network.map((one) => (one === message ? { ...message, content: result } : one)),
    },
  }))
}

interface Decision {
  /** Absent if nothing changes. */
  record?: GatewayRecord
  result: Result
}

/** Returns the gateway's decisions. It does not limit the sum of refunds: that is our responsibility. */
function decisions(state: State, { reference }: Message, rules: Rules): Decision[] {
  const known = rowOf(state.ledger, reference)
  if (known && rules.gatewayKnowsReference) return [{ result: resultOf(known) }]
  const record = known ?? { reference, approvals: 0, isDeclined: false }
  const declined = { record: { ...record, isDeclined: true }, result: 'declined' } as const
  const approved = { record: { ...record, approvals: record.approvals + 1 }, result: 'approved' } as const
  if (requesterOf(state, reference).wanted !== 'void') return [approved, declined]
  if (isVoided(state)) return [rules.gatewayKnowsReference ? approved : { result: 'declined' }]
  return state.isBatchOpen ? [approved, declined] : [declined]
}

export const resultOf = ({ approvals }: GatewayRecord): Result => (approvals > 0 ? 'approved' : 'declined')

const nameOf = ({ reference, sender }: Message) => `${reference} of the ${sender}`
