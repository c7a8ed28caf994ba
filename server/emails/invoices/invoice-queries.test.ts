import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { exampleInvoice } from '../../../test/support/example-invoice.ts'
import { connect, type Database } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { newId } from '../../lib/ids.ts'
import type { Invoice, NewInvoice } from './invoice.ts'
import { findInvoice, issueInvoices } from './invoice-queries.ts'

const businessId = newId()
const invoiceOf = (given: Partial<NewInvoice> = {}): NewInvoice => ({
  ...exampleInvoice(),
  businessId,
  subscriptionId: newId(),
  paymentId: newId(),
  ...given,
})

describe('Issuing invoices', () => {
  let testDatabase: TestDatabase
  let database: Database
  before(async () => {
    testDatabase = await createTestDatabase()
    // On a busy machine fifty calls wait for twenty connections longer than a request may.
    database = connect({ url: testDatabase.url, max: 20, waitMs: 60_000 })
  })
  after(async () => {
    await database.close()
    await testDatabase.drop()
  })
  async function issueIn(tx: Tx, invoice: NewInvoice): Promise<Invoice> {
    const [issued] = await issueInvoices(tx, invoice.businessId, [invoice])
    if (!issued) throw new Error('no invoice was issued')
    return issued
  }
  const issue = (invoice: NewInvoice) => transaction(database.db, (tx) => issueIn(tx, invoice))
  const numbersOf = async (id: string) =>
    (
      await database.db.selectFrom('invoice').select('number').where('business_id', '=', id).orderBy('number').execute()
    ).map(({ number }) => number)
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  test('numbers those of a business from 1, and each business by itself (LTR-17)', async () => {
    const [ours, theirs] = [newId(), newId()]
    for (const owner of [ours, theirs, ours]) await issue(invoiceOf({ businessId: owner }))
    deepEqual(await numbersOf(ours), [1, 2])
    deepEqual(await numbersOf(theirs), [1])
  })

  test('leaves no gap and gives no number twice when fifty are issued at once and some are rolled back (LTR-17)', async () => {
    const owner = newId()
    const work = upTo(70).map((index) =>
      transaction(database.db, async (tx) => {
        const issued = await issueIn(tx, invoiceOf({ businessId: owner }))
        if (index % 7 >= 5) throw new Error('rolled back')
        return issued.number
      }),
    )
    const outcomes = await Promise.allSettled(work)
    const given = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    equal(given.length, 50)
    deepEqual(
      given.toSorted((a, b) => a - b),
      upTo(50),
    )
    deepEqual(await numbersOf(owner), upTo(50))
  })

  test('returns the invoice that a payment has already, also when several ask at once (LTR-17)', async () => {
    const invoice = invoiceOf({ businessId: newId() })
    // The counter already exists, so the following calls wait for nothing else.
    await issue(invoiceOf({ businessId: invoice.businessId }))
    const issued = await Promise.all(upTo(10).map(() => issue(invoice)))
    equal(new Set(issued.map(({ id }) => id)).size, 1)
    deepEqual(await numbersOf(invoice.businessId), [1, 2])
    const later = await issue({ ...invoice, data: { ...invoice.data, timeZone: 'UTC' } })
    deepEqual(later, issued[0])
  })

  test('issues one for a subscription before its first charge, and one for each of its payments (LTR-17)', async () => {
    const unpaid = invoiceOf({ paymentId: null })
    const first = await issue(unpaid)
    equal((await issue(unpaid)).id, first.id)
    notEqual((await issue({ ...unpaid, paymentId: newId() })).id, first.id)
    notEqual((await issue(invoiceOf({ paymentId: null }))).id, first.id)
  })

  test('issues several at once in their order, and one for what is named twice (LTR-17)', async () => {
    const owner = newId()
    const known = await issue(invoiceOf({ businessId: owner }))
    const [first, second] = [invoiceOf({ businessId: owner }), invoiceOf({ businessId: owner, paymentId: null })]
    const given = [first, known, second, { ...second }, invoiceOf({ businessId: owner })]
    const issued = await transaction(database.db, (tx) => issueInvoices(tx, owner, given))
    deepEqual(
      issued.map(({ number }) => number),
      [2, 1, 3, 3, 4],
    )
    deepEqual(await numbersOf(owner), [1, 2, 3, 4])
    equal((await findInvoice(database.db, owner, issued[2]?.id ?? ''))?.subscriptionId, second.subscriptionId)
  })

  test('keeps what is printed, and the logo that the business had (LTR-16)', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    const logo = { hash: 'aa', mediaType: 'image/png', bytes }
    const invoice = invoiceOf({ logo })
    invoice.data.seller.logoHash = logo.hash
    const issued = await issue(invoice)
    deepEqual(await findInvoice(database.db, businessId, issued.id), issued)
    // The same picture is stored once.
    await issue({ ...invoice, subscriptionId: newId(), paymentId: newId() })
    const plain = await issue(invoiceOf())
    equal((await findInvoice(database.db, businessId, plain.id))?.logo, null)
  })

  test('is found by its own business only', async () => {
    const issued = await issue(invoiceOf())
    equal(await findInvoice(database.db, newId(), issued.id), undefined)
  })
})
