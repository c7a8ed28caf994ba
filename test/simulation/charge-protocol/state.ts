import type { Step as StepOf } from '../explore.ts'

/** Each submitter makes one attempt under its own reference. */
export type Reference = 'A' | 'B'

type OperationState = 'SENT' | 'IN_DOUBT' | 'APPROVED' | 'DECLINED' | 'NOT_CHARGED' | 'FAILED'

/** A row of our database. */
export type Operation = { reference: Reference; state: OperationState; epoch: number }

/** The gateway's record of a reference. An approved charge that is not voided is live: it moves money. */
export type GatewayRecord = { reference: Reference; state: 'approved' | 'declined' | 'voided' }

export type GatewayResponse = 'approved' | 'declined'

/** A message in either direction. A submitter sends once, so a reference has at most one message in flight. */
export type Message = { reference: Reference; content: 'request' | GatewayResponse }

/** A request handler: one of two tabs, or of two workers, that charge the same owner. */
export type Submitter = {
  reference: Reference
  at: 'arrived' | 'read unpaid' | 'sending' | 'waiting' | 'answered' | 'timed out' | 'gone'
  /** `false` when it was refused before an operation was inserted. */
  admitted: boolean
  response: GatewayResponse | null
}

/** Recovery, with the epoch of its claim. */
export type Recovery =
  | { at: 'idle' }
  | { at: 'asking'; reference: Reference; epoch: number }
  | { at: 'writing'; reference: Reference; epoch: number; verdict: Verdict }

export type Verdict = 'APPROVED' | 'DECLINED' | 'NOT_CHARGED'

/** The complete state. States are immutable and share equal parts. */
export type State = {
  paid: boolean
  /** In the order of insertion. */
  operations: readonly Operation[]
  /** In the order of first arrival. */
  ledger: readonly GatewayRecord[]
  network: readonly Message[]
  submitters: readonly Submitter[]
  recovery: Recovery
  crashes: number
  gatewayFaults: number
}

export type Step = StepOf<State>

// The bounds make the model finite. A submitter owns epoch 1, so four epochs allow three claims by recovery.
export const CRASHES_MAX = 2
export const GATEWAY_FAULTS_MAX = 1
export const EPOCH_MAX = 4

export const IDLE: Recovery = { at: 'idle' }

export const INITIAL_STATE: State = {
  paid: false,
  operations: [],
  ledger: [],
  network: [],
  submitters: [
    { reference: 'A', at: 'arrived', admitted: false, response: null },
    { reference: 'B', at: 'arrived', admitted: false, response: null },
  ],
  recovery: IDLE,
  crashes: 0,
  gatewayFaults: 0,
}

export function isOpen(operation: Operation): boolean {
  return operation.state === 'SENT' || operation.state === 'IN_DOUBT'
}

/** The row of a reference. */
export function rowOf<Row extends { reference: Reference }>(rows: readonly Row[], reference: Reference) {
  for (const row of rows) if (row.reference === reference) return row
  return undefined
}

/** The rows with one replaced in place, or appended. */
export function withRow<Row extends { reference: Reference }>(rows: readonly Row[], row: Row): readonly Row[] {
  const replaced = rows.map((old) => (old.reference === row.reference ? row : old))
  return replaced.includes(row) ? replaced : [...rows, row]
}

export function withoutRow<Row extends { reference: Reference }>(rows: readonly Row[], row: Row): readonly Row[] {
  return rows.filter((old) => old !== row)
}
