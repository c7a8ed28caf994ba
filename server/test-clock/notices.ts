import { findBusiness } from '../businesses/business-queries.ts'
import { addSeconds } from '../lib/clock.ts'
import { DAY_SECONDS, monthAfter } from '../subscriptions/notices/notice.ts'
import { findNextDueAfter, listNotifying } from '../subscriptions/notices/notice-queries.ts'
import { notifyExpiringCards } from '../subscriptions/notices/notify-expiring-cards.ts'
import { type NoticeServices, notifyRenewals } from '../subscriptions/notices/notify-renewals.ts'
import { type Day, dayOf, instantOf } from '../subscriptions/plan/calendar.ts'
import type { DueWork } from './due-work.ts'

/** Notices of upcoming bills (LTR-18). */
export function renewalNotices(services: NoticeServices): DueWork {
  return {
    async nextAt(businessId, after) {
      const [notifying] = await listNotifying(services.db, businessId)
      if (!notifying) return null
      const ahead = notifying.days * DAY_SECONDS
      const dueAt = await findNextDueAfter(services.db, businessId, addSeconds(after, ahead))
      return dueAt && addSeconds(dueAt, -ahead)
    },
    async run(businessId) {
      await notifyRenewals(services, businessId)
      return {}
    },
  }
}

/** Notices of cards that expire next month (LTR-19). */
export function cardNotices(services: NoticeServices): DueWork {
  return {
    async nextAt(businessId, after) {
      const business = await findBusiness(services.db, businessId)
      if (!business) return null
      const { text } = monthAfter(dayOf(after, business.timeZone))
      return instantOf(`${text}-01` as Day, business.timeZone)
    },
    async run(businessId) {
      await notifyExpiringCards(services, businessId)
      return {}
    },
  }
}
