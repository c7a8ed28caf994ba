import type { Rules } from './rules.ts'
import { type Closer, isClosed, type Late, type Message, type Name, openName, type State, type Step } from './state.ts'

/** Returns the possible steps of the gateway, of messages in flight, and of the transaction at the cut-off. */
export function gatewaySteps(state: State, rules: Rules): Step[] {
  const requests = state.network.filter(({ content }) => content === 'request')
  return [
    ...requests.flatMap((message) => [...arrivals(state, message, rules), loss(state, message)]),
    ...portal(state, requests),
    ...transactionSteps(state),
  ]
}

/** Loses a message; a lost response is one for which nobody waits any more. */
function loss(state: State, message: Message): Step {
  const network = state.network.filter((one) => one !== message)
  return { words: `the network loses the request of ${message.from}`, state: { ...state, network } }
}

function arrivals(state: State, message: Message, { namesBatch }: Rules): Step[] {
  const name = namesBatch ? message.name : openName(state)
  const refused = respond(state, message, 'refused')
  if (isClosed(state, name)) return [respond(state, message, 'settled')]
  if (!hasLive(state, name)) return [refused]
  return [respond(closedBy(state, name, message.from), message, 'settled'), refused]
}

function respond(state: State, message: Message, content: 'settled' | 'refused'): Step {
  const network = state.network.map((one) => (one === message ? { ...message, content } : one))
  return { words: `the gateway receives the request of ${message.from}: ${content}`, state: { ...state, network } }
}

const closedBy = (state: State, name: 1 | 2, by: Closer): State => ({
  ...state,
  closed: { ...state.closed, [name]: by },
})

/**
 * Whether a batch has live payments: one of only voided sales is not settled. The second batch also has sales of
 * others; the third is still empty.
 */
function hasLive({ early, late }: State, name: Name): name is 1 | 2 {
  return name === 2 || (name === 1 && (!early.isVoided || (late.kind === 'sale' && late.name === 1)))
}

/** Somebody settles the same batch on the gateway's own page while a request is in progress. */
function portal(state: State, requests: readonly Message[]): Step[] {
  const name = openName(state)
  if (!hasLive(state, name) || !requests.some((one) => one.name === name)) return []
  return [{ words: `somebody settles ${name} on the gateway's page`, state: closedBy(state, name, 'portal') }]
}

/**
 * Returns the steps of the transaction. Its own protocol is the one of charges, or of refunds and voids: here it is
 * never lost.
 */
function transactionSteps(state: State): Step[] {
  const { late, batches, early } = state
  switch (late.at) {
    case 'idle':
      return sends(state)
    case 'sent':
      return late.kind === 'sale' ? [saleArrives(state)] : [voidArrives(state)]
    case 'arrived': {
      const recorded: Late = { ...late, at: 'recorded' }
      return [{ words: `the ${late.kind} is recorded`, state: { ...state, late: recorded, batches, early } }]
    }
    case 'recorded':
      return []
  }
}

function sends(state: State): Step[] {
  const { late, batches, early } = state
  const isAmbiguous = batches.length === 1
  const sent = (kind: 'sale' | 'void'): Step => ({
    words: `a ${kind} is sent`,
    state: { ...state, late: { ...late, kind, at: 'sent', isAmbiguous } },
  })
  // REF-10: the void of a settled payment is refused at once.
  const isSettled = early.row !== null && batches[early.row]?.status === 'settled'
  return isSettled ? [sent('sale')] : [sent('sale'), sent('void')]
}

function saleArrives(state: State): Step {
  const name = openName(state)
  return {
    words: `the gateway approves the sale in ${name}`,
    state: { ...state, late: { ...state.late, at: 'arrived', name } },
  }
}

function voidArrives(state: State): Step {
  const isVoided = !isClosed(state, 1)
  const early = { ...state.early, isVoided }
  return {
    words: `the gateway ${isVoided ? 'voids the sale' : 'declines the void'}`,
    state: { ...state, early, late: { ...state.late, at: 'arrived' } },
  }
}
