import { type Business, businessNow } from '../../businesses/business.ts'
import { findBusiness, listBusinesses } from '../../businesses/business-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { recordNotifications } from '../../events/notification-queries.ts'
import { dayOf } from '../plan/calendar.ts'
import { cardNotice, FIRST_ID, monthAfter } from './notice.ts'
import { listCardMonths, listExpiringCards, lockProgress, saveProgress } from './notice-queries.ts'
import type { NoticeServices } from './notify-renewals.ts'

const PAGE = 5_000

/**
 * Records, when a month of the business begins, a notice for each card in use that expires in the next month. Once a
 * month it walks through the cards of the business in key order: an index on the expiry would slow down every payment.
 *
 * @returns how many notices were recorded
 * @see LTR-19
 */
export async function notifyExpiringCards(services: NoticeServices, businessId?: string): Promise<number> {
  const { db, clock } = services
  const one = businessId === undefined ? null : await findBusiness(db, businessId)
  const businesses = businessId === undefined ? await listBusinesses(db) : one ? [one] : []
  const finished = await listCardMonths(db)
  let recorded = 0
  for (const business of businesses) {
    const now = businessNow(clock, business)
    if (finished.get(business.id) === monthAfter(dayOf(now, business.timeZone)).text) continue
    for (let page = await notifyPage(services, business, now); page !== null; ) {
      recorded += page
      page = await notifyPage(services, business, now)
    }
  }
  return recorded
}

/** @returns the number of notices; `null` if no card of the month is left */
function notifyPage({ db }: NoticeServices, { id: businessId, timeZone }: Business, now: Date): Promise<number | null> {
  return transaction(db, async (tx) => {
    const progress = await lockProgress(tx, businessId)
    const { month, year, text } = monthAfter(dayOf(now, timeZone))
    const isBegun = progress.cards?.month === text
    if (isBegun && progress.cards?.afterId === null) return null
    const afterId = (isBegun ? progress.cards?.afterId : null) ?? FIRST_ID
    const { cards, lastId } = await listExpiringCards(tx, businessId, { month, year, afterId, pageSize: PAGE })
    const notices = cards.map((card) => cardNotice(businessId, card, now))
    const recorded = await recordNotifications(tx, businessId, notices)
    await saveProgress(tx, businessId, { ...progress, cards: { month: text, afterId: lastId } })
    return recorded
  })
}
