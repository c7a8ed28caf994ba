import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Cents } from '../../lib/money.ts'
import type { BatchInquiry, GatewayBatch, SettleRequest, SettleResult, Terminal } from '../gateway.ts'
import { ADAPTERS, type AdapterUnderTest } from './adapters.ts'
import { deadline, endsAfter, newRef, saleRequest, transaction } from './requests.ts'

// The contract of `inquireBatch` and `settle`, for every adapter that has the capability. adapters.ts lists them.

const PARTIAL = '4000990000000103'
const DECLINED = '4000000000000002'
const EMPTY = { salesCount: 0, salesAmount: 0, refundsCount: 0, refundsAmount: 0, voidsCount: 0, voidsAmount: 0 }
const UNUSABLE = ['http_500_not_recorded', 'reset_recorded', 'half_response_recorded', 'garbled_recorded'] as const

for (const [name, start] of ADAPTERS) {
  describe(`Gateway port, batches: ${name}`, () => {
    let harness: AdapterUnderTest
    before(async () => {
      harness = await start()
      equal(harness.gateway.capabilities.batches, true)
    })
    after(() => harness.close())

    const newTerminal = (): Terminal => ({ id: `batch-${newRef()}`, currency: 'USD' })
    const sell = (terminal: Terminal, change: { number?: string; merchantRef?: string } = {}) =>
      harness.gateway.sale(saleRequest({ terminal, currency: terminal.currency, ...change }))
    const inquire = (terminal: Terminal, change: Partial<BatchInquiry> = {}) =>
      harness.gateway.inquireBatch({ terminal, signal: deadline(), ...change })
    const settle = (terminal: Terminal, batch: string, change: Partial<SettleRequest> = {}) =>
      harness.gateway.settle({ terminal, batch, signal: deadline(), ...change })

    async function approved(terminal: Terminal) {
      const merchantRef = newRef()
      const sale = await sell(terminal, { merchantRef })
      ok(sale.outcome === 'approved')
      return { ...transaction(), terminal, gatewayRef: sale.gatewayRef, originalMerchantRef: merchantRef }
    }

    async function openBatch(terminal: Terminal): Promise<GatewayBatch> {
      const found = await inquire(terminal)
      ok(found.found === true)
      equal(found.batch.state, 'open')
      return found.batch
    }

    async function withOpenBatch(): Promise<{ terminal: Terminal; batch: string }> {
      const terminal = newTerminal()
      await approved(terminal)
      return { terminal, batch: (await openBatch(terminal)).name }
    }

    function settled(result: SettleResult): GatewayBatch {
      ok(result.outcome === 'settled', JSON.stringify(result))
      equal(result.batch.state, 'settled')
      return result.batch
    }

    test('a terminal that holds nothing has no open batch', async () => {
      deepEqual(await inquire(newTerminal()), { found: false })
    })

    test('the open batch has the totals of its sales, refunds and voids; a voided sale counts as a void only', async () => {
      const terminal = newTerminal()
      await approved(terminal)
      const refunded = await approved(terminal)
      const voided = await approved(terminal)
      await sell(terminal, { number: PARTIAL })
      await sell(terminal, { number: DECLINED })
      equal((await harness.gateway.refund({ ...refunded, amount: 400 as Cents })).outcome, 'approved')
      equal((await harness.gateway.void(voided)).outcome, 'approved')

      const { totals, settlementReference } = await openBatch(terminal)
      deepEqual(totals, {
        salesCount: 3,
        salesAmount: 2_600,
        refundsCount: 1,
        refundsAmount: 400,
        voidsCount: 1,
        voidsAmount: 1_000,
      })
      equal(settlementReference, null)
    })

    test('an inquiry of a sale names the batch in which it is', async () => {
      const { terminal, batch } = await withOpenBatch()
      const { originalMerchantRef: merchantRef } = await approved(terminal)
      const found = await harness.gateway.inquire({ terminal, merchantRef, signal: deadline() })
      deepEqual(found.found === true && [found.transaction.batch, found.transaction.batchOpen], [batch, true])
    })

    test('a settled batch keeps its totals and has a reference; later sales are in another batch', async () => {
      const { terminal, batch } = await withOpenBatch()
      const before = await openBatch(terminal)
      const closed = settled(await settle(terminal, batch))
      deepEqual([closed.name, closed.totals], [batch, before.totals])
      ok(closed.settlementReference)
      deepEqual(await inquire(terminal), { found: false })
      deepEqual(await inquire(terminal, { batch }), { found: true, batch: closed })

      await approved(terminal)
      notEqual((await openBatch(terminal)).name, batch)
      deepEqual(await inquire(terminal, { batch }), { found: true, batch: closed })
    })

    test('settling again returns the same settlement, and leaves the batch that opened meanwhile open', async () => {
      const { terminal, batch } = await withOpenBatch()
      const first = settled(await settle(terminal, batch))
      await approved(terminal)
      deepEqual(settled(await settle(terminal, batch)), first)
      notEqual((await openBatch(terminal)).name, batch)
    })

    test('two settlements at once are one', async () => {
      const { terminal, batch } = await withOpenBatch()
      const [one, other] = await Promise.all([settle(terminal, batch), settle(terminal, batch)])
      deepEqual(one && settled(one), other && settled(other))
      const rows = await harness.control.rows({ terminal: terminal.id })
      equal(rows.filter(({ op, recorded }) => op === 'settle' && recorded).length, 1)
    })

    test('a batch of another terminal, another currency or an unknown name is not found, and its settlement refused', async () => {
      const { terminal, batch } = await withOpenBatch()
      for (const [of, named] of [
        [newTerminal(), batch],
        [{ ...terminal, currency: 'CAD' } as const, batch],
        [terminal, 'B999999999999'],
      ] as const) {
        deepEqual(await inquire(of, { batch: named }), { found: false })
        equal((await settle(of, named)).outcome, 'refused')
      }
      equal((await openBatch(terminal)).name, batch)
    })

    test('a batch of declined sales is empty, and its settlement is refused', async () => {
      const terminal = newTerminal()
      await sell(terminal, { number: DECLINED })
      const { name, totals } = await openBatch(terminal)
      deepEqual(totals, EMPTY)
      const refused = await settle(terminal, name)
      ok(refused.outcome === 'refused' && refused.code && refused.message)
    })

    test('a settlement that the gateway refuses leaves the batch open', async () => {
      const { terminal, batch } = await withOpenBatch()
      await harness.control.script({ outcomes: [{ op: 'settle', terminal: terminal.id, outcome: 'declined' }] })
      const refused = await settle(terminal, batch)
      ok(refused.outcome === 'refused' && refused.code && refused.message)
      equal((await openBatch(terminal)).name, batch)
      settled(await settle(terminal, batch))
    })

    for (const outcome of [...UNUSABLE, 'silent_recorded', 'silent_not_recorded'] as const) {
      const isSettled = !outcome.endsWith('not_recorded')
      test(`a settlement with the outcome ${outcome} is unknown, and the batch is ${isSettled ? 'settled' : 'open'}`, async () => {
        const { terminal, batch } = await withOpenBatch()
        await harness.control.script({ outcomes: [{ op: 'settle', terminal: terminal.id, outcome }] })
        equal((await settle(terminal, batch, endsAfter(150))).outcome, 'unknown')
        const found = await inquire(terminal, { batch })
        equal(found.found === true && found.batch.state, isSettled ? 'settled' : 'open')
        settled(await settle(terminal, batch))
      })
    }

    for (const body of [
      '{"ok":true}',
      '{"ok":true,"batch":{"name":"B1","state":"open"}}',
      '{"ok":false}',
      '[]',
      '<html>',
    ]) {
      test(`the settlement ${body} is unknown`, async () => {
        const { terminal, batch } = await withOpenBatch()
        const raw = { status: 200, body, recorded: false }
        await harness.control.script({ outcomes: [{ op: 'settle', terminal: terminal.id, raw }] })
        equal((await settle(terminal, batch)).outcome, 'unknown')
      })
    }

    test('settled, but the batch is open: unknown', async () => {
      const { terminal, batch } = await withOpenBatch()
      const view = { ...EMPTY, name: batch, state: 'open', reference: null }
      const raw = { status: 200, body: JSON.stringify({ ok: true, batch: view }), recorded: false }
      await harness.control.script({ outcomes: [{ op: 'settle', terminal: terminal.id, raw }] })
      equal((await settle(terminal, batch)).outcome, 'unknown')
    })

    for (const outcome of [...UNUSABLE, 'indeterminate'] as const) {
      test(`an inquiry with the outcome ${outcome} is indeterminate, and has a code and a message`, async () => {
        const { terminal } = await withOpenBatch()
        await harness.control.script({ outcomes: [{ op: 'batch', terminal: terminal.id, outcome }] })
        const found = await inquire(terminal)
        ok(found.found === 'indeterminate' && found.code && found.message)
        await openBatch(terminal)
      })
    }

    test('without a response both end when the signal fires', async () => {
      const { terminal, batch } = await withOpenBatch()
      await harness.control.script({
        outcomes: [{ op: 'batch', terminal: terminal.id, outcome: 'silent_recorded' }],
      })
      equal((await inquire(terminal, { signal: AbortSignal.timeout(60) })).found, 'indeterminate')
      equal((await settle(terminal, batch, { signal: AbortSignal.abort() })).outcome, 'not_sent')
      equal((await inquire(terminal, { signal: AbortSignal.abort() })).found, 'indeterminate')
      await openBatch(terminal)
    })

    test('mayStillSend returning false is not_sent, and the batch stays open', async () => {
      const { terminal, batch } = await withOpenBatch()
      equal((await settle(terminal, batch, { mayStillSend: () => false })).outcome, 'not_sent')
      equal((await openBatch(terminal)).name, batch)
    })

    test('a gateway that is away: not sent, and indeterminate', async () => {
      const { terminal, batch } = await withOpenBatch()
      const both = () => Promise.all([settle(terminal, batch), inquire(terminal)])
      const [settlement, found] = await harness.whileAway(both)
      deepEqual([settlement.outcome, found.found], ['not_sent', 'indeterminate'])
    })
  })
}
