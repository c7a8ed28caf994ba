import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addSeconds } from '../../lib/clock.ts'
import type { Cents } from '../../lib/money.ts'
import type { ListedTransaction, ListRequest, ListResult, Terminal } from '../gateway.ts'
import { ADAPTERS, type AdapterUnderTest } from './adapters.ts'
import { deadline, endsAfter, newRef, saleRequest, transaction } from './requests.ts'

// The contract of `list`, for every adapter. The rest of the contract is in gateway-contract.test.ts.

const PARTIAL = '4000990000000103'
const DECLINED = '4000000000000002'
const HIDDEN = '4000990000002703'
const SILENT_BOOKED = '4000990000001309'

for (const [name, start] of ADAPTERS) {
  describe(`Gateway port, list: ${name}`, () => {
    let harness: AdapterUnderTest
    before(async () => {
      harness = await start()
    })
    after(() => harness.close())

    const newTerminal = (): Terminal => ({ id: `list-${newRef()}`, currency: 'USD' })
    const sell = (terminal: Terminal, number?: string, merchantRef = newRef()) =>
      harness.gateway.sale(saleRequest({ terminal, merchantRef, ...(number !== undefined && { number }) }))
    const page = (terminal: Terminal, change: Partial<ListRequest> = {}): Promise<ListResult> => {
      const now = new Date()
      const span = { from: addSeconds(now, -600), until: addSeconds(now, 600) }
      return harness.gateway.list({ terminal, ...span, signal: deadline(), ...change })
    }

    async function listAll(terminal: Terminal): Promise<{ transactions: ListedTransaction[]; pages: number }> {
      const transactions: ListedTransaction[] = []
      let after: string | null | undefined
      for (let pages = 1; ; pages++) {
        const result = await page(terminal, { ...(after && { after }) })
        ok(result.listed)
        transactions.push(...result.transactions)
        after = result.next
        if (after === null) return { transactions, pages }
      }
    }

    test('an empty terminal has an empty list', async () => {
      deepEqual(await page(newTerminal()), { listed: true, transactions: [], next: null })
    })

    test('sales and refunds are listed in order, in their current state; a void is a state of its sale', async () => {
      const terminal = newTerminal()
      const refs = Array.from({ length: 5 }, () => newRef())
      const [approved = '', voided = '', declined = '', partial = '', refunded = ''] = refs
      await sell(terminal, undefined, approved)
      const toVoid = await sell(terminal, undefined, voided)
      await sell(terminal, DECLINED, declined)
      await sell(terminal, PARTIAL, partial)
      const toRefund = await sell(terminal, undefined, refunded)
      ok(toVoid.outcome === 'approved' && toRefund.outcome === 'approved')
      const shared = { ...transaction(), terminal }
      await harness.gateway.void({ ...shared, gatewayRef: toVoid.gatewayRef, originalMerchantRef: voided })
      const refund = { ...shared, merchantRef: newRef(), originalMerchantRef: refunded }
      await harness.gateway.refund({ ...refund, gatewayRef: toRefund.gatewayRef, amount: 1000 as Cents })

      const { transactions } = await listAll(terminal)
      deepEqual(
        transactions.map(({ kind, merchantRef, state, approvedAmount }) => [kind, merchantRef, state, approvedAmount]),
        [
          ['sale', approved, 'approved', 1000],
          ['sale', voided, 'voided', 1000],
          ['sale', declined, 'declined', 0],
          ['sale', partial, 'partial', 600],
          ['sale', refunded, 'refunded', 1000],
          ['refund', refund.merchantRef, 'approved', 1000],
        ],
      )
      equal(transactions[1]?.gatewayRef, toVoid.gatewayRef)
      ok(transactions.every(({ at, currency }) => currency === 'USD' && Math.abs(Date.now() - at.getTime()) < 60_000))
    })

    test('a transaction that was recorded without a response is listed, and one that was not recorded is not', async () => {
      const terminal = newTerminal()
      const merchantRef = newRef()
      const request = saleRequest({ terminal, merchantRef, number: SILENT_BOOKED, ...endsAfter(100) })
      equal((await harness.gateway.sale(request)).outcome, 'unknown')
      await sell(terminal, '4000990000001507')
      const { transactions } = await listAll(terminal)
      deepEqual(
        transactions.map((one) => [one.merchantRef, one.state]),
        [[merchantRef, 'approved']],
      )
    })

    test('transactions of another terminal, another currency or another time are not listed', async () => {
      const terminal = newTerminal()
      await sell(terminal)
      deepEqual((await listAll(newTerminal())).transactions, [])
      deepEqual((await listAll({ ...terminal, currency: 'CAD' })).transactions, [])
      const now = new Date()
      const before = await page(terminal, { from: addSeconds(now, -600), until: addSeconds(now, -300) })
      const later = await page(terminal, { from: addSeconds(now, 300), until: addSeconds(now, 600) })
      deepEqual([before, later], [EMPTY, EMPTY])
    })

    test('the time range includes its start and excludes its end', async () => {
      const terminal = newTerminal()
      await sell(terminal)
      const [{ at = new Date() } = {}] = (await listAll(terminal)).transactions
      const next = new Date(at.getTime() + 1)
      const counts = [await page(terminal, { from: at, until: next }), await page(terminal, { from: next })]
      deepEqual(
        counts.map((result) => result.listed && result.transactions.length),
        [1, 0],
      )
      deepEqual(await page(terminal, { until: at }), EMPTY)
    })

    test('the pages of a long list have every transaction exactly once', async () => {
      const terminal = newTerminal()
      const refs: string[] = []
      for (let count = 0; count < 1100; count++) {
        refs.push(newRef())
        await sell(terminal, undefined, refs.at(-1))
      }
      const { transactions, pages } = await listAll(terminal)
      deepEqual(
        transactions.map((one) => one.merchantRef),
        refs,
      )
      equal(pages, 3)
    })

    test('a transaction that an inquiry does not find yet is not listed yet', async () => {
      const terminal = newTerminal()
      await sell(terminal, HIDDEN)
      deepEqual((await listAll(terminal)).transactions, [])
      await harness.control.script({ advanceClockMs: 300 })
      equal((await listAll(terminal)).transactions.length, 1)
    })

    for (const outcome of [
      'indeterminate',
      'http_500_not_recorded',
      'reset_recorded',
      'half_response_recorded',
    ] as const) {
      test(`a list with the outcome ${outcome} is unusable`, async () => {
        await harness.control.script({ outcomes: [{ op: 'list', outcome }] })
        equal((await page(newTerminal())).listed, false)
      })
    }

    for (const body of ['{"transactions":[{"kind":"sale"}],"next":null}', '{"next":null}', '[]', '<html>']) {
      test(`the body ${body} is unusable`, async () => {
        await harness.control.script({ outcomes: [{ op: 'list', raw: { status: 200, body, recorded: false } }] })
        equal((await page(newTerminal())).listed, false)
      })
    }

    test('a list without a response ends when the signal fires', async () => {
      await harness.control.script({ outcomes: [{ op: 'list', outcome: 'silent_recorded' }] })
      equal((await page(newTerminal(), { signal: AbortSignal.timeout(60) })).listed, false)
    })
  })
}

const EMPTY: ListResult = { listed: true, transactions: [], next: null }
