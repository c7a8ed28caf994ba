import type { CatalogFigures } from '../../../contract/dashboard/catalog-api.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock, epochSeconds } from '../../lib/clock.ts'
import { addDays, dayOf, instantOf } from '../../subscriptions/plan/calendar.ts'
import { createCostlyFigures } from '../costly-figures.ts'
import { type PriceFigures, readPriceFigures } from './catalog-queries.ts'

const DAYS = 30
const PRICES_MAX = 1_000
const KEPT_MS = 60_000

type Counted = Omit<CatalogFigures, 'prices'> & { rows: PriceFigures[] }

/** @param productIds `null` for all products */
export type ReadCatalogFigures = (business: Business, productIds: readonly string[] | null) => Promise<CatalogFigures>

/** Creates the reader of a business's figures. Moving its test clock makes them be counted anew. */
export function createCatalogFigures({ db, clock }: { db: Db; clock: Clock }): ReadCatalogFigures {
  const figures = createCostlyFigures<Counted>(clock, KEPT_MS)
  return async (business, productIds) => {
    const key = `${business.id} ${business.clockOffsetSeconds}`
    const { rows, ...counted } = await figures(key, () => count(business))
    const asked = productIds && new Set(productIds)
    const prices = rows
      .filter(({ productId }) => asked === null || asked.has(productId))
      .slice(0, PRICES_MAX)
      .map(({ priceId, productId, activeSubscriptions, volume }) => {
        return { price: priceId, product: productId, active_subscriptions: activeSubscriptions, volume }
      })
    return { ...counted, prices }
  }

  async function count(business: Business): Promise<Counted> {
    const now = businessNow(clock, business)
    const since = addDays(dayOf(now, business.timeZone), -DAYS + 1)
    const begins = instantOf(since, business.timeZone)
    const sinceReal = addSeconds(begins, -business.clockOffsetSeconds)
    const rows = await boundedRead(db, (tx) => readPriceFigures(tx, business.id, { since: begins, sinceReal }))
    return { object: 'catalog_figures', counted_at: epochSeconds(now), since, rows }
  }
}
