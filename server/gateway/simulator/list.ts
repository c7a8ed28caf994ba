import { deliveryOf, stateOf } from './inquire.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerRow } from './ledger-row.ts'
import type { Parts, Reply } from './record.ts'
import type { ListBody, ListResponse, TransactionView } from './wire.ts'

const PAGE = 100

/** Returns a page of a terminal's sales and refunds in the order of their decisions, except those hidden for now. */
export function list({ ledger, script }: Parts, terminal: string, body: ListBody): Reply {
  const arranged = script.take({ op: 'list', terminal, merchantRef: '' })
  const isListed = (row: LedgerRow) =>
    row.terminal === terminal && isTransaction(row, body) && (row.hiddenUntil ?? 0) <= script.now()
  const response: ListResponse =
    arranged?.outcome === 'indeterminate' ? { error: 'TRY AGAIN LATER' } : pageOf(ledger, isListed, body)
  return { response, delivery: deliveryOf(arranged), waitMs: script.latencyMs() }
}

function isTransaction({ op, recorded, currency, gatewayRef, decidedAt }: LedgerRow, body: ListBody): boolean {
  const isMoney = (op === 'sale' || op === 'refund') && recorded && gatewayRef !== undefined
  return isMoney && currency === body.currency && decidedAt >= body.from && decidedAt < body.until
}

function pageOf(
  ledger: Ledger,
  isListed: (row: LedgerRow) => boolean,
  { after = '0', limit = PAGE, until }: ListBody,
): ListResponse {
  const transactions: TransactionView[] = []
  // `seq` counts from 1, so the row after number n is at index n.
  for (let index = Number(after); index < ledger.rows.length; index++) {
    const row = ledger.rows[index]
    if (!row || row.decidedAt >= until) break
    if (!isListed(row)) continue
    if (transactions.length === limit) return { transactions, next: String(index) }
    transactions.push(viewOf(ledger, row))
  }
  return { transactions, next: null }
}

function viewOf(ledger: Ledger, row: LedgerRow): TransactionView {
  const { op, merchantRef, gatewayRef = '', approvedAmount, currency, decidedAt } = row
  const kind = op === 'refund' ? 'refund' : 'sale'
  return { kind, merchantRef, gatewayRef, state: stateOf(ledger, row), approvedAmount, currency, at: decidedAt }
}
