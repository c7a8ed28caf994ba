import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { newId } from '../../server/lib/ids.ts'
import { reconcileWrittenOff } from '../../server/payments/recovery/resolve-operations.ts'
import { bound } from '../support/deep.ts'
import { moneyRows } from '../support/money-rows.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// PAY-21, PAY-26: a saved-card sale without a response from the gateway fails, and an approval found later is reversed.

const answered = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  body.charged,
]

/** Returns the events about the outcomes of sales on stored cards, by their ids. */
async function saleEvents({ databaseUrl }: ServiceWithClock) {
  await using book = moneyRows(databaseUrl)
  const rows = await book.query<{ id: string; type: string; object_id: string; status: string }>(
    `select id, type, object_id, data -> 'object' ->> 'status' as status from event where type like 'sale.%'
     order by created_at`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Stores a card of a new customer. The gateway handles the next sale with the outcome, and later ones as usual. */
async function openSale(service: ServiceWithClock, outcome: BehaviourName) {
  const card = await storeCard(service, `${newId()}@example.com`)
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
  const [since, earlier] = [await fromNow(service), await saleEvents(service)]
  return {
    card,
    liveSales: async () => liveOf(await since.rows()),
    /** Returns the sales on stored cards, and the events about their outcomes. */
    async recorded() {
      const sales = (await since.operations('sale')).filter((row) => row.session_id === null)
      const events = [...(await saleEvents(service))].flatMap(([id, event]) => (earlier.has(id) ? [] : [event]))
      return { sales, states: sales.map(({ state }) => state), events, types: events.map(({ type }) => type) }
    },
  }
}

const liveOf = (rows: { op: string; state: string | null }[]): number =>
  rows.filter(({ op, state }) => op === 'sale' && state === 'open').length

describe('a saved-card sale', () => {
  const opened = sharedService()

  test('that recovery finds declined with the advice to stop: its card is charged no more (GTW-20)', async () => {
    const { card, recorded } = await openSale(opened(), 'stop_recurring_reset')

    deepEqual(answered(await sellTo(opened(), card)), [400, 'gateway_timeout', null])
    await resolveAll(opened())

    const { states, types } = await recorded()
    deepEqual([states, types], [['DECLINED'], ['sale.failed']])
    equal((await sellTo(opened(), card)).status, 422)
  })

  test('silence with a charge behind it: 400, then voided, and sale.failed reports it', async () => {
    const { card, recorded, liveSales } = await openSale(opened(), 'silent_recorded')

    deepEqual(answered(await sellTo(opened(), card)), [400, 'gateway_timeout', null])
    deepEqual(answered(await sellTo(opened(), card)), [400, 'payment_in_progress', null])
    equal((await sellTo(opened(), card, { amount: 5 })).body.ok, true, 'another amount is another sale')
    await resolveAll(opened())

    const { sales, states, events } = await recorded()
    deepEqual(states, ['REVERSED', 'APPROVED'])
    const failed = events.filter(({ type }) => type === 'sale.failed')
    deepEqual(
      failed.map(({ object_id, status }) => [object_id, status]),
      [[sales[0]?.id, 'Failed']],
    )
    equal((await sellTo(opened(), card)).body.ok, true, 'the same sale may be made again')
    equal(await liveSales(), 2, '5.00 and 12.34')
  })

  test('silence with nothing behind it: 400, NOT_CHARGED, sale.failed, and the same sale can be made again', async () => {
    const { card, recorded } = await openSale(opened(), 'silent_not_recorded')

    deepEqual(answered(await sellTo(opened(), card)), [400, 'gateway_timeout', null])
    await resolveAll(opened())

    const { states, types } = await recorded()
    deepEqual([states, types], [['NOT_CHARGED'], ['sale.failed']])
    equal((await sellTo(opened(), card)).body.ok, true)
    await reconcileWrittenOff(opened().app.services)
  })

  for (const [outcome, state] of [
    ['approved_slowly', 'REVERSED'],
    ['declined_slowly', 'DECLINED'],
  ] as const) {
    test(`a response after 20 s (${outcome}) finalizes it as ${state}, with one sale.failed`, async () => {
      const { card, recorded } = await openSale(opened(), outcome)
      await using book = moneyRows(opened().databaseUrl)

      deepEqual(answered(await sellTo(opened(), card)), [400, 'gateway_timeout', null])
      await until('the late response is written down', async () => (await book.countOpen()) === 0)

      const { states, types } = await recorded()
      deepEqual([states, types], [[state], ['sale.failed']])
    })
  }

  test('with a key: the same request receives the current state, and never charges again', async () => {
    const { card, recorded } = await openSale(opened(), 'silent_recorded')
    const ask = (amount = 7) => sellTo(opened(), card, { amount }, 'order-7')

    const [first, beside] = await Promise.all([ask(), until('it is sent', () => inProgress(ask))])
    deepEqual(answered(first), [400, 'gateway_timeout', null])
    deepEqual(answered(beside), [400, 'payment_in_progress', null])
    deepEqual(answered(await ask()), [400, 'gateway_timeout', null])
    equal((await ask(8)).status, 422)
    await resolveAll(opened())
    deepEqual(answered(await ask()), [400, 'gateway_timeout', false])

    deepEqual((await recorded()).states, ['REVERSED'])
    equal((await sellTo(opened(), card, { amount: 7 }, 'order-7b')).body.ok, true)
  })

  test('a partial approval whose void is lost is returned as a decline at once, and voided later', async () => {
    const { card, recorded, liveSales } = await openSale(opened(), 'partial_ap')
    await opened().simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })

    const { status, body } = await sellTo(opened(), card, {}, 'order-9')
    deepEqual([status, body.status, body.code], [200, 'Declined', 'AP'])
    await resolveAll(opened())

    const { states, types } = await recorded()
    deepEqual([states, types], [['REVERSED'], ['sale.failed']])
    deepEqual((await sellTo(opened(), card, {}, 'order-9')).body, body)
    equal(await liveSales(), 0)
  })
})

const SALES = bound({ quick: 20, deep: 100 })

test(`${SALES} sales, each requested twice at once with a key, are each charged once`, async () => {
  await using service = await openServiceWithClock({ timeScale: 1 })
  const card = await storeCard(service, 'ana@example.com')
  const since = await fromNow(service)
  const orders = Array.from({ length: SALES }, (_, index) => ({ amount: 1 + index, key: `order-${index}` }))

  const responses = await Promise.all(
    orders.flatMap(({ amount, key }) => [0, 1].map(() => sellTo(service, card, { amount }, key))),
  )

  for (const { body } of responses) ok(body.ok || body.code === 'payment_in_progress', JSON.stringify(body))
  equal((await since.operations('sale')).length, SALES)
  equal(liveOf(await since.rows()), SALES)
  await assertSoundBooks(service)
})

/** Makes the same sale shortly after the first, which is still in progress. @returns the response */
async function inProgress(ask: () => ReturnType<typeof sellTo>) {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return ask()
}
