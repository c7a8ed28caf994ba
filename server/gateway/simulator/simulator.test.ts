import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSimulator, type Simulator } from './simulator.ts'
import type { ScriptBody, SettleResponse, TransactionResponse } from './wire.ts'

const MERCHANT_CHARGE = { initiator: 'merchant', reason: 'recurring', initial: false } as const
const FIRST_CHARGE = { initiator: 'cardholder', reason: 'recurring', initial: true } as const

describe('Duplicate references', () => {
  test('a recorded reference cannot be used again by any transaction', async () => {
    const { sell, move, simulator } = await shop()
    const { gatewayRef } = await sell('a')
    equal((await sell('a')).outcome, 'duplicate')
    equal((await move('void', 'a', gatewayRef)).outcome, 'duplicate')
    equal((await sell('b', { number: '4000000000000002' })).outcome, 'declined')
    equal((await sell('b')).outcome, 'duplicate')
    equal(simulator.ledger.rows.filter((row) => row.recorded).length, 2)
  })

  test('a transaction that was not recorded may be sent again under the same reference', async () => {
    const { sell, simulator } = await shop()
    simulator.applyScript({ outcomes: [{ op: 'sale', outcome: 'reset_not_recorded' }] })
    await sell('a')
    equal((await sell('a')).outcome, 'approved')
  })

  test('each terminal has its own references', async () => {
    const { sell } = await shop()
    await sell('a')
    equal((await sell('a', { terminal: 'another' })).outcome, 'approved')
  })
})

