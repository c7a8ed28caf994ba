import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { reconcileWrittenOff } from '../../server/payments/recovery/resolve-operations.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { moneyRows } from '../support/money-rows.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

// SUB-4, SUB-5: the first charge of a subscription without a result is reversed, and nothing of the subscription
// remains.

type Outcome = BehaviourName
type Books = Pick<ServiceWithClock, 'databaseUrl'>

const create = (ana: Subscriber, more = {}) => ana.api.post('/subscriptions', subscriptionBody(ana, more))

async function openSilent(outcome: Outcome): Promise<{ service: ServiceWithClock; ana: Subscriber }> {
  const service = await openServiceWithClock()
  const ana = await makeSubscriber(service)
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
  return { service, ana }
}

/** Returns the states of first charges, and the rows that were written about subscriptions. */
async function recorded({ databaseUrl }: Books) {
  await using book = moneyRows(databaseUrl)
  const sales = await book.query<{ state: string }>(
    "select state from operation where owner_kind = 'subscription_start' and kind = 'sale' order by id",
  )
  const [counts = NOTHING] = await book.query<{ made: number; billed: number; paid: number; told: number }>(
    `select (select count(*)::int from subscription) as made, (select count(*)::int from bill) as billed,
       (select count(*)::int from payment where subscription_id is not null) as paid,
       (select count(*)::int from event where type like 'subscription.%' or type like 'payment.%') as told`,
  )
  return { states: sales.map(({ state }) => state), ...counts }
}
const NOTHING = { made: 0, billed: 0, paid: 0, told: 0 }
const ONE = { made: 1, billed: 1, paid: 1, told: 2 }

async function liveSales({ simulator }: Pick<ServiceWithClock, 'simulator'>): Promise<number> {
  return (await simulator.rows()).filter(({ op, state }) => op === 'sale' && state === 'open').length
}

describe('a first charge without a result', { concurrency: true }, () => {
  test('silence with a charge behind it: 402, then voided; an identical create is 409 until then', async () => {
    const { service, ana } = await openSilent('silent_recorded')
    await using _closing = service

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
    await resolveAll(service)

    deepEqual(await recorded(service), { states: ['REVERSED', 'APPROVED'], ...ONE })
    equal((await create(ana)).status, 201, 'the same one may be created again')
    equal(await liveSales(service), 3, 'the session, and two first charges')
    await assertSoundBooks(service)
  })

  test('silence with nothing behind it: 402, NOT_CHARGED, and the same one may be created again', async () => {
    const { service, ana } = await openSilent('silent_not_recorded')
    await using _closing = service

    assertMerchantRefused(await create(ana), 402, 'card_declined', null)
    await resolveAll(service)

    deepEqual(await recorded(service), { states: ['NOT_CHARGED'], ...NOTHING })
    equal((await create(ana)).status, 201)
    await reconcileWrittenOff(service.app.services)
    await assertSoundBooks(service)
  })

  for (const [outcome, state] of [
    ['approved_slowly', 'REVERSED'],
    ['declined_slowly', 'DECLINED'],
  ] as const) {
    test(`a response after 20 s (${outcome}) ends it as ${state}, with nothing of the subscription`, async () => {
      const { service, ana } = await openSilent(outcome)
      await using _closing = service
      await using book = moneyRows(service.databaseUrl)

      assertMerchantRefused(await create(ana), 402, 'card_declined', null)
      await until('the late response is recorded', async () => (await book.countOpen()) === 0)

      deepEqual(await recorded(service), { states: [state], ...NOTHING })
      await assertSoundBooks(service)
    })
  }

  for (const [outcome, block] of [
    ['declined_reset', null],
    ['stop_recurring_reset', 'ND'],
  ] as const) {
    test(`a decline that recovery finds (${outcome}) leaves what it leaves when it arrives: the card's block (BIL-20)`, async () => {
      const { service, ana } = await openSilent(outcome)
      await using _closing = service
      await using book = moneyRows(service.databaseUrl)

      assertMerchantRefused(await create(ana), 402, 'card_declined', null)
      await resolveAll(service)

      deepEqual(await recorded(service), { states: ['DECLINED'], ...NOTHING })
      deepEqual(await book.query('select charge_block from stored_card'), [{ charge_block: block }])
      equal((await create(ana)).status, block === null ? 201 : 402)
      await assertSoundBooks(service)
    })
  }

  test('a partial approval is a decline, voided at once', async () => {
    const { service, ana } = await openSilent('partial_ap')
    await using _closing = service

    const response = await create(ana)
    assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
    equal(response.body.error.decline_code, 'AP')
    deepEqual(await recorded(service), { states: ['REVERSED'], ...NOTHING })
    equal((await create(ana)).status, 201)
    await assertSoundBooks(service)
  })

  test('a gateway that cannot be reached: 503, nothing was sent, and the same one may be created again', async () => {
    const service = await openServiceWithClock()
    await using _closing = service
    const ana = await makeSubscriber(service)

    const response = await service.whileGatewayAway(() => create(ana))
    assertMerchantRefused(response, 503, 'unavailable', null)
    deepEqual((await recorded(service)).states.at(-1), 'NOT_SENT')
    equal((await create(ana)).status, 201)
    await assertSoundBooks(service)
  })
})

describe('two identical creates at once', () => {
  test('are one sale at the gateway: one is 201, the other 409', async () => {
    const service = await openServiceWithClock()
    await using _closing = service
    const ana = await makeSubscriber(service)
    await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })

    // All are held at the card, so that none of their statements sees what another one has written.
    await using card = await holdLock(service, 'select from stored_card where id = $1 for update', [ana.payment_method])
    const creating = Promise.all(Array.from({ length: 2 }, () => create(ana)))
    await untilAtLock(service, 2)
    await card.release()
    const responses = await creating

    deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
    deepEqual(await recorded(service), { states: ['APPROVED'], ...ONE })
    equal(await liveSales(service), 2, 'the session and the first charge')
    equal((await create(ana)).status, 201, 'a later one is another subscription')
    await assertSoundBooks(service)
  })
})

describe('a process is killed in the middle of a first charge', () => {
  let service: KillableService
  before(async () => {
    service = await openKillableService()
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [fault, states, made] of [
    ['before:intent_commit', [], NOTHING],
    ['after:intent_commit', ['NOT_CHARGED'], NOTHING],
    ['after:gateway_result', ['REVERSED'], NOTHING],
    ['after:result_commit', ['APPROVED'], ONE],
  ] as const) {
    test(`${fault}: ${states[0] ?? 'nothing is recorded'}, and a later identical create works`, async () => {
      const ana = await makeSubscriber(service)
      const earlier = await recorded(service)
      await service.dieAt(fault)
      await rejects(create(ana))
      await service.ended()

      await service.start()
      await allFinal(service)

      deepEqual(since(earlier, await recorded(service)), { states, ...made })
      equal((await create(ana)).status, 201)
      await assertSoundBooks(service)
    })
  }
})

type Recorded = Awaited<ReturnType<typeof recorded>>

function since(earlier: Recorded, { states, ...counts }: Recorded) {
  const counted = (['made', 'billed', 'paid', 'told'] as const).map((name) => [name, counts[name] - earlier[name]])
  return { states: states.slice(earlier.states.length), ...Object.fromEntries(counted) }
}

async function allFinal({ databaseUrl }: KillableService): Promise<void> {
  await using book = moneyRows(databaseUrl)
  await until('every outcome is final', async () => (await book.countOpen()) === 0)
}
