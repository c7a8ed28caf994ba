import type { Step as StepOf } from '../explore.ts'

/** A row of our database: a batch of the terminal, in order. There is always one that is not settled. */
export interface Batch {
  status: 'open' | 'settling' | 'settled'
  /** The gateway's name for it; 0 before the first settlement begins. */
  name: Name
  epoch: number
  /** Number of settlements of it that were begun. */
  attempts: number
  /** Number of times it was recorded as settled, each with its event. */
  records: number
}

/** Name of a batch at the gateway; 0 for none. The third is never settled. */
export type Name = 0 | 1 | 2 | 3
export type Result = 'settled' | 'refused'
/** What the caller was told. `refused`: another settlement is under way; `empty`: there is nothing to settle. */
export type Told = 'settled' | 'failed' | 'unknown' | 'refused' | 'empty'

export type SettlerName = 'A' | 'B'

/** Somebody who settles the open batch: a merchant by hand, or the daily settlement. */
export interface Settler {
  id: SettlerName
  at:
    | 'arrived'
    | 'placing'
    | 'inquiring'
    | 'beginning'
    | 'sending'
    | 'waiting'
    | 'answered'
    | 'completing'
    /** The caller has its response; the socket is still open. */
    | 'listening'
    | 'gone'
  /** Position of the batch that was open when it came. */
  row: number
  name: Name
  epoch: number
  attempt: number
  /** Whether the late transaction is in the gateway's open batch. */
  isConfirmed: boolean
  result: Result | null
  told: Told | null
}

/** Who settled a batch at the gateway. A merchant may also use a page of the gateway's own. */
export type Closer = SettlerName | 'portal'

/** A payment that was recorded before everything else, in the first batch of the gateway. */
export interface Early {
  /** Position of its batch here. */
  row: number | null
  isVoided: boolean
}

/** A transaction at the time of the cut-off: a sale (a refund is placed alike), or the void of the early payment. */
export interface Late {
  kind: 'sale' | 'void' | null
  at: 'idle' | 'sent' | 'arrived' | 'recorded'
  /** Batch of a sale at the gateway. */
  name: Name
  /** Position of its batch here. */
  row: number | null
  /** Whether it was sent before the first settlement was recorded. */
  isAmbiguous: boolean
}

export interface Message {
  from: SettlerName
  name: Name
  content: 'request' | Result
}

export type Recovery =
  | { at: 'idle' }
  | { at: 'inquiring' | 'completing'; row: number; epoch: number }
  | { at: 'writing'; row: number; epoch: number; verdict: Result }

/** The complete state. States are immutable and share equal parts. */
export interface State {
  batches: readonly Batch[]
  /** Closed batches of the gateway, by name: who settled them. */
  closed: { readonly [name in 1 | 2]: Closer | null }
  early: Early
  late: Late
  settlers: readonly Settler[]
  network: readonly Message[]
  recovery: Recovery
  crashes: number
}

export type Step = StepOf<State>

// The bounds make the model finite.
export const CRASHES_MAX = 1
/** Maximum number of claims by recovery, for both batches together. */
export const CLAIMS_MAX = 2

export const IDLE: Recovery = { at: 'idle' }
export const OPEN: Batch = { status: 'open', name: 0, epoch: 0, attempts: 0, records: 0 }

const arrived = (id: SettlerName): Settler => ({
  id,
  at: 'arrived',
  row: 0,
  name: 0,
  epoch: 0,
  attempt: 0,
  isConfirmed: false,
  result: null,
  told: null,
})

export const INITIAL_STATE: State = {
  batches: [OPEN],
  closed: { 1: null, 2: null },
  early: { row: null, isVoided: false },
  late: { kind: null, at: 'idle', name: 0, row: null, isAmbiguous: false },
  settlers: [arrived('A'), arrived('B')],
  network: [],
  recovery: IDLE,
  crashes: 0,
}

export function batchAt(state: State, row: number): Batch {
  const batch = state.batches[row]
  if (!batch) throw new Error('Every position has a batch')
  return batch
}

export function withBatch(state: State, row: number, change: Partial<Batch>): State {
  return { ...state, batches: state.batches.map((batch, index) => (index === row ? { ...batch, ...change } : batch)) }
}

export function withSettler(state: State, id: SettlerName, change: Partial<Settler>): State {
  return { ...state, settlers: state.settlers.map((one) => (one.id === id ? { ...one, ...change } : one)) }
}

export const isClosed = ({ closed }: State, name: Name) => (name === 1 || name === 2) && closed[name] !== null

/** Returns the gateway's batch that takes transactions now. */
export function openName(state: State): 1 | 2 | 3 {
  if (!isClosed(state, 1)) return 1
  return isClosed(state, 2) ? 3 : 2
}
