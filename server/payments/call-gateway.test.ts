import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { movableClock } from '../../test/support/movable-clock.ts'
import { directSimulatorGateway } from '../gateway/adapters/simulator/direct-simulator-gateway.ts'
import { openSimulator } from '../gateway/simulator/simulator.ts'
import type { Cents } from '../lib/money.ts'
import { callGateway } from './call-gateway.ts'
import { gatewayTimings, type Operation } from './operation.ts'

const TIMINGS = gatewayTimings(0.01)
const CARD = { kind: 'pan', number: '4242424242424242', expMonth: 12, expYear: 2090 } as const

test('PAY-5: a process suspended after recording the intent sends nothing after the deadline', async () => {
  await using gateway = await openGateway()
  const clock = movableClock()
  const sale = newSale(clock.now())
  clock.advance(600)

  equal((await gateway.ask(sale, clock)).outcome, 'not_sent')
  deepEqual(gateway.rows(), [])
})

test('PAY-5: before the deadline the sale is sent', async () => {
  await using gateway = await openGateway()
  const clock = movableClock()

  equal((await gateway.ask(newSale(clock.now()), clock)).outcome, 'approved')
  equal(gateway.rows().length, 1)
})

async function openGateway() {
  const simulator = await openSimulator()
  const gateway = directSimulatorGateway(simulator)
  const sale = { amount: 2550 as Cents, currency: 'USD', source: CARD } as const
  return {
    ask: (operation: Operation, clock: ReturnType<typeof movableClock>) =>
      callGateway(operation, (shared) => gateway.sale({ ...shared, ...sale }), {
        clock,
        timings: TIMINGS,
        onLateResult: async () => {},
      }),
    rows: () => simulator.ledger.rows,
    [Symbol.asyncDispose]: () => gateway.close(),
  }
}

function newSale(now: Date): Operation {
  return {
    businessId: 'business',
    id: 'sale',
    kind: 'sale',
    state: 'SENT',
    merchantRef: 'SALE-1',
    terminalId: 'terminal',
    gateway: 'simulator',
    merchantCode: 'shop',
    owner: { kind: 'stored_card_sale', id: '01900000-0000-7000-8000-000000000001' },
    parentId: null,
    amount: 2550 as Cents,
    currency: 'USD',
    storedCard: null,
    gatewayRef: null,
    epoch: 1,
    sentAt: now,
    deadlineAt: new Date(now.getTime() + TIMINGS.responseMs),
    inquiries: 0,
    notFoundSince: null,
  }
}
