import type { CatalogFigures } from '../../../contract/dashboard/catalog-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import { addDays, dayOf, instantOf } from '../../subscriptions/plan/calendar.ts'
import { type PriceFigures, readPriceFigures } from './catalog-queries.ts'

const DAYS = 30
const PRICES_MAX = 1_000
/** The figures read every active subscription of the business: not for each look at the list. */
const KEPT_MS = 60_000

interface Counted {
  atMs: number
  offset: number
  figures: Promise<Omit<CatalogFigures, 'prices'> & { rows: PriceFigures[] }>
}

/** @param productIds `null`: of all products */
export type ReadCatalogFigures = (business: Business, productIds: readonly string[] | null) => Promise<CatalogFigures>

/** Figures of a business are counted at most once a minute by each process, and anew when its test clock was moved. */
export function createCatalogFigures({ db, clock }: { db: Db; clock: Clock }): ReadCatalogFigures {
  const kept = createBoundedMap<Counted>()
  return async (business, productIds) => {
    const { rows, ...counted } = await current(business)
    const asked = productIds && new Set(productIds)
    const prices = rows
      .filter(({ productId }) => asked === null || asked.has(productId))
      .slice(0, PRICES_MAX)
      .map(({ priceId, productId, activeSubscriptions, volume }) => {
        return { price: priceId, product: productId, active_subscriptions: activeSubscriptions, volume }
      })
    return { ...counted, prices }
  }

  function current(business: Business): Counted['figures'] {
    const [known, atMs] = [kept.get(business.id), clock.monotonicMs()]
    const offset = business.clockOffsetSeconds
    if (known && atMs - known.atMs < KEPT_MS && known.offset === offset) return known.figures
    const figures = count(business)
    kept.set(business.id, { atMs, offset, figures })
    figures.catch(() => kept.delete(business.id))
    return figures
  }

  async function count(business: Business) {
    const now = businessNow(clock, business)
    const since = addDays(dayOf(now, business.timeZone), -DAYS + 1)
    const begins = instantOf(since, business.timeZone)
    const sinceReal = new Date(begins.getTime() - business.clockOffsetSeconds * 1_000)
    const rows = await boundedRead(db, (tx) => readPriceFigures(tx, business.id, { since: begins, sinceReal }))
    return { object: 'catalog_figures' as const, counted_at: epochSeconds(now), since, rows }
  }
}
