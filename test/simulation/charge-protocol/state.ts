import type { Step as StepOf } from '../explore.ts'

/** Each submitter makes one attempt under its own reference. */
export type Reference = 'A' | 'B'

type OperationState =
  | 'SENT'
  | 'IN_DOUBT'
  | 'REVERSING'
  | 'APPROVED'
  | 'DECLINED'
  | 'NOT_CHARGED'
  | 'REVERSED'
  | 'FAILED'

/** A row of our database. */
export type Operation = { reference: Reference; state: OperationState; epoch: number }

/** The gateway's record of a reference. A full or partial approval that is not voided is live: it moves money. */
export type GatewayRecord = { reference: Reference; state: GatewayResponse | 'voided' }

export type GatewayResponse = 'approved' | 'partial' | 'declined'

/** A message in either direction. A submitter sends once, so a reference has at most one message in flight. */
export type Message = { reference: Reference; content: 'request' | GatewayResponse }

/** A request handler: one of two tabs, or of two workers, that charge the same owner. */
export type Submitter = {
  reference: Reference
  at:
    | 'arrived'
    | 'read unpaid'
    | 'sending'
    | 'waiting'
    | 'answered'
    | 'timed out'
    /** The caller has its response; the socket is still open. */
    | 'listening'
    | 'late'
    | 'gone'
  /** `false` when it was refused before an operation was inserted. */
  admitted: boolean
  response: GatewayResponse | null
}

/** A worker of recovery, with the epoch of its claim. */
export type Recovery =
  | { at: 'idle' }
  | { at: 'asking' | 'reversing'; reference: Reference; epoch: number }
  | { at: 'writing'; reference: Reference; epoch: number; verdict: Verdict }

export type Verdict = 'APPROVED' | 'DECLINED' | 'NOT_CHARGED' | 'REVERSING' | 'REVERSED'

/** The complete state. States are immutable and share equal parts. */
export type State = {
  /** How often a payment was recorded. */
  payments: number
  /** Operations in the order of insertion. */
  operations: readonly Operation[]
  /** Records of the gateway in the order of first arrival. */
  ledger: readonly GatewayRecord[]
  network: readonly Message[]
  submitters: readonly Submitter[]
  recoveries: readonly Recovery[]
  crashes: number
  gatewayFaults: number
}

export type Step = StepOf<State>

// The bounds make the model finite. A submitter owns epoch 1, so four epochs allow three claims by recovery.
export const CRASHES_MAX = 2
export const GATEWAY_FAULTS_MAX = 1
export const EPOCH_MAX = 4

export const IDLE: Recovery = { at: 'idle' }

const arrived = (reference: Reference): Submitter => ({ reference, at: 'arrived', admitted: false, response: null })

export function initialState({ workers }: { workers: number }): State {
  return {
    payments: 0,
    operations: [],
    ledger: [],
    network: [],
    submitters: [arrived('A'), arrived('B')],
    recoveries: Array.from({ length: workers }, () => IDLE),
    crashes: 0,
    gatewayFaults: 0,
  }
}

/** Whether nobody has decided the outcome yet. */
export const isOpen = ({ state }: Operation): boolean => state === 'SENT' || state === 'IN_DOUBT'

/** Whether something is left to do. */
export const isUnfinished = (operation: Operation): boolean => isOpen(operation) || operation.state === 'REVERSING'

/** Returns the row of a reference. */
export function rowOf<Row extends { reference: Reference }>(rows: readonly Row[], reference: Reference) {
  for (const row of rows) if (row.reference === reference) return row
  return undefined
}

/** Returns the rows with one replaced in place, or appended. */
export function withRow<Row extends { reference: Reference }>(rows: readonly Row[], row: Row): readonly Row[] {
  const at = rows.findIndex((old) => old.reference === row.reference)
  return at < 0 ? [...rows, row] : rows.with(at, row)
}

export function withoutRow<Row extends { reference: Reference }>(rows: readonly Row[], row: Row): readonly Row[] {
  return rows.filter((old) => old !== row)
}
