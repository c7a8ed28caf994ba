import type { Protocol } from './protocol.ts'
import type { GatewayResponse, Message, State, Step } from './state.ts'
import { rowOf, withoutRow, withRow } from './state.ts'

/** Returns the possible steps of each message in flight: it is lost or arrives, at any time and in any order. */
export function networkSteps(state: State, protocol: Protocol): Step[] {
  return state.network.flatMap((message) => [...arrivals(state, message, protocol), loss(state, message)])
}

function loss(state: State, message: Message): Step {
  const what = message.content === 'request' ? 'charge' : 'response'
  const network = withoutRow(state.network, message)
  return { words: `the network loses the ${what} of ${message.reference}`, state: { ...state, network } }
}

function arrivals(state: State, { reference, content }: Message, { partials }: Protocol): Step[] {
  if (content !== 'request') return []
  const record = rowOf(state.ledger, reference)
  if (record) {
    const words = `the gateway receives charge ${reference}, which it has as ${record.state}`
    return [{ words, state: response(state, reference, record.state === 'voided' ? 'declined' : record.state) }]
  }
  const decisions = partials ? (['approved', 'partial', 'declined'] as const) : (['approved', 'declined'] as const)
  return decisions.map((decision) => {
    const decided = { ...state, ledger: withRow(state.ledger, { reference, state: decision }) }
    return {
      words: `the gateway receives charge ${reference}: ${decision}`,
      state: response(decided, reference, decision),
    }
  })
}

function response(state: State, reference: Message['reference'], content: GatewayResponse): State {
  return { ...state, network: withRow(state.network, { reference, content }) }
}
