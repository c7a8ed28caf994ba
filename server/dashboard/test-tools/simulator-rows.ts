import type { SimulatorRow } from '../../../contract/dashboard/test-tools-api.ts'
import { findTerminals } from '../../businesses/terminal-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { LedgerRowView } from '../../gateway/simulator/ledger-row.ts'

export type ReadLedger = (filter: { terminal: string }) => Promise<LedgerRowView[]>

const ROWS_MAX = 100

/** Returns what the simulator has recorded for the terminals of a business, newest first. */
export async function rowsOfBusiness(db: Db, read: ReadLedger, businessId: string): Promise<SimulatorRow[]> {
  const terminals = await findTerminals(db, [businessId])
  const codes = new Set(terminals.filter(({ gateway }) => gateway === 'simulator').map((one) => one.merchantCode))
  const rows = await Promise.all([...codes].map((terminal) => read({ terminal })))
  return rows
    .flat()
    .sort((a, b) => b.seq - a.seq)
    .slice(0, ROWS_MAX)
    .map(simulatorRow)
}

const simulatorRow = (row: LedgerRowView): SimulatorRow => ({
  seq: row.seq,
  op: row.op,
  terminal: row.terminal,
  merchant_ref: row.merchantRef,
  currency: row.currency,
  amount: row.amount,
  approved_amount: row.approvedAmount,
  outcome: row.outcome,
  state: row.state,
  last4: row.card?.last4 ?? null,
  delivered: row.delivered,
  recorded: row.recorded,
  at: row.decidedAt,
})
