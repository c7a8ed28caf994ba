import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../test/support/free-ports.ts'
import { until } from '../../../test/support/until.ts'
import type { Cents } from '../../lib/money.ts'
import type { GatewayResult, RefundRequest, SaleRequest, VoidRequest } from '../gateway.ts'
import { ADAPTERS, type AdapterUnderTest } from './adapters.ts'
import { deadline, endsAfter, newRef, saleRequest, transaction } from './requests.ts'

// Every adapter passes the same tests; adapters.ts lists them.

const CODES: [number: string, outcome: GatewayResult['outcome'], code: string, advice?: string][] = [
  ['4242424242424242', 'approved', 'AA'],
  ['4000990000000103', 'partial', 'AP'],
  ['4000990000000202', 'partial', 'AC'],
  ['4000000000000002', 'declined', 'ND', 'none'],
  ['4000000000009987', 'declined', 'NC', 'never'],
  ['4000990000000301', 'declined', 'NF', 'none'],
  ['4000990000000400', 'declined', 'NR', 'none'],
  ['4000990000000509', 'declined', 'N7', 'correct_data'],
  ['4000000000009995', 'declined', 'ND', 'later'],
  ['4000990000000707', 'declined', 'ND', 'never'],
  ['4000990000000806', 'declined', 'ND', 'stop_recurring'],
]

const UNUSABLE_RESPONSES: [response: string, number: string, recorded: boolean][] = [
  ['a reset before recording', '4000990000001507', false],
  ['a reset after recording', '4000990000001606', true],
  ['a truncated response', '4000990000001705', true],
  ['HTTP 500', '4000990000001804', false],
  ['HTTP 503 after recording', '4000990000001903', true],
  ['malformed JSON', '4000990000002000', true],
  ['a sign-in page', '4000990000002109', true],
  ['a duplicate reference', '4000990000002208', false],
  ['an approval without a reference', '4000990000002505', true],
  ['no response after recording', '4000990000001309', true],
  ['no response without recording', '4000990000001408', false],
]

