import { type Cadence, civil, dayNumber, scheduledDay, startOf, textOf } from './days.ts'
import type { Model } from './model.ts'
import { completeIfLast, coverPeriod, recordPaid, today } from './oracle.ts'
import { drawTerms, type Terms, totalOf } from './requests.ts'
import type { Plan, Run, Sub } from './run.ts'
import { OUTCOMES, outcomesOfCard } from './sim-gateway.ts'
import type { Shop } from './world.ts'

const CADENCES: Cadence[] = [
  { unit: 'day', count: 1 },
  { unit: 'week', count: 1 },
  { unit: 'week', count: 2 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 3 },
  { unit: 'month', count: 6 },
  { unit: 'year', count: 1 },
]
const ANCHOR_DAYS = [1, 15, 28, 29, 30, 31]

/** Creates a subscription as a merchant would, and checks what becomes of it (INV-31). */
export async function subscribe(run: Run): Promise<void> {
  const { world, random, trace, seed } = run
  const shop = random.pick(world.shops)
  const card = run.cards++
  const terms = drawTerms(random)
  const cadence = random.pick(CADENCES)
  const { customerId, cardId } = await world.addCustomer(shop, card)
  const start = drawStart(run, shop)
  const plan = `${shop.id} ${cadence.unit} ${cadence.count} ${terms.unitAmount}`
  const { price } = await planOf(run, shop, { plan, cadence, unitAmount: terms.unitAmount })
  const { status, body } = await world.call(shop, 'POST', '/subscriptions', {
    customer: customerId,
    price,
    payment_method: cardId,
    ...(start !== null && { start_date: textOf(start) }),
    ...(terms.installments !== null && { installments: terms.installments }),
    ...(terms.taxRate !== undefined && { tax_rate: terms.taxRate }),
    ...(terms.surchargeRate !== undefined && { surcharge_rate: terms.surchargeRate }),
  })
  const isNow = start === null
  const { learned } = isNow ? OUTCOMES[outcomesOfCard(seed, card)(0)] : { learned: 'approved' }
  const expected = learned === 'approved' ? 201 : 402
  trace.note(`${card} create ${cadence.unit} ${cadence.count} ${start === null ? 'today' : textOf(start)} ${status}`)
  if (status !== expected) throw new Error(`INV-31 create is ${status}, not ${expected}: ${JSON.stringify(body)}`)
  if (status !== 201) return
  const model = newModel({ shop, cadence, terms, start, nowMs: world.clock.ms() })
  if (body.amount !== model.amount) throw new Error(`INV-5 a bill is ${body.amount}, not ${model.amount}`)
  const sub: Sub = {
    ordinal: card,
    shop,
    id: body.id,
    customerId,
    cardId,
    card,
    plan,
    createdMs: world.clock.ms(),
    model,
    comparedVersion: 0,
    compared: '',
    quote: null,
  }
  run.subs.push(sub)
}

/** Today, or a coming day that a month may lack. */
function drawStart({ random, world }: Run, { zone }: Shop): number | null {
  if (random.chance(0.5)) return null
  const day = today({ zone } as Model, world.clock.ms())
  const { year, month } = civil(day)
  const isLast = random.chance(0.3)
  const lastOfMonth = dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - 1
  const wanted = isLast ? lastOfMonth : dayNumber(year, month, 1) + random.pick(ANCHOR_DAYS) - 1
  return wanted > day ? wanted : day + random.whole(1, 60)
}

function newModel({
  shop,
  cadence,
  terms,
  start,
  nowMs,
}: {
  shop: Shop
  cadence: Cadence
  terms: Terms
  start: number | null
  nowMs: number
}): Model {
  const anchor = start ?? today({ zone: shop.zone } as Model, nowMs)
  const model: Model = {
    zone: shop.zone,
    cadence,
    amount: totalOf(terms),
    installments: terms.installments,
    afterLastRetry: shop.afterLastRetry,
    status: 'active',
    anchor,
    segment: 0,
    next: 0,
    nextDay: anchor,
    paidBills: 0,
    bill: null,
    openSale: null,
    cover: null,
    pause: null,
    cancelAtMs: null,
    isHeld: false,
    card: 'ok',
    payments: [],
    bills: new Map(),
    freeSinceMs: nowMs,
  }
  if (start !== null) return model
  const end = scheduledDay(anchor, cadence, 1)
  Object.assign(model, { next: 1, nextDay: end })
  model.bills.set('0/0', 'FULFILLED')
  coverPeriod(model, anchor, end, recordPaid(model, '0/0', nowMs))
  completeIfLast(model)
  return model
}

async function planOf(
  { world, prices }: Run,
  shop: Shop,
  { plan, cadence: { unit, count }, unitAmount }: { plan: string; cadence: Cadence; unitAmount: number },
): Promise<Plan> {
  const known = prices.get(plan)
  if (known !== undefined) return known
  const { body: product } = await world.call(shop, 'POST', '/products', { name: 'Plan' })
  const recurring = { interval: unit, interval_count: count }
  const { status, body } = await world.call(shop, 'POST', '/prices', {
    product: product.id,
    unit_amount: unitAmount,
    recurring,
  })
  if (status !== 201) throw new Error(`No price was made: ${JSON.stringify(body)}`)
  const made = { product: product.id, price: body.id }
  prices.set(plan, made)
  return made
}

/** When something of the subscription falls due next. */
export function nextInstantOf({ model }: Sub): number | null {
  if (model.status !== 'active') return null
  const instants = [
    model.bill && !model.openSale && !model.isHeld ? model.bill.dueMs : null,
    !model.bill && model.nextDay !== null && !model.isHeld ? startOf(model.nextDay, model.zone) : null,
    model.cancelAtMs,
    model.pause?.scheduledForMs ?? null,
  ].filter((at) => at !== null)
  return instants.length === 0 ? null : Math.min(...instants)
}
