import { findTerminal } from '../../server/businesses/terminal-queries.ts'
import { findBilledCard } from '../../server/customers/billed-card-queries.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { charge, recordIntent } from '../../server/payments/charge/charge.ts'
import { responseOf } from '../../server/payments/charge/charged.ts'
import { sendSale } from '../../server/payments/charge/send-sale.ts'
import { type AdoptingOwner, chargeOwners } from '../../server/payments/charge-owner.ts'
import type { ChargeOwnerKind } from '../../server/payments/operation.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import type { ChargeServices } from '../../server/payments/services.ts'
import { type BillResponse, billCharge, type DueBill } from '../../server/subscriptions/bills/bill-charge.ts'
import { billOwner } from '../../server/subscriptions/bills/bill-owner.ts'
import { newBill } from '../../server/subscriptions/lifecycle/open-bill.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import { businessOf, load, subscribe } from './billing.ts'
import type { ServiceWithClock } from './silent-gateway.ts'
import { storeCard } from './stored-card.ts'

/** The bill of one subscription, charged and adopted by the service's own code. */
export interface BillOfTest {
  id: string
  services: ChargeServices
  /**
   * Charges the bill, whatever its status: the database refuses a second charge.
   *
   * @param stopAt the fault point at which the process of this charge dies: the charge never resolves and writes
   * nothing
   */
  charge(stopAt?: FaultPlace): Promise<BillResponse | 'blocked'>
  resolve(): Promise<void>
  status(): Promise<'open' | 'paid'>
  /** Runs once during the next adoption: after the owner's record, before the operation is finalized. */
  duringAdoption(intrude: () => Promise<void>): void
}

export async function openBill(service: ServiceWithClock): Promise<BillOfTest> {
  const plugged = service.app.services
  const stored = await storeCard(service, `${newId()}@example.com`)
  // The worker of the service ignores it: nothing is due.
  const subscription = await subscribe({ ...service, stored }, { amount: 4_900 as Cents, dueAt: null })
  let intruder: (() => Promise<void>) | null = null
  const owner = interruptedAt(billOwner(plugged), async () => {
    const intrude = intruder
    intruder = null
    await intrude?.()
  })
  const bills = chargeOwners([owner])
  const known = plugged.owners
  // The worker of this service also recovers bills.
  const services: ChargeServices = Object.assign(plugged, {
    owners: (kind: ChargeOwnerKind) => (kind === 'bill' ? bills(kind) : known(kind)),
  })
  const { startDate } = subscription
  const period = { segmentNo: 0, periodNo: 0, periodStart: startDate, periodEnd: '2027-02-28' as Day }
  const first = newBill(period, services.clock.now())

  async function due(): Promise<DueBill> {
    const before = await load(service, subscription)
    const business = await businessOf(service)
    const terminal = await findTerminal(services.db, business.id, 'USD')
    const card = await findBilledCard(services.db, business.id, stored.cardId)
    if (!terminal || !card) throw new Error('The demo business has no terminal, or the customer no card')
    const charged = { ...before, bill: before.bill ?? first }
    return { business, terminal, card, before, charged, trigger: 'scheduled' }
  }

  return {
    id: first.id,
    services,
    async charge(stopAt) {
      const plan = await billCharge(services, await due())
      if (!stopAt) {
        const charged = await charge(services, plan)
        return charged.outcome === 'blocked' ? 'blocked' : responseOf(charged)
      }
      const begun = await recordIntent(services, plan)
      if (begun !== null && stopAt === 'after:gateway_result') await sendSale(services, plan)
      throw new Error(`The process died ${stopAt}`)
    },
    resolve: async () => void (await resolveOperations(services)),
    status: async () => ((await load(service, subscription)).subscription.paidBills > 0 ? 'paid' : 'open'),
    duringAdoption(intrude) {
      intruder = intrude
    },
  }
}

const interruptedAt = (owner: AdoptingOwner, written: () => Promise<void>): AdoptingOwner => ({
  ...owner,
  async adopt(...adoption) {
    await owner.adopt(...adoption)
    await written()
  },
})