describe('Batches', () => {
  test('a settlement counts sales that are not voided, minus refunds', async () => {
    const { sell, move, settle } = await shop()
    await sell('a')
    const b = await sell('b', { amount: 500 })
    const c = await sell('c', { amount: 300 })
    await sell('d', { number: '4000000000000002' })
    await move('void', 'e', b.gatewayRef)
    await move('refund', 'f', c.gatewayRef, 100)
    deepEqual(await settle(), { ok: true, batch: 'B1', count: 3, amount: 1200 })
  })

  test('settling an empty batch is an error: nothing sold, all voided, or just settled', async () => {
    const { sell, move, settle } = await shop()
    equal(errorOf(await settle()), 'batch_empty')
    const { gatewayRef } = await sell('a')
    await move('void', 'b', gatewayRef)
    equal(errorOf(await settle()), 'batch_empty')
    await sell('c')
    equal((await settle()).ok, true)
    equal(errorOf(await settle()), 'batch_empty')
  })

  test('each currency has its own batch, and the next row opens a new one', async () => {
    const { sell, settle, simulator } = await shop()
    await sell('a')
    await sell('b', { currency: 'CAD' })
    await settle()
    await sell('c')
    deepEqual(
      simulator.ledger.rows.map((row) => [row.merchantRef, row.batch, simulator.ledger.state(row)]),
      [
        ['a', 'B1', 'settled'],
        ['b', 'B2', 'open'],
        ['B1', 'B1', 'settled'],
        ['c', 'B3', 'open'],
      ],
    )
  })

  test('when a settlement fails, the batch stays open', async () => {
    const { sell, move, settle, simulator } = await shop()
    const { gatewayRef } = await sell('a')
    simulator.applyScript({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
    equal(errorOf(await settle()), 'settle_failed')
    equal((await move('void', 'b', gatewayRef)).outcome, 'approved')
  })

  test('a sale with a refund cannot be voided, and an open sale can be refunded', async () => {
    const { sell, move } = await shop()
    const { gatewayRef } = await sell('a')
    equal((await move('refund', 'b', gatewayRef, 1)).outcome, 'approved')
    equal((await move('void', 'c', gatewayRef)).reason, 'not_permitted')
  })

  test('a terminal cannot void the sale of another terminal', async () => {
    const { sell, move } = await shop()
    const { gatewayRef } = await sell('a', { terminal: 'another' })
    equal((await move('void', 'b', gatewayRef)).reason, 'invalid_request')
  })
})

describe('Stored credentials', () => {
  test('a merchant-initiated charge without an earlier one by the cardholder is declined, with a warning', async () => {
    const { sell, simulator } = await shop()
    await sell('a')
    equal((await sell('b', { storedCredential: MERCHANT_CHARGE, cvv: undefined })).code, 'ND')
    deepEqual(simulator.ledger.rows[1]?.warnings, ['merchant-initiated without an earlier charge by the cardholder'])
  })

  test('a declined first charge does not store the card', async () => {
    const { sell, simulator } = await shop()
    simulator.applyScript({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    await sell('a', { storedCredential: FIRST_CHARGE })
    equal((await sell('b', { storedCredential: MERCHANT_CHARGE, cvv: undefined })).code, 'ND')
  })

  test('after an approved first charge it is approved, and a CVV causes a warning', async () => {
    const { sell, simulator } = await shop()
    await sell('a', { storedCredential: FIRST_CHARGE })
    equal((await sell('b', { storedCredential: MERCHANT_CHARGE })).code, 'AA')
    deepEqual(simulator.ledger.rows[1]?.warnings, ['CVV sent with a merchant-initiated charge'])
  })

  test('a script can approve unknown stored cards, still with the warning', async () => {
    const { sell, simulator } = await shop()
    simulator.applyScript({ unknownStoredCards: 'warn' })
    equal((await sell('a', { storedCredential: MERCHANT_CHARGE, cvv: undefined })).code, 'AA')
    equal(simulator.ledger.rows[0]?.warnings?.length, 1)
  })
})

describe('Script', () => {
  test('an outcome applies to the calls that it names, as often as `times` says', async () => {
    const { sell, simulator } = await shop()
    simulator.applyScript({
      outcomes: [
        { op: 'sale', merchantRef: 'c', outcome: 'stolen_card' },
        { op: 'sale', terminal: 'another', outcome: 'referral' },
        { op: 'sale', outcome: 'declined', times: 2 },
        { op: 'void', outcome: 'pick_up_card' },
      ],
    })
    const codes = []
    for (const ref of ['a', 'b', 'c', 'd']) codes.push((await sell(ref)).code)
    deepEqual(codes, ['ND', 'ND', 'NC', 'AA'])
    equal((await sell('e', { terminal: 'another' })).code, 'NR')
  })

  test('the same seed gives the same faults, at about the given rate', async () => {
    const faults = { seed: 7, rates: { silent_recorded: 0.2, reset_not_recorded: 0.1 } }
    const first = await deliveriesUnder({ faults })
    deepEqual(await deliveriesUnder({ faults }), first)
    const silent = first.filter((delivery) => delivery === 'silence').length
    ok(silent > 60 && silent < 140, `${silent} of 500`)
  })

  test('the latency is within its range', async () => {
    const { simulator, ask } = await shop()
    simulator.applyScript({ latency: { minMs: 300, maxMs: 300 } })
    equal((await ask('a')).waitMs, 300)
    simulator.applyScript({ latency: { minMs: 100, maxMs: 200 } })
    const { waitMs } = await ask('b')
    ok(waitMs >= 100 && waitMs <= 200)
  })

  test('an outage ends after its duration', async () => {
    let ms = 0
    const simulator = await openSimulator({ clock: { now: () => new Date(), monotonicMs: () => ms } })
    simulator.applyScript({ down: { mode: 'reset', forMs: 1000 } })
    ms = 999
    equal(simulator.script.down(), 'reset')
    ms = 1000
    equal(simulator.script.down(), null)
  })

  test('a reset clears everything except the clock offset', async () => {
    const { sell, simulator } = await shop()
    const rates = { silent_recorded: 1 }
    simulator.applyScript({ outcomes: [{ op: 'sale', outcome: 'declined' }], faults: { seed: 1, rates } })
    simulator.applyScript({
      down: { mode: 'reset', forMs: 1000 },
      latency: { minMs: 5, maxMs: 5 },
      advanceClockMs: 60_000,
    })
    simulator.script.reset()
    equal((await sell('a')).code, 'AA')
    equal(simulator.script.down(), null)
    equal(simulator.script.latencyMs(), 0)
    ok(simulator.script.now() >= Date.now() + 59_000)
  })

  test('an invalid script is refused with the name of the field', async () => {
    const { simulator } = await shop()
    for (const [body, complaint] of [
      [null, /^body /],
      [{ outcomes: [{ op: 'sale', outcome: 'wonder' }] }, /^\/outcomes\/0\/outcome /],
      [{ outcomes: [{ op: 'dance' }] }, /^\/outcomes\/0\/op /],
      [{ down: { mode: 'sulk', forMs: 1 } }, /^\/down\/mode /],
      [{ faults: { seed: 1, rates: { wonder: 0.5 } } }, /^\/faults\/rates/],
      [{ faults: { seed: 1, rates: { declined: 2 } } }, /^\/faults\/rates\/declined /],
      [{ advanceClockMs: -1 }, /^\/advanceClockMs /],
    ] as const) {
      ok(complaint.test(simulator.applyScript(body) ?? ''), JSON.stringify(body))
    }
  })
})

async function deliveriesUnder(script: ScriptBody): Promise<unknown[]> {
  const { ask, simulator } = await shop()
  simulator.applyScript(script)
  const deliveries = []
  for (let n = 0; n < 500; n++) deliveries.push((await ask(`n-${n}`)).delivery)
  return deliveries
}

function errorOf(response: SettleResponse): string | null {
  return response.ok ? null : response.error
}

async function shop() {
  const simulator: Simulator = await openSimulator({ seed: 'TEST' })
  const ask = (merchantRef: string, change: Record<string, unknown> = {}) => {
    const { terminal = 'shop', number = '4242424242424242', ...rest } = change
    const card = { number, expMonth: 12, expYear: 2090 }
    return simulator.handle('sale', String(terminal), {
      merchantRef,
      amount: 1000,
      currency: 'USD',
      card,
      cvv: '123',
      ...rest,
    })
  }
  return {
    simulator,
    ask,
    sell: async (merchantRef: string, change: Record<string, unknown> = {}) =>
      (await ask(merchantRef, change)).response as TransactionResponse,
    move: async (op: 'void' | 'refund', merchantRef: string, gatewayRef: string | undefined, amount?: number) =>
      (await simulator.handle(op, 'shop', { merchantRef, gatewayRef, amount })).response as TransactionResponse,
    settle: async () => (await simulator.settle({ terminal: 'shop', currency: 'USD' })).response as SettleResponse,
  }
}
