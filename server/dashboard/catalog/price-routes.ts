import { BulkArchive } from '../../../contract/dashboard/bulk.ts'
import {
  PREVIEWED_DATES,
  PriceEdit,
  PricePreviewOrder,
  PriceSearchQuery,
  PricesQuery,
} from '../../../contract/dashboard/catalog-api.ts'
import { PriceCreate, type PriceUpdate } from '../../../contract/price.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { readCadence } from '../../catalog/cadence.ts'
import { changePrice } from '../../catalog/change-price.ts'
import { createPrice } from '../../catalog/create-price.ts'
import { noSuchPrice, type Price, priceObject } from '../../catalog/price.ts'
import { listPrices, lockPrice } from '../../catalog/price-queries.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { billingDay, dayOf } from '../../subscriptions/plan/calendar.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { requireVersion } from '../version.ts'
import { editedPrice } from './catalog-objects.ts'
import { countPrices } from './catalog-queries.ts'
import { searchPrices } from './price-search-queries.ts'

export function priceRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  return [...readingRoutes(dashboard, { clock }), ...writingRoutes(dashboard, { clock })]
}

function readingRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /prices', {
      permission: 'catalog.read',
      query: PricesQuery,
      async handle({ member, query }) {
        const which = { businessId: member.business.id, productId: query.product, active: query.active }
        const [page, counted] = await Promise.all([listPrices(db, which, query), countPrices(db, which)])
        return { body: dashboardList(page, counted, editedPrice) }
      },
    }),
    dashboard.read('GET /prices/search', {
      permission: 'catalog.read',
      query: PriceSearchQuery,
      async handle({ member, query }) {
        const search = { businessId: member.business.id, ...query }
        const { data, hasMore } = await boundedRead(db, (tx) => searchPrices(tx, search))
        return { body: { object: 'list' as const, data, has_more: hasMore } }
      },
    }),
    dashboard.preview('POST /prices/preview', {
      permission: 'catalog.read',
      body: PricePreviewOrder,
      async handle({ member: { business }, body: { recurring } }) {
        const cadence = recurring ? readCadence(recurring) : null
        const today = dayOf(businessNow(clock, business), business.timeZone)
        const dates = cadence ? Array.from({ length: PREVIEWED_DATES }, (_, k) => billingDay(today, cadence, k)) : []
        return { body: { object: 'price_preview' as const, currency: business.currency, dates } }
      },
    }),
  ]
}

function writingRoutes(dashboard: DashboardRoutes, { clock }: { clock: Clock }): Route[] {
  return [
    dashboard.write('POST /prices', {
      permission: 'catalog.write',
      action: 'price.create',
      body: PriceCreate,
      async handle({ member, body }, tx) {
        const price = await createPrice({ db: tx, clock }, { business: member.business, input: body })
        const { id: _id, object: _object, created: _created, ...after } = priceObject(price)
        return { status: 201, body: editedPrice(price), audit: { object: objectOf(price), after } }
      },
    }),
    dashboard.write('PATCH /prices/{id}', {
      permission: 'catalog.write',
      action: 'price.update',
      body: PriceEdit,
      async handle({ member: { business }, params: { id = '' }, body: { version, ...change } }, tx) {
        const { price, ...audit } = await editPrice({ tx, clock }, { business, id, version, change })
        return { body: price, audit: { object: objectOf(price), ...audit } }
      },
    }),
    dashboard.bulk('POST /prices/archive', {
      permission: 'catalog.write',
      action: 'price.update',
      body: BulkArchive,
      type: 'price',
      items: ({ items }) => items,
      async change({ member: { business }, body: { active } }, item, tx) {
        const { price, ...audit } = await editPrice({ tx, clock }, { business, ...item, change: { active } })
        return { done: { id: price.id, version: price.version }, ...audit }
      },
    }),
  ]
}

interface PriceChange {
  business: Business
  id: string
  /** Version that the person saw. */
  version: string
  change: PriceUpdate
}

/** @throws ApiError `not_found`, `conflict` for another version */
async function editPrice({ tx, clock }: { tx: Tx; clock: Clock }, { business, id, version, change }: PriceChange) {
  const before = await lockPrice(tx, business.id, id)
  if (!before) throw noSuchPrice()
  requireVersion(version, editedPrice(before))
  const after = await changePrice({ db: tx, clock }, { business, id, change })
  return { price: editedPrice(after), before: auditedPrice(before), after: auditedPrice(after) }
}

const objectOf = ({ id }: { id: string }) => ({ type: 'price', id })
const auditedPrice = ({ nickname, active, metadata }: Price) => ({ nickname, active, metadata })
