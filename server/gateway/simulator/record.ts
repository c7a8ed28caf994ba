import type { Behaviour, Delivery, Verdict } from './behaviours.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Script } from './script.ts'
import type { InquiryAnswer, ListAnswer, MovementAnswer, SettleAnswer } from './wire.ts'

export interface Parts {
  ledger: Ledger
  script: Script
  /** Multiplies the waits of the behaviours (20 s, 60 s), so that a test need not sit through them. */
  timeScale: number
}

/** What is to be answered, how, and after how long. */
export interface Reply<Answer = MovementAnswer | InquiryAnswer | ListAnswer | SettleAnswer> {
  answer: Answer
  delivery: Delivery
  waitMs: number
  row?: LedgerRow
}

/** What was asked, as far as it is kept. */
export type Wish = Pick<LedgerRow, 'op' | 'terminal' | 'currency' | 'merchantRef' | 'amount'> &
  Partial<Pick<LedgerRow, 'card' | 'cvvPresent' | 'storedCredential' | 'originalGatewayRef' | 'warnings'>>

/** Writes the decision to the ledger and words the answer. */
export function book(parts: Parts, wish: Wish, behaviour: Behaviour): Reply<MovementAnswer> {
  const row = append(parts, wish, behaviour)
  if (behaviour.books === 'twice') append(parts, wish, behaviour)
  return {
    answer: { ...answerOf(row), ...behaviour.misreports },
    delivery: behaviour.delivery,
    waitMs: (behaviour.answerAfterMs ?? 0) * parts.timeScale + parts.script.latencyMs(),
    row,
  }
}

/** Nothing is booked, but the ledger has seen it. */
export function refuse(
  parts: Parts,
  wish: Wish,
  reason: NonNullable<MovementAnswer['reason']>,
  message: string,
): Reply<MovementAnswer> {
  const reply = book(parts, wish, { verdict: { outcome: 'refused', message }, books: 'nothing', delivery: 'answer' })
  return { ...reply, answer: { outcome: 'refused', reason, message } }
}

function append({ ledger, script, timeScale }: Parts, wish: Wish, behaviour: Behaviour): LedgerRow {
  const { sharePercent: _, ...decision } = behaviour.verdict
  const now = script.now()
  const booked = behaviour.books !== 'nothing'
  const row: LedgerRow = {
    seq: ledger.nextSeq,
    ...wish,
    ...decision,
    receivedAt: now,
    decidedAt: now,
    delivered: 'no',
    booked,
    approvedAmount: booked ? approvedAmount(wish.amount, behaviour.verdict) : 0,
  }
  if (booked) name(row, ledger)
  if (behaviour.hiddenForMs) row.hiddenUntil = now + behaviour.hiddenForMs * timeScale
  ledger.append(row)
  return row
}

function approvedAmount(amount: number, { outcome, sharePercent = 100 }: Verdict): number {
  return outcome === 'approved' || outcome === 'partial' ? Math.floor((amount * sharePercent) / 100) : 0
}

function name(row: LedgerRow, ledger: Ledger): void {
  row.gatewayRef = ledger.gatewayRefOf(row.seq)
  row.batch = ledger.batchFor(row.terminal, row.currency)
  if (row.outcome === 'declined') return
  row.issuerReference = `A${String(row.seq % 100_000).padStart(5, '0')}`
  if (row.op === 'sale') row.networkTransactionId = `NTI-${row.gatewayRef}`
}

function answerOf(row: LedgerRow): MovementAnswer {
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
