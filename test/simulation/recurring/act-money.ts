import { refund, voidPayment } from './oracle-requests.ts'
import { readPayments } from './recorded.ts'
import type { Run, Statuses, Sub } from './run.ts'
import { drawReversal } from './sim-gateway.ts'

// Refunds and voids of a payment that is drawn.

export async function moneyBack(run: Run, { shop, id, model }: Sub, what: 'refund' | 'void'): Promise<Statuses> {
  const { world, random, counts } = run
  const recorded = await readPayments(world.app.services.db, id)
  const index = random.whole(0, Math.max(0, model.payments.length - 1))
  const [theirs, ours] = [recorded[index], model.payments[index]]
  if (!theirs || !ours) return [0, 0]
  ours.merchantRef = theirs.merchantRef
  const reversal = drawReversal(random)
  const ask = (path: string, body: object) =>
    world.gateway.withReversal(reversal, () => world.call(shop, 'POST', path, body))
  if (reversal !== 'made') counts.reversalFaults += 1
  if (what === 'void') {
    const isOpen = world.gateway.isBatchOpen(theirs.merchantRef)
    const { status } = await ask('/voids', { payment: theirs.id })
    return [status, voidPayment(model, ours, isOpen ? reversal : 'settled')]
  }
  const rest = ours.amount - ours.refunded
  const amount = random.chance(0.2) ? undefined : random.pick([1, Math.ceil(rest / 2), rest, rest + 1])
  const { status } = await ask('/refunds', { payment: theirs.id, ...(amount !== undefined && { amount }) })
  return [status, refund(ours, amount, reversal)]
}

/** Of two refunds of the rest, one is made and the other is refused, whichever comes first (REF-3). */
export async function refundTwice({ world, random }: Run, { shop, id, model }: Sub): Promise<Statuses> {
  const recorded = await readPayments(world.app.services.db, id)
  const index = random.whole(0, Math.max(0, model.payments.length - 1))
  const [theirs, ours] = [recorded[index], model.payments[index]]
  if (!theirs || !ours) return [0, 0]
  const body = { payment: theirs.id }
  const both = await Promise.all([0, 1].map(() => world.call(shop, 'POST', '/refunds', body)))
  const [first = 0, second] = both.map(({ status }) => status).sort()
  if (second !== 409) throw new Error(`REF-3 the second of two refunds at once is ${second}`)
  return [first, refund(ours, undefined, 'made')]
}
