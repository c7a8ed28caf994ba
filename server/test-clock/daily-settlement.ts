import { findBusiness } from '../businesses/business-queries.ts'
import { addSeconds } from '../lib/clock.ts'
import { lastClose } from '../payments/batches/daily-close.ts'
import { settleDueBatches } from '../payments/batches/settle-due-batches.ts'
import type { SendingServices } from '../payments/services.ts'
import type { DueWork } from './due-work.ts'

const DAY_SECONDS = 86_400

/** Daily close of the open batches, for a business that has one (REF-17). */
export function dailySettlement(services: SendingServices): DueWork {
  return {
    async nextAt(businessId, after) {
      const business = await findBusiness(services.db, businessId)
      if (!business || business.batchCloseTime === null) return null
      const closeBefore = (at: Date) => lastClose(business.batchCloseTime ?? '', business.timeZone, at)
      const close = closeBefore(addSeconds(after, DAY_SECONDS))
      // A day of 23 hours may contain two closes.
      const earlier = closeBefore(addSeconds(close, -1))
      return [earlier, close].find((at) => at > after) ?? null
    },
    async run(businessId) {
      await settleDueBatches(services, { businessId })
      return {}
    },
  }
}
