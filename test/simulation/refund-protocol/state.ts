import type { Step as StepOf } from '../explore.ts'

/** Each requester makes one request under its own reference. */
export type Reference = 'A' | 'B'

/** A refund of one of the two units that the payment has, a refund of the rest, or a void. */
export type Wanted = 'part' | 'rest' | 'void'

export type Result = 'approved' | 'declined'

/** What the merchant was told. `done`: the money is refunded; `failed`: no money was moved. */
export type Told = 'done' | 'failed' | 'unknown' | 'refused'

/** A request handler. */
export interface Requester {
  reference: Reference
  wanted: Wanted | null
  /** Amount in units; for a void the amount of the payment. */
  amount: number
  at:
    | 'arrived'
    | 'read'
    | 'withdrawing'
    | 'sending'
    | 'waiting'
    | 'answered'
    | 'checking'
    /** The caller has its response; the socket is still open. */
    | 'listening'
    | 'gone'
  result: Result | null
  told: Told | null
}

/** A row of our database. */
export interface Operation {
  reference: Reference
  state: 'SENT' | 'IN_DOUBT' | 'APPROVED' | 'DECLINED'
  epoch: number
}

/** The gateway's record of a reference. */
export interface GatewayRecord {
  reference: Reference
  approvals: number
  isDeclined: boolean
}

/** Who sent a request, and receives the response. */
export type Sender = 'requester' | 'recovery'

export interface Message {
  reference: Reference
  sender: Sender
  content: 'request' | Result
}

export type Recovery =
  | { at: 'idle' }
  | { at: 'inquiring' | 'resending' | 'waiting' | 'checking'; reference: Reference; epoch: number }
  | { at: 'writing'; reference: Reference; epoch: number; verdict: Result }

export interface Payment {
  status: 'succeeded' | 'refunded' | 'voided'
  refunded: number
}

/** The complete state. States are immutable and share equal parts. */
export interface State {
  payment: Payment
  /** Whether the batch at the gateway is open: a closed one does not allow voids. */
  isBatchOpen: boolean
  operations: readonly Operation[]
  ledger: readonly GatewayRecord[]
  network: readonly Message[]
  requesters: readonly Requester[]
  recovery: Recovery
  crashes: number
}

export type Step = StepOf<State>

/** Amount of the payment, in units. */
export const AMOUNT = 2

// The bounds make the model finite. A requester owns epoch 1, so three epochs allow two claims by recovery.
export const CRASHES_MAX = 1
export const EPOCH_MAX = 3

export const IDLE: Recovery = { at: 'idle' }

const arrived = (reference: Reference): Requester => ({
  reference,
  wanted: null,
  amount: 0,
  at: 'arrived',
  result: null,
  told: null,
})

export const INITIAL_STATE: State = {
  payment: { status: 'succeeded', refunded: 0 },
  isBatchOpen: true,
  operations: [],
  ledger: [],
  network: [],
  requesters: [arrived('A'), arrived('B')],
  recovery: IDLE,
  crashes: 0,
}

export const isOpen = ({ state }: Operation) => state === 'SENT' || state === 'IN_DOUBT'

/** Returns the row of a reference. */
export function rowOf<Row extends { reference: Reference }>(rows: readonly Row[], reference: Reference) {
  return rows.find((row) => row.reference === reference)
}

/** Returns the rows with one replaced in place, or appended. */
export function withRow<Row extends { reference: Reference }>(rows: readonly Row[], row: Row): readonly Row[] {
  return rows.some(({ reference }) => reference === row.reference)
    ? rows.map((old) => (old.reference === row.reference ? row : old))
    : [...rows, row]
}

export function requesterOf(state: State, reference: Reference): Requester {
  const requester = rowOf(state.requesters, reference)
  if (!requester) throw new Error('Every reference has a requester')
  return requester
}

/** Whether the gateway has voided the sale, whichever request did so. */
export function isVoided(state: State): boolean {
  return state.ledger.some(
    ({ reference, approvals }) => approvals > 0 && requesterOf(state, reference).wanted === 'void',
  )
}

/** Returns what the gateway has refunded, in units. */
export function givenBack(state: State): number {
  return state.ledger.reduce((sum, { reference, approvals }) => {
    const { wanted, amount } = requesterOf(state, reference)
    return sum + (wanted === 'void' ? Math.min(approvals, 1) : approvals) * amount
  }, 0)
}

/** Returns what we show as refunded, in units. */
export const shownBack = ({ payment: { status, refunded } }: State) => (status === 'voided' ? AMOUNT : refunded)
