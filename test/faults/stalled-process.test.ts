import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { newId } from '../../server/lib/ids.ts'
import { merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { sharedService } from '../support/shared-services.ts'
import { resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'
import { makeSubscriber, subscribe, subscriptionBody } from '../support/subscriber.ts'

// PAY-6: a process stands still with the result of its sale, for longer than its claim holds. Recovery decides the
// outcome meanwhile; then the process wakes and writes, and the row decides.

type Told = Response | Promise<Response>
/** Prepares a service, and returns the request in which the process stands still. */
type Way = (service: ServiceWithClock) => Promise<() => Told>

const newEmail = () => `${newId()}@example.com`

const WAYS: Record<string, Way> = {
  'a typed card': async (service) => {
    const token = await merchantOf(service).sessionToken({ customer_email: newEmail() })
    return () => payerOf(service).pay(token, payBody(undefined, { saveCard: true }))
  },
  'a saved card on a session': async (service) => {
    const { customerId, cardId } = await storeCard(service, newEmail())
    const token = await merchantOf(service).sessionToken({ customer_id: customerId })
    return () => payerOf(service).pay(token, savedCardBody(cardId))
  },
  'a saved-card sale': async (service) => {
    const card = await storeCard(service, newEmail())
    return () => sellTo(service, card)
  },
  'a saved-card sale with a key': async (service) => {
    const card = await storeCard(service, newEmail())
    return () => sellTo(service, card, {}, newId())
  },
  'a first charge': async (service) => {
    const ana = await makeSubscriber(service)
    return () => ana.api.post('/subscriptions', subscriptionBody(ana))
  },
  'a resume': async (service) => {
    const ana = await makeSubscriber(service)
    const id = await subscribe(ana)
    const refunded = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
    equal((await ana.api.post(`/subscriptions/${id}/pause`, refunded)).status, 200)
    const { body } = await ana.api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
    const wanted = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash: body.quote_hash }
    return () => ana.api.post(`/subscriptions/${id}/resume`, wanted)
  },
}

/** The gateway's outcomes, and the state after recovery for each. */
const OUTCOMES: [outcome: BehaviourName, state: string][] = [
  ['approved', 'REVERSED'],
  ['declined', 'DECLINED'],
  ['partial_ap', 'REVERSED'],
]

/** Holds the response of the next sale until `release` is called. */
function holdNextSale({ app }: ServiceWithClock): { isMade: Promise<void>; release(): void } {
  const [made, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gateway = app.services.gateways('simulator')
  const { sale } = gateway
  gateway.sale = async (request) => {
    gateway.sale = sale
    const result = await sale(request)
    made.resolve()
    await released.promise
    return result
  }
  return { isMade: made.promise, release: () => released.resolve() }
}

/** Returns everything that a result writes besides the operation. */
async function recorded(rows: MoneyRows) {
  const [counts] = await rows.query(
    `select (select count(*)::int from payment where status = 'succeeded') as paid,
       (select count(*)::int from payment where status = 'failed') as failed,
       (select coalesce(sum(attempt_count), 0)::int from checkout_session) as attempts,
       (select count(*)::int from checkout_session where status = 'COMPLETED') as completed,
       (select count(*)::int from subscription where status = 'active') as active,
       (select count(*)::int from stored_card) as cards, (select count(*)::int from event) as events,
       (select count(*)::int from sale_request where response is not null) as responses`,
  )
  return counts
}

describe('A process stands still with the result of its sale', () => {
  // The process stands still in real time: it must not come to the end of the caller's 15 seconds.
  const opened = sharedService({ timeScale: 1 })

  for (const [way, prepare] of Object.entries(WAYS)) {
    for (const [outcome, state] of OUTCOMES) {
      test(`PAY-6: ${way}, ${outcome}: recovery has ended it as ${state}, and its write changes nothing`, async () => {
        const service = opened()
        await using rows = moneyRows(service.databaseUrl)
        const request = await prepare(service)
        await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
        const held = holdNextSale(service)
        const told = request()
        await held.isMade
        service.clock.advance(60)
        await resolveAll(service)
        const decided = { ended: await endedSales(rows), counts: await recorded(rows) }
        equal(decided.ended.at(-1), state)

        held.release()
        const { status, body } = await told
        equal(body.charged ?? body.error?.charged ?? null, null, JSON.stringify(body))
        equal(status >= 400, true, `${status}`)
        deepEqual({ ended: await endedSales(rows), counts: await recorded(rows) }, decided)
      })
    }
  }
})

const endedSales = async (rows: MoneyRows) => (await rows.operations('sale')).map(({ state }) => state)
