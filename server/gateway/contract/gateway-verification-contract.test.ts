import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { StoredCredential } from '../gateway.ts'
import { ADAPTERS, type AdapterUnderTest } from './adapters.ts'
import { deadline, endsAfter, newRef, saleRequest, verifyRequest } from './requests.ts'

// Every adapter that can verify cards passes the same tests; adapters.ts lists them.

for (const [name, start] of ADAPTERS) {
  describe(`Verification of cards: ${name}`, () => {
    let harness: AdapterUnderTest
    before(async () => {
      harness = await start()
    })
    after(() => harness.close())

    const sell = (number: string, storedCredential: StoredCredential) =>
      harness.gateway.sale(saleRequest({ number, storedCredential }))

    for (const [number, outcome, code] of [
      ['4242424242424242', 'approved', 'AA'],
      ['4000990000000103', 'approved', 'AA'],
      ['4000000000000002', 'declined', 'ND'],
      ['4000000000009987', 'declined', 'NC'],
      ['4000990000045009', 'declined', 'ND'],
    ] as const) {
      test(`a verification of ${number} is ${outcome}, and no transaction`, async () => {
        const merchantRef = newRef()
        const terminal = { id: `verified-${merchantRef}`, currency: 'USD' } as const
        const result = await harness.gateway.verify(verifyRequest({ number, merchantRef, terminal }))
        deepEqual([result.outcome, 'code' in result && result.code], [outcome, code])
        deepEqual(await harness.gateway.inquire({ terminal, merchantRef, signal: deadline() }), { found: false })
        const [row, ...more] = await harness.control.rows({ merchantRef })
        deepEqual(
          [row?.op, row?.amount, row?.approvedAmount, row?.batch, row?.state, more],
          ['verify', 0, 0, undefined, null, []],
        )
        const settled = await harness.control.settle(terminal.id, 'USD')
        equal(settled.ok === false && settled.error, 'batch_empty')
      })
    }

    test('a verification stores a card as a charge does: later charges without the payer are approved', async () => {
      const number = '4000990000003701'
      const later = { initiator: 'merchant', reason: 'recurring', initial: false } as const
      equal((await sell(number, later)).outcome, 'declined')
      const storedCredential = { initiator: 'cardholder', reason: 'recurring', initial: true } as const
      const result = await harness.gateway.verify(verifyRequest({ number, storedCredential }))
      ok(result.outcome === 'approved' && result.networkTransactionId)
      equal((await sell(number, later)).outcome, 'approved')
    })

    test('a verification without a usable response is unknown, or not sent', async () => {
      const verify = (change: Parameters<typeof verifyRequest>[0]) => harness.gateway.verify(verifyRequest(change))
      equal((await verify({ number: '4000990000046007', ...endsAfter(60) })).outcome, 'unknown')
      equal((await verify({ number: '4000990000002000' })).outcome, 'unknown')
      equal((await verify({ signal: AbortSignal.abort() })).outcome, 'not_sent')
      equal((await verify({ number: '4242424242424241' })).outcome, 'refused')
    })
  })
}