for (const [name, start] of ADAPTERS) {
  describe(`Gateway port: ${name}`, () => {
    let harness: AdapterUnderTest
    before(async () => {
      harness = await start(await freePort())
    })
    after(() => harness.close())

    const sell = (change: Partial<SaleRequest> & { number?: string } = {}) => harness.gateway.sale(saleRequest(change))
    const inquire = (merchantRef: string, terminal = 'shop') =>
      harness.gateway.inquire({ terminal: { id: terminal, currency: 'USD' }, merchantRef, signal: deadline() })
    const voidOf = (gatewayRef: string, change: Partial<VoidRequest> = {}) =>
      harness.gateway.void({ ...transaction(), gatewayRef, originalMerchantRef: 'original', ...change })
    const refundOf = (gatewayRef: string, amount: number, change: Partial<RefundRequest> = {}) =>
      harness.gateway.refund({
        ...transaction(),
        gatewayRef,
        originalMerchantRef: 'original',
        amount: amount as Cents,
        ...change,
      })
    async function approvedSale(change: Parameters<typeof sell>[0] = {}) {
      const sale = await sell(change)
      ok(sale.outcome === 'approved', `${sale.outcome}: ${sale.message}`)
      return sale
    }

    for (const [number, outcome, code, advice] of CODES) {
      test(`${code}${advice ? ` with advice ${advice}` : ''} is ${outcome}, and the inquiry agrees`, async () => {
        const merchantRef = newRef()
        const result = await sell({ number, merchantRef })
        equal(result.outcome, outcome)
        equal('code' in result && result.code, code)
        equal('advice' in result ? result.advice : undefined, advice)

        const found = await inquire(merchantRef)
        ok(found.found === true)
        equal(found.transaction.state, outcome)
        equal(found.transaction.code, code)
        equal(found.transaction.advice, advice)
      })
    }

    test('an approval has every field that a payment stores', async () => {
      const { gatewayRef, issuerReference, approvedAmount, networkTransactionId } = await approvedSale()
      ok(gatewayRef && issuerReference && networkTransactionId)
      equal(approvedAmount, 1000)
    })

    test('a partial approval has the approved amount, and can be voided', async () => {
      const sale = await sell({ number: '4000990000000103' })
      ok(sale.outcome === 'partial')
      equal(sale.approvedAmount, 600)
      equal((await voidOf(sale.gatewayRef)).outcome, 'approved')
    })

    test('less than the requested amount is partial, even with the outcome approved', async () => {
      const result = await scripted('partial_called_approved')
      ok(result.outcome === 'partial')
      equal(result.code, 'AP')
    })

    test('an unknown code is never approved', async () => {
      equal((await scripted('approved_with_unknown_code')).outcome, 'unknown')
    })

    for (const [response, number, recorded] of UNUSABLE_RESPONSES) {
      test(`${response} is unknown, and the inquiry finds ${recorded ? 'the approval' : 'nothing'}`, async () => {
        const merchantRef = newRef()
        equal((await sell({ number, merchantRef, ...endsAfter(150) })).outcome, 'unknown')
        const found = await inquire(merchantRef)
        equal(found.found, recorded)
        if (found.found === true) equal(found.transaction.state, 'approved')
      })
    }

    test('an approval with a status other than 200 is unknown', async () => {
      const body = JSON.stringify({ outcome: 'approved', code: 'AA', gatewayRef: 'G1', approvedAmount: 1000 })
      for (const status of [201, 302, 404, 500]) {
        const merchantRef = newRef()
        await harness.control.script({ outcomes: [{ op: 'sale', merchantRef, raw: { status, body, recorded: true } }] })
        equal((await sell({ merchantRef })).outcome, 'unknown', `HTTP ${status}`)
      }
    })

    test('a late response counts as long as the signal has not fired', async () => {
      const startedAt = performance.now()
      await approvedSale({ number: '4000990000001101' })
      ok(performance.now() - startedAt >= 90)
    })

    test('a sale whose signal fires first is unknown, although it was approved', async () => {
      const merchantRef = newRef()
      equal((await sell({ number: '4000990000001101', merchantRef, ...endsAfter(40) })).outcome, 'unknown')
      await until('it is approved', async () => (await inquire(merchantRef)).found === true)
    })

    test('a signal that has fired already is not_sent, and the gateway receives nothing', async () => {
      const merchantRef = newRef()
      equal((await sell({ merchantRef, signal: AbortSignal.abort() })).outcome, 'not_sent')
      deepEqual(await harness.control.rows({ merchantRef }), [])
    })

    test('mayStillSend returning false is not_sent, and the gateway receives nothing', async () => {
      const merchantRef = newRef()
      equal((await sell({ merchantRef, mayStillSend: () => false })).outcome, 'not_sent')
      deepEqual(await harness.control.rows({ merchantRef }), [])
    })

    test('a refused connection is not_sent, and the same request succeeds later', async () => {
      const request = { merchantRef: newRef() }
      equal((await harness.whileAway(() => sell(request))).outcome, 'not_sent')
      equal((await sell(request)).outcome, 'approved')
    })

    for (const mode of ['reset', 'unavailable', 'silence'] as const) {
      test(`a sale during an outage (${mode}) is unknown`, async () => {
        await harness.control.script({ down: { mode, forMs: 10_000 } })
        const result = await sell(endsAfter(100))
        await harness.control.resetScript()
        equal(result.outcome, 'unknown')
      })
    }

    test('a second sale under the same reference is unknown, and charges nothing', async () => {
      const merchantRef = newRef()
      await approvedSale({ merchantRef })
      equal((await sell({ merchantRef })).outcome, 'unknown')
      equal((await harness.control.rows({ merchantRef })).filter((row) => row.recorded).length, 1)
    })

    test('an inquiry does not find a transaction that was never sent', async () => {
      deepEqual(await inquire(newRef()), { found: false })
    })

    test('an inquiry does not find a sale of another terminal', async () => {
      const merchantRef = newRef()
      await approvedSale({ merchantRef })
      equal((await inquire(merchantRef, 'another-shop')).found, false)
    })

    for (const outcome of ['indeterminate', 'http_500_not_recorded', 'reset_recorded', 'garbled_recorded'] as const) {
      test(`an inquiry with the outcome ${outcome} is indeterminate, not "not found"`, async () => {
        const merchantRef = newRef()
        await harness.control.script({ outcomes: [{ op: 'inquire', merchantRef, outcome }] })
        equal((await inquire(merchantRef)).found, 'indeterminate')
      })
    }

    test('an inquiry may find an approval only after a delay', async () => {
      const merchantRef = newRef()
      await approvedSale({ number: '4000990000002703', merchantRef })
      equal((await inquire(merchantRef)).found, false)
      await harness.control.script({ advanceClockMs: 300 })
      equal((await inquire(merchantRef)).found, true)
    })

    test('a void cancels the sale, and can be inquired about by its own reference', async () => {
      const saleRef = newRef()
      const voidRef = newRef()
      const { gatewayRef } = await approvedSale({ merchantRef: saleRef })
      equal((await voidOf(gatewayRef, { merchantRef: voidRef })).outcome, 'approved')

      const sale = await inquire(saleRef)
      equal(sale.found === true && sale.transaction.state, 'voided')
      const itself = await inquire(voidRef)
      equal(itself.found === true && itself.transaction.state, 'approved')
    })

    test('voiding a voided sale is approved', async () => {
      const { gatewayRef } = await approvedSale()
      equal((await voidOf(gatewayRef)).outcome, 'approved')
      equal((await voidOf(gatewayRef)).outcome, 'approved')
    })

    test('a void without a response is unknown, and the sale stays approved', async () => {
      const merchantRef = newRef()
      const { gatewayRef } = await approvedSale({ number: '4000990000002802', merchantRef })
      equal((await voidOf(gatewayRef)).outcome, 'unknown')
      const sale = await inquire(merchantRef)
      equal(sale.found === true && sale.transaction.state, 'approved')
    })

    test('a declined, voided or nonexistent sale cannot be voided or refunded', async () => {
      const declined = await sell({ number: '4000000000000002' })
      ok(declined.outcome === 'declined' && declined.gatewayRef)
      equal((await voidOf(declined.gatewayRef)).outcome, 'refused')
      equal((await refundOf(declined.gatewayRef, 100)).outcome, 'refused')
      equal((await voidOf('unknown')).outcome, 'refused')
      const { gatewayRef } = await approvedSale()
      await voidOf(gatewayRef)
      equal((await refundOf(gatewayRef, 100)).outcome, 'refused')
    })

    test('the refunds of a sale never exceed its amount', async () => {
      const merchantRef = newRef()
      const { gatewayRef } = await approvedSale({ merchantRef })
      equal((await refundOf(gatewayRef, 600)).outcome, 'approved')
      equal((await refundOf(gatewayRef, 401)).outcome, 'refused')
      equal((await refundOf(gatewayRef, 400)).outcome, 'approved')
      equal((await refundOf(gatewayRef, 1)).outcome, 'refused')
      const sale = await inquire(merchantRef)
      equal(sale.found === true && sale.transaction.state, 'refunded')
    })

    test('a refund can be declined', async () => {
      const { gatewayRef } = await approvedSale({ number: '4000990000002901' })
      equal((await refundOf(gatewayRef, 100)).outcome, 'declined')
    })

    test('after settlement a void is refused and a refund is approved', async () => {
      const terminal = { id: `settled-${newRef()}`, currency: 'USD' } as const
      const merchantRef = newRef()
      const { gatewayRef } = await approvedSale({ terminal, merchantRef })
      const before = await inquire(merchantRef, terminal.id)
      equal(before.found === true && before.transaction.batchOpen, true)
      await harness.control.settle(terminal.id, 'USD')

      const refused = await voidOf(gatewayRef, { terminal })
      equal(refused.outcome === 'refused' && refused.reason, 'not_permitted')
      const after = await inquire(merchantRef, terminal.id)
      equal(after.found === true && after.transaction.batchOpen, false)
      equal((await refundOf(gatewayRef, 1000, { terminal })).outcome, 'approved')
    })

    test('a currency that the terminal does not accept is a configuration error', async () => {
      const result = await sell({ currency: 'CAD' })
      equal(result.outcome === 'refused' && result.reason, 'configuration')
    })

    test('a card number that fails the Luhn check is refused', async () => {
      const result = await sell({ number: '4242424242424241' })
      equal(result.outcome === 'refused' && result.reason, 'invalid_request')
    })

    test('no message contains a card number', async () => {
      const body = JSON.stringify({ outcome: 'declined', code: 'ND', message: 'NO 4242 4242 4242 4242 HERE' })
      const merchantRef = newRef()
      await harness.control.script({
        outcomes: [{ op: 'sale', merchantRef, raw: { status: 200, body, recorded: false } }],
      })
      const result = await sell({ merchantRef })
      equal(result.outcome, 'declined')
      match(result.message, /^NO … HERE$/)
    })

    async function scripted(outcome: 'partial_called_approved' | 'approved_with_unknown_code'): Promise<GatewayResult> {
      const merchantRef = newRef()
      await harness.control.script({ outcomes: [{ op: 'sale', merchantRef, outcome }] })
      return sell({ merchantRef })
    }
  })
}
