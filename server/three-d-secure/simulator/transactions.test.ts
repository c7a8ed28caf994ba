import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Transactions } from './transactions.ts'

const NUMBER = '4242424242424242'

describe('The transactions of the simulator', () => {
  test('can be authenticated for 80 seconds after the lookup', () => {
    const transactions = new Transactions()
    const { serverTransactionId } = transactions.create(NUMBER, 1_000)
    equal(transactions.findUnused(serverTransactionId, 80_999)?.number, NUMBER)
    equal(transactions.findUnused(serverTransactionId, 81_000), undefined)
  })

  test('keep the result of a challenge for 300 seconds', () => {
    const transactions = new Transactions()
    const transaction = transactions.create(NUMBER, 1_000)
    const { serverTransactionId } = transaction
    equal(transactions.resultOf(serverTransactionId, 2_000), undefined)
    transaction.result = { message: { transStatus: 'Y' }, at: 2_000 }
    equal(transactions.resultOf(serverTransactionId, 301_999)?.transStatus, 'Y')
    equal(transactions.resultOf(serverTransactionId, 302_000), undefined)
  })
})
