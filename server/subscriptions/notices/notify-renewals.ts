import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { recordNotifications } from '../../events/notification-queries.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { findSubscriptionsOfAll } from '../subscription-queries.ts'
import { DAY_SECONDS, FIRST_ID, LAST_ID, renewalDay, renewalNotice } from './notice.ts'
import { listDueBetween, listNotifying, lockProgress, saveProgress } from './notice-queries.ts'

export interface NoticeServices {
  db: Db
  clock: Clock
}

const PAGE = 200

/**
 * Records notices of the bills that are due in the number of days that the business has set. A bill scheduled on
 * shorter notice gets none: the e-mail about the change that scheduled it names the day.
 *
 * @returns how many notices were recorded
 * @see LTR-18
 */
export async function notifyRenewals(services: NoticeServices, businessId?: string): Promise<number> {
  let recorded = 0
  for (const { id, days } of await listNotifying(services.db, businessId)) {
    const business = await findBusiness(services.db, id)
    if (!business) continue
    const now = businessNow(services.clock, business)
    const window = { businessId: id, now, until: addSeconds(now, days * DAY_SECONDS) }
    for (let page = await notifyPage(services, window); page !== null; page = await notifyPage(services, window))
      recorded += page
  }
  return recorded
}

interface Window {
  businessId: string
  /** Current time of the business, like `until` in the business's time. */
  now: Date
  until: Date
}

/** @returns the number of notices; `null` if no subscription is left to look at */
function notifyPage({ db }: NoticeServices, window: Window): Promise<number | null> {
  return transaction(db, async (tx) => {
    const { businessId, now, until } = window
    const progress = await lockProgress(tx, businessId)
    // A cursor that is not ahead of the current time is not used: either this is the first run, or none ran for a
    // while.
    const isAhead = progress.renewals !== null && progress.renewals.until > now
    const from = isAhead && progress.renewals ? progress.renewals : { until: now, afterId: FIRST_ID }
    const due = await listDueBetween(tx, businessId, { from, until, limit: PAGE })
    const last = due.at(-1)
    if (!last) {
      // The next run begins where this one ended. If the business now sets fewer days, nothing is due for a while.
      if (from.until < until) await saveProgress(tx, businessId, { ...progress, renewals: { until, afterId: LAST_ID } })
      return null
    }
    const recorded = await recordRenewals(tx, window, due)
    await saveProgress(tx, businessId, { ...progress, renewals: { until: last.dueAt, afterId: last.id } })
    return recorded
  })
}

async function recordRenewals(
  tx: Tx,
  { businessId, now }: Window,
  due: { businessId: string; id: string }[],
): Promise<number> {
  const notices = (await findSubscriptionsOfAll(tx, due)).flatMap((loaded) => {
    const day = renewalDay(loaded)
    return day === null ? [] : [renewalNotice(loaded.subscription, day, now)]
  })
  return recordNotifications(tx, businessId, notices)
}
