import { BEHAVIOURS, type Delivery } from './behaviours.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Parts, Reply } from './record.ts'
import type { InquireBody, InquiryResponse, ScriptedOutcome, TransactionState } from './wire.ts'

/** Returns the state of a transaction; that of the first one if the reference was recorded twice. */
export function inquire({ ledger, script }: Parts, terminal: string, { merchantRef }: InquireBody): Reply {
  const arranged = script.take({ op: 'inquire', terminal, merchantRef })
  const row = ledger.recorded(terminal, merchantRef)
  const isHidden = arranged?.outcome === 'not_found' || (row?.hiddenUntil ?? 0) > script.now()
  return {
    response: responseFor(ledger, isHidden ? undefined : row, arranged),
    delivery: deliveryOf(arranged),
    waitMs: script.latencyMs(),
  }
}

function responseFor(
  ledger: Ledger,
  row: LedgerRow | undefined,
  arranged: ScriptedOutcome | undefined,
): InquiryResponse {
  if (arranged?.outcome === 'indeterminate') return { found: 'indeterminate', message: 'TRY AGAIN LATER' }
  return row ? { found: true, transaction: transactionOf(ledger, row) } : { found: false }
}

export function deliveryOf(arranged: ScriptedOutcome | undefined): Delivery {
  if (arranged?.raw) return arranged.raw
  const name = arranged?.outcome
  return name && name in BEHAVIOURS ? BEHAVIOURS[name as keyof typeof BEHAVIOURS].delivery : 'response'
}

function transactionOf(ledger: Ledger, row: LedgerRow): TransactionState {
  const {
    code = '',
    gatewayRef = '',
    issuerReference = '',
    approvedAmount,
    message,
    networkTransactionId,
    advice,
  } = row
  const batchOpen = ledger.isBatchOpen(row)
  const { batch = '' } = row
  const state = stateOf(ledger, row)
  const shared = { state, code, gatewayRef, issuerReference, approvedAmount, batchOpen, batch, message }
  return { ...shared, networkTransactionId, advice }
}

export function stateOf(ledger: Ledger, row: LedgerRow): TransactionState['state'] {
  const state = ledger.state(row)
  if (state === 'voided' || state === 'refunded' || state === 'declined') return state
  return row.outcome === 'partial' ? 'partial' : 'approved'
}
