import { findBusiness } from '../../../server/businesses/business-queries.ts'
import { ApiError } from '../../../server/lib/errors.ts'
import { releaseCatchUp } from '../../../server/subscriptions/bills/release-catch-up.ts'
import { retryNow as retry } from '../../../server/subscriptions/bills/retry-now.ts'
import { outcomesOfCard } from './gateway-outcomes.ts'
import { chargeNow, passBoundary } from './oracle.ts'
import { releaseMissed } from './oracle-requests.ts'
import type { Run, Statuses, Sub } from './run.ts'
import { ZONES } from './world.ts'

// Changes by merchants apart from the life of a subscription: cards, plans, the time zone of a business.

const UNKNOWN = 504

/** Retries an open bill, like the dashboard. */
export async function retryNow({ world, seed }: Run, { shop, id, card, model }: Sub): Promise<Statuses> {
  const { services } = world.app
  const business = await findBusiness(services.db, shop.id)
  if (!business) throw new Error('A business is missing')
  let index = world.gateway.salesOf(card).length
  const sent = world.gateway.salesOf(card)
  const status = await retry(services, { business, subscriptionId: id }).then(() => 200, statusOf)
  const outcomes = outcomesOfCard(seed, card)
  const expected = chargeNow(model, world.clock.ms(), () => outcomes(index++))
  if (index !== sent.length) throw new Error('SUB-34 the retry sent another number of sales')
  return [status, { refused: 409, unknown: UNKNOWN, learned: 200 }[expected]]
}

function statusOf(error: unknown): number {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'gateway_timeout') return UNKNOWN
  if (error.code === 'conflict') return 409
  throw error
}

/** Replaces the card, which also lifts the block of the previous one; not while a charge of that one is open. */
export async function replaceTheCard(run: Run, sub: Sub): Promise<Statuses> {
  const { world } = run
  const { shop, id, customerId, model } = sub
  if (model.openSale) return [0, 0]
  const card = run.cards++
  const cardId = await world.addCard(shop, customerId, card)
  const { status } = await world.call(shop, 'POST', `/subscriptions/${id}`, { payment_method: cardId })
  passBoundary(model, world.clock.ms())
  if (model.status !== 'active' && model.status !== 'paused') return [status, 409]
  // A quote is valid for one card (INV-41).
  Object.assign(sub, { card, cardId, quote: null })
  model.card = 'ok'
  return [status, 200]
}

/**
 * Archives a plan. Subscriptions of an archived price and product continue unchanged; new ones get a different plan.
 */
export async function archiveThePlan({ world, prices }: Run, { shop, plan }: Sub): Promise<Statuses> {
  const known = prices.get(plan)
  if (!known) return [0, 0]
  prices.delete(plan)
  const archived = { active: false }
  const { status } = await world.call(shop, 'PATCH', `/prices/${known.price}`, archived)
  if (status !== 200) return [status, 200]
  return [(await world.call(shop, 'PATCH', `/products/${known.product}`, archived)).status, 200]
}

/** Tries to change a price: amount and frequency of a subscription never change (CAT-6, INV-5). */
export async function changeThePrice({ world, prices, random }: Run, { shop, id, plan }: Sub): Promise<Statuses> {
  const known = prices.get(plan)
  const recurring = { interval: 'year', interval_count: 1 }
  const change = random.pick([{ unit_amount: 1 }, { currency: 'cad' }, { recurring }])
  if (known && random.chance(0.7))
    return [(await world.call(shop, 'PATCH', `/prices/${known.price}`, change)).status, 422]
  const body = random.pick([{ quantity: 2 }, { price: known?.price ?? id }])
  return [(await world.call(shop, 'POST', `/subscriptions/${id}`, body)).status, 422]
}

/** Decides about a subscription that missed too many bills, like the dashboard. */
export async function releaseTheMissed(
  { world }: Run,
  { shop, id, model }: Sub,
  missed: 'bill' | 'skip',
): Promise<Statuses> {
  const { services } = world.app
  const business = await findBusiness(services.db, shop.id)
  if (!business) throw new Error('A business is missing')
  const status = await releaseCatchUp(services, { business, id, missed }).then(() => 200, statusOf)
  return [status, releaseMissed(model, missed, world.clock.ms())]
}

/** Changes the time zone of the business; subscriptions keep the zone with which they began (INV-13). */
export async function changeZone({ world, random }: Run, { shop }: Sub): Promise<Statuses> {
  const [zone] = random.pick(ZONES)
  const { db, merchants } = world.app.services
  await db.updateTable('business').set({ time_zone: zone }).where('id', '=', shop.id).execute()
  merchants.forget()
  shop.zone = zone
  return [200, 200]
}
