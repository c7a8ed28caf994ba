import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { reconcileWrittenOff } from '../../server/payments/recovery/resolve-operations.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { moneyRows } from '../support/money-rows.ts'
import { sharedService } from '../support/shared-services.ts'
import { resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

// SUB-4, SUB-5: the first charge of a subscription without a result is reversed, and nothing of the subscription
// remains. A process that is killed in the middle of one: killed-calls.test.ts.

const create = (ana: Subscriber, more = {}) => ana.api.post('/subscriptions', subscriptionBody(ana, more))

const NOTHING = { made: 0, billed: 0, paid: 0, told: 0, live: 0 }
const ONE = { made: 1, billed: 1, paid: 1, told: 2 }

/** Returns the states of first charges, the rows that were written about subscriptions, and the live sales. */
async function recordedBy({ databaseUrl, simulator }: ServiceWithClock) {
  await using book = moneyRows(databaseUrl)
  const sales = await book.query<{ state: string }>(
    "select state from operation where owner_kind = 'subscription_start' and kind = 'sale' order by id",
  )
  const [counts] = await book.query<Omit<typeof NOTHING, 'live'>>(
    `select (select count(*)::int from subscription) as made, (select count(*)::int from bill) as billed,
       (select count(*)::int from payment where subscription_id is not null) as paid,
       (select count(*)::int from event where type like 'subscription.%' or type like 'payment.%') as told`,
  )
  const live = (await simulator.rows()).filter(({ op, state }) => op === 'sale' && state === 'open').length
  return { states: sales.map(({ state }) => state), counts: { ...NOTHING, ...counts, live } }
}

/** A new customer whose card is stored, and a function that returns what was recorded since. */
async function newSubscriber(service: ServiceWithClock, outcome?: BehaviourName) {
  const ana = await makeSubscriber(service)
  if (outcome) await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
  const earlier = await recordedBy(service)
  const recorded = async () => {
    const { states, counts } = await recordedBy(service)
    const since = { ...counts }
    for (const name of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) since[name] -= earlier.counts[name]
    return { states: states.slice(earlier.states.length), ...since }
  }
  return { ana, recorded }
}

describe('a first charge without a result', () => {
  const opened = sharedService()

  test('silence with a charge behind it: 402, then voided; an identical create is 409 until then', async () => {
    const { ana, recorded } = await newSubscriber(opened(), 'silent_recorded')

    const response = await create(ana)
    assertMerchantRefused(response, 402, 'card_declined', null)
    equal(response.body.error.decline_code, undefined)
    assertMerchantRefused(await create(ana), 409, 'conflict', null)
    assertMerchantRefused(await create(ana, { installments: 3 }), 409, 'conflict', null)
    assertMerchantRefused(
      await create(ana, { price: undefined, items: [{ price: ana.price, quantity: 1 }] }),
      409,
      'conflict',
      null,
    )
    const twice = await create(ana, { price: undefined, items: [{ price: ana.price, quantity: 2 }] })
    equal(twice.status, 201, 'another quantity is another subscription')
    await resolveAll(opened())

    deepEqual(await recorded(), { states: ['REVERSED', 'APPROVED'], ...ONE, live: 1 })
    equal((await create(ana)).status, 201, 'the same one may be created again')
    equal((await recorded()).live, 2, 'two first charges')
  })

  test('silence with nothing behind it: 402, NOT_CHARGED, and the same one may be created again', async () => {
    const { ana, recorded } = await newSubscriber(opened(), 'silent_not_recorded')

    assertMerchantRefused(await create(ana), 402, 'card_declined', null)
    await resolveAll(opened())

    deepEqual(await recorded(), { states: ['NOT_CHARGED'], ...NOTHING })
    equal((await create(ana)).status, 201)
    await reconcileWrittenOff(opened().app.services)
  })

  for (const [outcome, state] of [
    ['approved_slowly', 'REVERSED'],
    ['declined_slowly', 'DECLINED'],
  ] as const) {
    test(`a response after 20 s (${outcome}) ends it as ${state}, with nothing of the subscription`, async () => {
      const { ana, recorded } = await newSubscriber(opened(), outcome)
      await using book = moneyRows(opened().databaseUrl)

      assertMerchantRefused(await create(ana), 402, 'card_declined', null)
      await until('the late response is recorded', async () => (await book.countOpen()) === 0)

      deepEqual(await recorded(), { states: [state], ...NOTHING })
    })
  }

  for (const [outcome, block] of [
    ['declined_reset', null],
    ['stop_recurring_reset', 'ND'],
  ] as const) {
    test(`a decline that recovery finds (${outcome}) leaves what it leaves when it arrives: the card's block (BIL-20)`, async () => {
      const { ana, recorded } = await newSubscriber(opened(), outcome)
      await using book = moneyRows(opened().databaseUrl)

      assertMerchantRefused(await create(ana), 402, 'card_declined', null)
      await resolveAll(opened())

      deepEqual(await recorded(), { states: ['DECLINED'], ...NOTHING })
      const cards = await book.query('select charge_block from stored_card where id = $1', [ana.payment_method])
      deepEqual(cards, [{ charge_block: block }])
      equal((await create(ana)).status, block === null ? 201 : 402)
    })
  }

  test('a partial approval is a decline, voided at once', async () => {
    const { ana, recorded } = await newSubscriber(opened(), 'partial_ap')

    const response = await create(ana)
    assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
    equal(response.body.error.decline_code, 'AP')
    deepEqual(await recorded(), { states: ['REVERSED'], ...NOTHING })
    equal((await create(ana)).status, 201)
  })

  test('a gateway that cannot be reached: 503, nothing was sent, and the same one may be created again', async () => {
    const { ana, recorded } = await newSubscriber(opened())

    const response = await opened().whileGatewayAway(() => create(ana))
    assertMerchantRefused(response, 503, 'unavailable', null)
    deepEqual((await recorded()).states.at(-1), 'NOT_SENT')
    equal((await create(ana)).status, 201)
  })

  test('two identical creates at once are one sale at the gateway: one is 201, the other 409', async () => {
    const { ana, recorded } = await newSubscriber(opened())
    await opened().simulator.script({ latency: { minMs: 300, maxMs: 300 } })

    // All are held at the card, so that none of their statements sees what another one has written.
    const cardOf = 'select from stored_card where id = $1 for update'
    await using card = await holdLock(opened(), cardOf, [ana.payment_method])
    const creating = Promise.all(Array.from({ length: 2 }, () => create(ana)))
    await untilAtLock(opened(), 2)
    await card.release()
    const responses = await creating

    deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
    deepEqual(await recorded(), { states: ['APPROVED'], ...ONE, live: 1 })
    equal((await create(ana)).status, 201, 'a later one is another subscription')
  })
})
