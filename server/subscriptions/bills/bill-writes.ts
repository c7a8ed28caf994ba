import type { Db } from '../../db/connection.ts'
import { groupedWrites } from '../../db/grouped-writes.ts'
import {
  beginBill,
  beginBills,
  recordPaidBill,
  recordPaidBills,
  type UsualBegin,
  type UsualPaid,
  type Written,
} from './bill-charge-queries.ts'
import { fulfilledBill, openedBill } from './usual-bill-queries.ts'

/** Writers of the usual steps of a bill's charge: the intent and the approval. */
export interface BillWrites {
  begin: typeof beginBill
  paid: typeof recordPaidBill
}

export const WRITTEN_ALONE: BillWrites = { begin: beginBill, paid: recordPaidBill }

/**
 * Writes the intents of several bills in one commit, and likewise their approvals. A charge continues only when its
 * commit is durable, so the order that PAY-1 requires holds for each of them.
 *
 * @see BIL-32
 */
export function groupedBillWrites(): BillWrites {
  const begins = byBusiness((db) =>
    groupedWrites<UsualBegin, boolean>({
      async together(rows) {
        const written = await beginBills(db, rows)
        return rows.map(({ sale }) => written.has(sale.id) || undefined)
      },
      alone: ({ change, sale }) => beginBill(db, change, sale),
    }),
  )
  const approvals = byBusiness((db) =>
    groupedWrites<UsualPaid, Written>({
      async together(rows) {
        const written = await recordPaidBills(db, rows)
        return rows.map(({ outcome }) => (written.has(outcome.operationId) ? 'written' : undefined))
      },
      alone: ({ record, outcome }) => recordPaidBill(db, record, outcome),
    }),
  )
  return {
    async begin(db, change, sale) {
      const opened = openedBill(change)
      return opened ? begins(db, sale.businessId)({ change, opened, sale }) : beginBill(db, change, sale)
    },
    async paid(db, record, outcome) {
      const fulfilled = fulfilledBill(record.change)
      if (fulfilled === null) return recordPaidBill(db, record, outcome)
      return approvals(db, outcome.businessId)({ record, outcome, fulfilled })
    },
  }
}

/** Keeps one group per business: each statement covers one business, whose rows are stored close together. */
function byBusiness<Group>(open: (db: Db) => Group): (db: Db, businessId: string) => Group {
  const groups = new Map<string, Group>()
  return (db, businessId) => {
    const group = groups.get(businessId) ?? open(db)
    groups.set(businessId, group)
    return group
  }
}
