import { begin, placeLate, record } from './record.ts'
import type { Rules } from './rules.ts'
import { batchAt, CRASHES_MAX, openName, type Settler, type State, type Step, type Told, withSettler } from './state.ts'

type Moves = (state: State, settler: Settler, rules: Rules) => Step[]

const MOVES: Record<Settler['at'], Moves> = {
  arrived: arrive,
  placing: place,
  inquiring: inquire,
  beginning: beginIt,
  sending: send,
  waiting: wait,
  answered: write,
  completing: complete,
  listening: listen,
  gone: () => [],
}

/** Returns the possible steps of the two settlers, including their crashes. */
export function settlerSteps(state: State, rules: Rules): Step[] {
  return state.settlers.flatMap((one) => [...MOVES[one.at](state, one, rules), ...die(state, one)])
}

function arrive(state: State, { id }: Settler): Step[] {
  const row = state.batches.findIndex(({ status }) => status !== 'settled')
  if (batchAt(state, row).status === 'settling') return [end(state, id, 'refused', `${id} is refused`)]
  return [{ words: `${id} finds batch ${row + 1} open`, state: withSettler(state, id, { at: 'placing', row }) }]
}

/** Assigns a batch to transactions that were recorded during the previous settlement. */
function place(state: State, { id, row }: Settler): Step[] {
  const placed = placeLate(state, row)
  const { isConfirmed } = placed
  return [
    { words: `${id} places what came late`, state: withSettler(placed.state, id, { at: 'inquiring', isConfirmed }) },
  ]
}

function inquire(state: State, { id }: Settler): Step[] {
  const name = openName(state)
  if (name === 3) return [end(state, id, 'empty', `${id} finds nothing to settle`)]
  return [
    { words: `${id} finds ${name} open at the gateway`, state: withSettler(state, id, { at: 'beginning', name }) },
  ]
}

function beginIt(state: State, settler: Settler, rules: Rules): Step[] {
  const { id, row } = settler
  if (!rules.intentFirst) {
    const words = `${id} begins and commits nothing`
    return [{ words, state: withSettler(state, id, { at: 'sending', epoch: batchAt(state, row).epoch }) }]
  }
  const begun = begin(state, settler, rules)
  if (!begun) return [end(state, id, 'refused', `${id} is refused`)]
  const { epoch, attempts: attempt } = batchAt(begun, row)
  return [
    { words: `${id} commits its intent`, state: withSettler(begun, id, { at: 'sending', epoch, attempt }) },
    end(begun, id, 'unknown', `${id} commits its intent and never learns of it`),
  ]
}

function send(state: State, settler: Settler, rules: Rules): Step[] {
  const { id, name, row, epoch } = settler
  const network = [...state.network, { from: id, name, content: 'request' as const }]
  const unsent = record(state, { row, epoch, attempt: null, result: 'refused' }, rules) ?? state
  return [
    { words: `${id} sends its request`, state: withSettler({ ...state, network }, id, { at: 'waiting' }) },
    end(unsent, id, 'failed', `${id} does not send its request`),
  ]
}

function wait(state: State, settler: Settler, rules: Rules): Step[] {
  const { id, row, epoch } = settler
  const words = `${id} waits in vain`
  if (rules.unknownStaysOpen) {
    const told = toldOf(state, row)
    return [{ words, state: withSettler(state, id, { at: 'listening', told }) }, ...receive(state, settler)]
  }
  const failed = record(state, { row, epoch, attempt: null, result: 'refused' }, rules) ?? state
  return [end(failed, id, 'failed', `${words} and takes it as failed`), ...receive(state, settler)]
}

function receive(state: State, { id }: Settler): Step[] {
  const message = state.network.find((one) => one.from === id && one.content !== 'request')
  if (!message || message.content === 'request') return []
  const network = state.network.filter((one) => one !== message)
  const received = withSettler({ ...state, network }, id, { at: 'answered', result: message.content })
  return [{ words: `${id} receives "${message.content}"`, state: received }]
}

function write(state: State, settler: Settler, rules: Rules): Step[] {
  const { id, row, result, told } = settler
  if (told !== null) return [late(state, settler, rules)]
  if (result === null) return []
  const { epoch } = settler
  const written = record(state, { row, epoch, attempt: null, result }, rules)
  const words = `${id} writes "${result}"`
  const lost = end(state, id, 'unknown', `${id} loses the database while it writes "${result}"`)
  if (result === 'refused') return [end(written ?? state, id, 'failed', words), lost]
  if (!written) return [end(state, id, toldOf(state, row), words), lost]
  return [{ words, state: withSettler(written, id, { at: 'completing', told: 'settled' }) }, lost]
}

/** Returns what the caller is told if another writer was first. */
const toldOf = (state: State, row: number): Told => (batchAt(state, row).status === 'settled' ? 'settled' : 'unknown')

/** Handles a result that came after the caller had its response. For a refusal, recovery finds out the outcome. */
function late(state: State, { id, row, attempt, result, told }: Settler, rules: Rules): Step {
  const written = result === 'settled' ? record(state, { row, epoch: null, attempt, result }, rules) : null
  return end(written ?? state, id, told, `${id} writes a late "${result}"`)
}

/** Assigns a batch to transactions recorded during the settlement: the gateway says in which one they are. */
function complete(state: State, { id, row, told }: Settler): Step[] {
  return [end(placeLate(state, row + 1).state, id, told, `${id} places what was recorded meanwhile`)]
}

function listen(state: State, settler: Settler): Step[] {
  const { id, told } = settler
  return [end(state, id, told, `${id} closes its socket`), ...receive(state, settler)]
}

function die(state: State, { id, at, told }: Settler): Step[] {
  if (at === 'arrived' || at === 'gone' || at === 'listening' || state.crashes === CRASHES_MAX) return []
  return [end({ ...state, crashes: state.crashes + 1 }, id, told, `${id} is killed while ${at}`)]
}

function end(state: State, id: Settler['id'], told: Told | null, words: string): Step {
  return { words, state: withSettler(state, id, { at: 'gone', told, result: null, isConfirmed: false }) }
}
