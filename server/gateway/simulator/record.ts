import type { Behaviour, Delivery, Verdict } from './behaviours.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Script } from './script.ts'
import type {
  BatchResponse,
  GatewaySettleResponse,
  InquiryResponse,
  ListResponse,
  SettleResponse,
  TransactionResponse,
} from './wire.ts'

export interface Parts {
  ledger: Ledger
  script: Script
  /** Factor for the waits of the behaviours (20 s, 60 s), so that tests are fast. */
  timeScale: number
}

type AnyResponse =
  | TransactionResponse
  | InquiryResponse
  | ListResponse
  | BatchResponse
  | GatewaySettleResponse
  | SettleResponse

/** A response, how it is delivered, and after what delay. */
export interface Reply<Response = AnyResponse> {
  response: Response
  delivery: Delivery
  waitMs: number
  row?: LedgerRow
}

/** The fields of a request that the ledger stores. */
export type Intent = Pick<LedgerRow, 'op' | 'terminal' | 'currency' | 'merchantRef' | 'amount'> &
  Partial<
    Pick<
      LedgerRow,
      | 'card'
      | 'cvvPresent'
      | 'storedCredential'
      | 'threeDs'
      | 'wallet'
      | 'proofHash'
      | 'originalGatewayRef'
      | 'warnings'
    >
  >

/** Records the decision in the ledger and returns the response. */
export function record(parts: Parts, intent: Intent, behaviour: Behaviour): Reply<TransactionResponse> {
  const row = append(parts, intent, behaviour)
  if (behaviour.records === 'twice') append(parts, intent, behaviour)
  return {
    response: { ...responseOf(row), ...behaviour.misreports },
    delivery: behaviour.delivery,
    waitMs: (behaviour.responseAfterMs ?? 0) * parts.timeScale + parts.script.latencyMs(),
    row,
  }
}

/** Refuses the request. The ledger stores a row with `recorded: false`. */
export function refuse(
  parts: Parts,
  intent: Intent,
  reason: NonNullable<TransactionResponse['reason']>,
  message: string,
): Reply<TransactionResponse> {
  const reply = record(parts, intent, {
    verdict: { outcome: 'refused', message },
    records: 'nothing',
    delivery: 'response',
  })
  return { ...reply, response: { outcome: 'refused', reason, message } }
}

function append({ ledger, script, timeScale }: Parts, intent: Intent, behaviour: Behaviour): LedgerRow {
  const { sharePercent: _, ...decision } = behaviour.verdict
  const now = script.now()
  const recorded = behaviour.records !== 'nothing'
  const row: LedgerRow = {
    seq: ledger.nextSeq,
    ...intent,
    ...decision,
    receivedAt: now,
    decidedAt: now,
    delivered: 'no',
    recorded,
    approvedAmount: recorded ? approvedAmount(intent.amount, behaviour.verdict) : 0,
  }
  if (recorded) assignReferences(row, ledger)
  if (behaviour.hiddenForMs) row.hiddenUntil = now + behaviour.hiddenForMs * timeScale
  ledger.append(row)
  return row
}

/** Returns the approved share of an amount, at least one cent: no sale is approved for 0. */
function approvedAmount(amount: number, { outcome, sharePercent = 100 }: Verdict): number {
  if (outcome !== 'approved' && outcome !== 'partial') return 0
  return Math.min(amount, Math.max(1, Math.floor((amount * sharePercent) / 100)))
}

function assignReferences(row: LedgerRow, ledger: Ledger): void {
  row.gatewayRef = ledger.gatewayRefOf(row.seq)
  if (row.op !== 'verify') row.batch = ledger.batchFor(row.terminal, row.currency)
  if (row.outcome === 'declined') return
  row.issuerReference = `A${String(row.seq % 100_000).padStart(5, '0')}`
  if (row.op === 'sale' || row.op === 'verify') row.networkTransactionId = `NTI-${row.gatewayRef}`
}

function responseOf(row: LedgerRow): TransactionResponse {
  const { outcome, code, issuerCode, advice, message, gatewayRef, issuerReference, networkTransactionId } = row
  return {
    outcome,
    code,
    issuerCode,
    advice,
    message,
    gatewayRef,
    issuerReference,
    networkTransactionId,
    requestedAmount: row.amount,
    approvedAmount: row.approvedAmount,
  }
}
