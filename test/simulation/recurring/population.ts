import { type Cadence, civil, dayNumber, startOf, textOf } from './days.ts'
import { drawVerification, OUTCOMES, outcomesOfCard, VERIFICATIONS } from './gateway-outcomes.ts'
import type { Model } from './model.ts'
import { newModel, newWaitingModel } from './new-model.ts'
import { today } from './oracle.ts'
import { drawTerms, type Terms } from './requests.ts'
import type { Plan, Run, Sub } from './run.ts'
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

/** Creates a subscription as a merchant would, and checks the result (INV-31). */
export async function subscribe(run: Run): Promise<void> {
  const { world, random, trace, seed } = run
  const shop = random.pick(world.shops)
  const card = run.cards++
  const isAwaited = random.chance(AWAITS_CARD)
  const { surchargeRate, ...unsurcharged } = drawTerms(random)
  // The page knows whether a surcharge applies only once it knows the card.
  const terms: Terms = isAwaited
    ? unsurcharged
    : { ...unsurcharged, ...(surchargeRate !== undefined && { surchargeRate }) }
  const cadence = random.pick(CADENCES)
  const { customerId, cardId } = await world.addCustomer(shop, card)
  const start = drawStart(run, shop)
  const plan = `${shop.id} ${cadence.unit} ${cadence.count} ${terms.unitAmount}`
  const { price } = await planOf(run, shop, { plan, cadence, unitAmount: terms.unitAmount })
  const verification = start !== null && !isAwaited ? drawVerification(random) : 'verified'
  const { status, body } = await world.gateway.withVerification(verification, () =>
    world.call(shop, 'POST', '/subscriptions', {
      customer: customerId,
      price,
      ...(!isAwaited && { payment_method: cardId }),
      ...bodyOf(terms, start),
    }),
  )
  const { learned } = OUTCOMES[outcomesOfCard(seed, card)(0)]
  const expected = isAwaited ? 201 : start === null ? FIRST[learned] : VERIFIED[VERIFICATIONS[verification].learned]
  const when = `${start === null ? 'today' : textOf(start)}${isAwaited ? ' without a card' : ''}`
  trace.note(`${card} create ${cadence.unit} ${cadence.count} ${when} ${status}`)
  if (status !== expected) throw new Error(`INV-31 create is ${status}, not ${expected}: ${JSON.stringify(body)}`)
  if (status !== 201) return
  const given = { shop, cadence, terms, start, nowMs: world.clock.ms() }
  const model = isAwaited ? newWaitingModel(given, tokenOf(body.checkout_url)) : newModel(given)
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

const AWAITS_CARD = 0.15

/** Statuses of a create whose card is charged, by outcome; a create that took no money leaves nothing. */
const FIRST = { approved: 201, declined: 402, never: 402, unknown: 402 }
/** Statuses of a create whose card is verified. */
const VERIFIED = { verified: 201, declined: 402, unknown: 503 }

function bodyOf({ installments, taxRate, surchargeRate }: Terms, start: number | null) {
  return {
    ...(start !== null && { start_date: textOf(start) }),
    ...(installments !== null && { installments }),
    ...(taxRate !== undefined && { tax_rate: taxRate }),
    ...(surchargeRate !== undefined && { surcharge_rate: surchargeRate }),
  }
}

const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** Draws today, or a future day that some months lack. */
function drawStart({ random, world }: Run, { zone }: Shop): number | null {
  if (random.chance(0.5)) return null
  const day = today({ zone } as Model, world.clock.ms())
  const { year, month } = civil(day)
  const isLast = random.chance(0.3)
  const lastOfMonth = dayNumber(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - 1
  const wanted = isLast ? lastOfMonth : dayNumber(year, month, 1) + random.pick(ANCHOR_DAYS) - 1
  return wanted > day ? wanted : day + random.whole(1, 60)
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

/** Returns when something of the subscription is due next. */
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
