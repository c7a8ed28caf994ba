import type { BillServices } from '../subscriptions/bills/bill-charge.ts'
import { runDue } from '../subscriptions/bills/run-due-bills.ts'
import { countChargedBills, findNextSubscriptionDueAt } from './due-queries.ts'
import type { DueWork } from './due-work.ts'

/** Work of bills, retries, and pauses and cancellations at the end of a period. */
export function billing(services: BillServices): DueWork {
  const { db } = services
  return {
    nextAt: (businessId, after) => findNextSubscriptionDueAt(db, businessId, after),
    async run(businessId) {
      const { bills, approved, declined } = await runDue(services, { businessId })
      return { bills, approved, declined }
    },
    countWaiting: (businessId) => countChargedBills(db, businessId),
  }
}
