import { BEHAVIOURS, type Delivery } from './behaviours.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Parts, Reply } from './record.ts'
import type { InquireBody, InquiryAnswer, MovementState, ScriptedOutcome } from './wire.ts'

/** What became of a movement; the first one when a reference was booked twice. */
export function inquire({ ledger, script }: Parts, terminal: string, { merchantRef }: InquireBody): Reply {
  const arranged = script.take({ op: 'inquire', terminal, merchantRef })
  const row = ledger.booked(terminal, merchantRef)
  const isHidden = arranged?.outcome === 'not_found' || (row?.hiddenUntil ?? 0) > script.now()
  return {
    answer: answerFor(ledger, isHidden ? undefined : row, arranged),
    delivery: deliveryOf(arranged),
    waitMs: script.latencyMs(),
  }
}

function answerFor(ledger: Ledger, row: LedgerRow | undefined, arranged: ScriptedOutcome | undefined): InquiryAnswer {
  if (arranged?.outcome === 'indeterminate') return { found: 'indeterminate', message: 'TRY AGAIN LATER' }
  return row ? { found: true, movement: movementOf(ledger, row) } : { found: false }
}

export function deliveryOf(arranged: ScriptedOutcome | undefined): Delivery {
  if (arranged?.raw) return arranged.raw
  const name = arranged?.outcome
  return name && name in BEHAVIOURS ? BEHAVIOURS[name as keyof typeof BEHAVIOURS].delivery : 'answer'
}

function movementOf(ledger: Ledger, row: LedgerRow): MovementState {
  const { code = '', gatewayRef = '', issuerReference = '', approvedAmount, message, networkTransactionId } = row
  const batchOpen = ledger.isBatchOpen(row)
  const state = stateOf(ledger, row)
  return { state, code, gatewayRef, issuerReference, approvedAmount, batchOpen, message, networkTransactionId }
}

export function stateOf(ledger: Ledger, row: LedgerRow): MovementState['state'] {
  const state = ledger.state(row)
  if (state === 'voided' || state === 'refunded' || state === 'declined') return state
  return row.outcome === 'partial' ? 'partial' : 'approved'
}
