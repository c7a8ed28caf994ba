import { openPool } from './pool.ts'

/** A row of `operation`. */
export interface OperationRow {
  id: string
  kind: 'sale' | 'reversal_void' | 'reversal_refund' | 'void' | 'refund'
  state: string
  epoch: number
  merchant_ref: string
  /** Only for a payment on a session. */
  session_id: string | null
  parent_id: string | null
  amount: number
  code: string | null
  gateway_ref: string | null
  counts_as_attempt: boolean
  terminal: string
}

export interface MoneyRows extends AsyncDisposable {
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Returns operations in the order of sending. */
  operations(kind?: OperationRow['kind']): Promise<OperationRow[]>
  /** Counts open operations, and sales that are not reversed yet. */
  countOpen(): Promise<number>
  /** Changes the state of operations, with the columns that depend on it. */
  setState(state: string, merchantRef?: string): Promise<void>
  /** Returns the only session of a test. */
  session(): Promise<{ id: string; status: string; attempt_count: number }>
  /** Returns the event types, oldest first. */
  events(): Promise<string[]>
}

/** Reads the database of a test directly, and writes to it to simulate a fault. */
export function moneyRows(databaseUrl: string): MoneyRows {
  const pool = openPool(databaseUrl, 2)
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows
  return {
    query,
    async operations(kind) {
      const rows = await query<OperationRow & { amount: string }>(
        `select o.*, t.merchant_code as terminal, case when o.owner_kind = 'session' then o.owner_id end as session_id from operation o
           join terminal t on t.business_id = o.business_id and t.id = o.terminal_id
         where $1::text is null or o.kind::text = $1 order by o.id`,
        [kind ?? null],
      )
      return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
    },
    async countOpen() {
      const [row] = await query<{ open: number }>(
        "select count(*)::int as open from operation where state in ('SENT', 'IN_DOUBT', 'REVERSING')",
      )
      return row?.open ?? 0
    },
    async setState(state, merchantRef) {
      await query(
        `update operation set state = $1::operation_state, lost = $1::operation_state >= 'DECLINED',
           lost_code = case when $1::operation_state >= 'DECLINED' then code end, open_reversal_of = null,
           open_card_sale = null, next_inquiry_at = case when $1 = 'IN_DOUBT' then sent_at end,
           written_off_at = case when $1 in ('NOT_CHARGED', 'NOT_SENT') then sent_at end,
           declined_at = case when $1 = 'DECLINED' then sent_at end
         where $2::text is null or merchant_ref = $2`,
        [state, merchantRef ?? null],
      )
    },
    async session() {
      const rows = await query<Awaited<ReturnType<MoneyRows['session']>>>('select * from checkout_session')
      const [row] = rows
      if (!row || rows.length > 1) throw new Error(`There are ${rows.length} sessions`)
      return row
    },
    async events() {
      return (await query<{ type: string }>('select type from event order by object_id, sequence')).map(
        ({ type }) => type,
      )
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
