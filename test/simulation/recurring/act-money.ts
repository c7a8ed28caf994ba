import { findBusiness } from '../../../server/businesses/business-queries.ts'
import { ApiError } from '../../../server/lib/errors.ts'
import type { Cents } from '../../../server/lib/money.ts'
import { refundPayment } from '../../../server/payments/refunds/refund-payment.ts'
import { voidPayment as voidIt } from '../../../server/payments/voids/void-payment.ts'
import { DEATHS, type Death, untilDeath } from './dying.ts'
import { drawReversal } from './gateway-outcomes.ts'
import type { ModelPayment } from './model.ts'
import { type Fate, NO_RESPONSE, refund, voidPayment } from './oracle-requests.ts'
import { type RecordedPayment, readPayments } from './recorded.ts'
import type { Run, Statuses, Sub } from './run.ts'
import type { World } from './world.ts'

// Refunds and voids of a drawn payment.

/** Probability that a process dies. Voids are rarer, and most of them come too late. */
const DEATH = { refund: 0.15, void: 0.4 }

export async function moneyBack(run: Run, sub: Sub, what: 'refund' | 'void'): Promise<Statuses> {
  const { random, counts } = run
  const drawn = await drawPayment(run, sub, what === 'void' && random.chance(0.7))
  if (!drawn) return [0, 0]
  const { ours } = drawn
  const fate: Fate = { reversal: drawReversal(random), death: random.chance(DEATH[what]) ? random.pick(DEATHS) : null }
  if (fate.reversal !== 'made') counts.reversalFaults += 1
  if (fate.death) counts.crashes += 1
  if (what === 'void') return voidDrawn(run, sub, { ...drawn, fate })
  const rest = ours.amount - ours.refunded
  const drawnAmount = random.chance(0.2) ? undefined : random.pick([1, Math.ceil(rest / 2), rest, rest + 1])
  // The use case is called without the request's schema, which would refuse amounts below 1 first.
  const amount = fate.death && drawnAmount !== undefined ? Math.max(1, drawnAmount) : drawnAmount
  return [await send(run, sub, { ...drawn, fate, what, amount }), refund(ours, amount, fate)]
}

interface Drawn {
  theirs: RecordedPayment
  ours: ModelPayment
}

/** @param isNewest draws the newest one, whose batch may still be open */
async function drawPayment({ world, random }: Run, { id, model }: Sub, isNewest = false): Promise<Drawn | null> {
  const recorded = await readPayments(world.app.services.db, id)
  const last = Math.max(0, model.payments.length - 1)
  const index = isNewest ? last : random.whole(0, last)
  const [theirs, ours] = [recorded[index], model.payments[index]]
  if (!theirs || !ours) return null
  ours.merchantRef = theirs.merchantRef
  return { theirs, ours }
}

async function voidDrawn(run: Run, sub: Sub, drawn: Drawn & { fate: Fate }): Promise<Statuses> {
  const { theirs, ours, fate } = drawn
  const settled = theirs.isBatchSettled ? 'settled' : 'settled there'
  const batch = run.world.gateway.isBatchOpen(theirs.merchantRef) ? 'open' : settled
  return [await send(run, sub, { ...drawn, what: 'void' }), voidPayment(sub.model, ours, { ...fate, batch })]
}

interface Asked {
  what: 'refund' | 'void'
  theirs: RecordedPayment
  fate: Fate
  amount?: number | undefined
}

/** Sends it. @returns the status of the response */
function send({ world }: Run, { shop }: Sub, { what, theirs: { id }, fate, amount }: Asked): Promise<number> {
  const { reversal, death } = fate
  return world.gateway.withReversal(reversal, async () => {
    if (death) return sendAndDie(world, { businessId: shop.id, what, id, amount, death })
    const body = { payment: id, ...(amount !== undefined && { amount }) }
    return (await world.call(shop, 'POST', `/${what}s`, body)).status
  })
}

interface Deadly {
  businessId: string
  what: 'refund' | 'void'
  id: string
  amount: number | undefined
  death: Death
}

async function sendAndDie({ app }: World, { businessId, what, id, amount, death }: Deadly): Promise<number> {
  const business = await findBusiness(app.services.db, businessId)
  if (!business) throw new Error('A business is missing')
  const order = { business, paymentId: id, amount: (amount ?? null) as Cents | null }
  try {
    const ended = await untilDeath<object>(app.services, death, (services) =>
      what === 'void' ? voidIt(services, order) : refundPayment(services, order),
    )
    if (ended !== 'died') throw new Error(`The ${what} did not come to ${death}`)
    return NO_RESPONSE
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return STATUSES[error.code] ?? 500
  }
}

const STATUSES: Partial<Record<ApiError['code'], number>> = { conflict: 409, validation_failed: 422 }

/** Refunds twice: of two refunds of the rest, one is made and the other is refused, in whichever order (REF-3). */
export async function refundTwice(run: Run, sub: Sub): Promise<Statuses> {
  const drawn = await drawPayment(run, sub)
  if (!drawn) return [0, 0]
  const body = { payment: drawn.theirs.id }
  const both = await Promise.all([0, 1].map(() => run.world.call(sub.shop, 'POST', '/refunds', body)))
  const [first = 0, second] = both.map(({ status }) => status).sort()
  if (second !== 409) throw new Error(`REF-3 the second of two refunds at once is ${second}`)
  return [first, refund(drawn.ours, undefined, { reversal: 'made', death: null })]
}
