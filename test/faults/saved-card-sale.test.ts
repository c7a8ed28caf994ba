import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { reconcileWrittenOff } from '../../server/payments/recovery/resolve-operations.ts'
import { moneyRows } from '../support/money-rows.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// PAY-21, PAY-26: a saved-card sale without a response from the gateway fails, and an approval found later is reversed.

type Outcome = BehaviourName

/** Opens a service whose gateway handles the next sale with the given outcome, and later ones as usual. */
async function openSilent(outcome: Outcome): Promise<{ service: ServiceWithClock; card: StoredCardIds }> {
  const service = await openServiceWithClock()
  const card = await storeCard(service, 'ana@example.com')
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
  return { service, card }
}

const answered = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  body.charged,
]

/** Returns the sales on stored cards, and the events about their outcomes. */
async function recorded({ databaseUrl }: ServiceWithClock) {
  await using book = moneyRows(databaseUrl)
  const sales = (await book.operations('sale')).filter((row) => row.session_id === null)
  const events = await book.query<{ type: string; object_id: string; status: string }>(
    `select type, object_id, data -> 'object' ->> 'status' as status from event where type like 'sale.%' order by created_at`,
  )
  return { sales, states: sales.map(({ state }) => state), events, types: events.map(({ type }) => type) }
}

async function liveSales({ simulator }: ServiceWithClock): Promise<number> {
  const rows = await simulator.rows()
  return rows.filter(({ op, state }) => op === 'sale' && state === 'open').length
}

describe('a saved-card sale', { concurrency: true }, () => {
  test('that recovery finds declined with the advice to stop: its card is charged no more (GTW-20)', async () => {
    const { service, card } = await openSilent('stop_recurring_reset')
    await using _closing = service

    deepEqual(answered(await sellTo(service, card)), [400, 'gateway_timeout', null])
    await resolveAll(service)

    const { states, types } = await recorded(service)
    deepEqual([states, types], [['DECLINED'], ['sale.failed']])
    equal((await sellTo(service, card)).status, 422)
    await assertSoundBooks(service)
  })

  test('silence with a charge behind it: 400, then voided, and sale.failed reports it', async () => {
    const { service, card } = await openSilent('silent_recorded')
    await using _closing = service

    deepEqual(answered(await sellTo(service, card)), [400, 'gateway_timeout', null])
    deepEqual(answered(await sellTo(service, card)), [400, 'payment_in_progress', null])
    equal((await sellTo(service, card, { amount: 5 })).body.ok, true, 'another amount is another sale')
    await resolveAll(service)

    const { sales, states, events } = await recorded(service)
    deepEqual(states, ['REVERSED', 'APPROVED'])
    const failed = events.filter(({ type }) => type === 'sale.failed')
    deepEqual(
      failed.map(({ object_id, status }) => [object_id, status]),
      [[sales[0]?.id, 'Failed']],
    )
    equal((await sellTo(service, card)).body.ok, true, 'the same sale may be made again')
    equal(await liveSales(service), 3, 'the session, 5.00 and 12.34')
    await assertSoundBooks(service)
  })

  test('silence with nothing behind it: 400, NOT_CHARGED, sale.failed, and the same sale can be made again', async () => {
    const { service, card } = await openSilent('silent_not_recorded')
    await using _closing = service

    deepEqual(answered(await sellTo(service, card)), [400, 'gateway_timeout', null])
    await resolveAll(service)

    const { states, types } = await recorded(service)
    deepEqual([states, types], [['NOT_CHARGED'], ['sale.failed']])
    equal((await sellTo(service, card)).body.ok, true)
    await reconcileWrittenOff(service.app.services)
    await assertSoundBooks(service)
  })

  for (const [outcome, state] of [
    ['approved_slowly', 'REVERSED'],
    ['declined_slowly', 'DECLINED'],
  ] as const) {
    test(`a response after 20 s (${outcome}) finalizes it as ${state}, with one sale.failed`, async () => {
      const { service, card } = await openSilent(outcome)
      await using _closing = service
      await using book = moneyRows(service.databaseUrl)

      deepEqual(answered(await sellTo(service, card)), [400, 'gateway_timeout', null])
      await until('the late response is written down', async () => (await book.countOpen()) === 0)

      const { states, types } = await recorded(service)
      deepEqual([states, types], [[state], ['sale.failed']])
      await assertSoundBooks(service)
    })
  }

  test('with a key: the same request receives the current state, and never charges again', async () => {
    const { service, card } = await openSilent('silent_recorded')
    await using _closing = service
    const ask = (amount = 7) => sellTo(service, card, { amount }, 'order-7')

    const [first, beside] = await Promise.all([ask(), until('it is sent', () => inProgress(ask))])
    deepEqual(answered(first), [400, 'gateway_timeout', null])
    deepEqual(answered(beside), [400, 'payment_in_progress', null])
    deepEqual(answered(await ask()), [400, 'gateway_timeout', null])
    equal((await ask(8)).status, 422)
    await resolveAll(service)
    deepEqual(answered(await ask()), [400, 'gateway_timeout', false])

    deepEqual((await recorded(service)).states, ['REVERSED'])
    equal((await sellTo(service, card, { amount: 7 }, 'order-7b')).body.ok, true)
    await assertSoundBooks(service)
  })

  test('a partial approval whose void is lost is returned as a decline at once, and voided later', async () => {
    const { service, card } = await openSilent('partial_ap')
    await using _closing = service
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })

    const { status, body } = await sellTo(service, card, {}, 'order-9')
    deepEqual([status, body.status, body.code], [200, 'Declined', 'AP'])
    await resolveAll(service)

    const { states, types } = await recorded(service)
    deepEqual([states, types], [['REVERSED'], ['sale.failed']])
    deepEqual((await sellTo(service, card, {}, 'order-9')).body, body)
    equal(await liveSales(service), 1, 'the session alone')
    await assertSoundBooks(service)
  })

  test('a hundred sales, each requested twice at once with a key, are each charged once', async () => {
    await using service = await openServiceWithClock({ timeScale: 1 })
    const card = await storeCard(service, 'ana@example.com')
    const orders = Array.from({ length: 100 }, (_, index) => ({ amount: 1 + index, key: `order-${index}` }))

    const responses = await Promise.all(
      orders.flatMap(({ amount, key }) => [0, 1].map(() => sellTo(service, card, { amount }, key))),
    )

    for (const { body } of responses) ok(body.ok || body.code === 'payment_in_progress', JSON.stringify(body))
    equal((await recorded(service)).sales.length, 100)
    equal(await liveSales(service), 101)
    await assertSoundBooks(service)
  })
})

/** Makes the same sale shortly after the first, which is still in progress. @returns the response */
async function inProgress(ask: () => ReturnType<typeof sellTo>) {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return ask()
}
