import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { lettersOf, setLetters } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, type Subscriber, saveCard } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// DSH-4, DSH-5: a new subscription of the dashboard and its preview, which come from one function.

let service: TestService
let ana: Subscriber
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  owner = await signIn(service)
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const body = (more: object = {}) => ({ customer: ana.customer, payment_method: ana.payment_method, ...more })
const preview = (more: object = {}) => owner.call('POST /subscriptions/preview', { body: body(more) })
const create = (more: object = {}, key?: string) =>
  owner.call('POST /subscriptions', { body: body(more), ...(key !== undefined && { key }) })

async function freshLetters() {
  equal((await ana.api.post('/test_clock/advance', { seconds: 1 })).status, 200)
  return lettersOf(service)
}

describe('POST /subscriptions/preview', () => {
  test('shows to the cent what the create charges, and writes nothing', async () => {
    const terms = { price: ana.price, tax_rate: 13, surcharge_rate: 2.4, installments: 3 }
    const before = await countRows(service.databaseUrl)
    const shown = await preview(terms)
    equal(shown.status, 200, JSON.stringify(shown.body))
    deepEqual(await addedRows(service.databaseUrl, before), {})
    deepEqual(shown.body.amounts, { base: 2500, tax: 325, surcharge: 68, total: 2893 })
    deepEqual([shown.body.first, shown.body.charged_now, shown.body.plan_total], ['charge', 2893, 8679])
    equal(shown.body.next_dates.length, 2)
    equal(shown.body.last_date, shown.body.next_dates.at(-1))

    const made = await create({ ...terms, preview_hash: shown.body.preview_hash })
    equal(made.status, 201, JSON.stringify(made.body))
    const { amount, tax_amount, surcharge_amount, status, view } = made.body
    deepEqual([status, amount, tax_amount, surcharge_amount], ['active', 2893, 325, 68])
    equal(view.next_billing_date, shown.body.next_dates[0])
    deepEqual([view.status, view.frequency], ['ACTIVE', { label: 'Monthly', sequence: 3 }])
    deepEqual(view.amounts, shown.body.amounts)
    const [payment] = (await ana.api.get(`/subscriptions/${made.body.id}/payments`)).body.data
    equal(payment.amount, shown.body.charged_now)
  })

  test('names the letters that follow, each of which is written', async () => {
    await setLetters(service, { notified_emails: ['owner@shop.example'] })
    const shown = await preview({ price: ana.price })
    equal(shown.body.letters.length, 3)
    const known = (await freshLetters()).length
    equal((await create({ price: ana.price })).status, 201)
    const letters = (await freshLetters()).slice(known)
    const named = shown.body.letters.flatMap(({ kind, addresses }: { kind: string; addresses: string[] }) =>
      addresses.map((to) => `${kind} ${to}`),
    )
    deepEqual(named.sort(), letters.map(({ kind, recipient }) => `${kind} ${recipient}`).sort())
  })

  test('BIL-16: a debit card pays no surcharge, and the preview says why', async () => {
    const payment_method = await saveCard(service, ana.customer, CARDS.debit)
    const terms = { price: ana.price, payment_method, surcharge_rate: 2.4 }
    const shown = (await preview(terms)).body
    deepEqual([shown.amounts.surcharge, shown.surcharge_waived], [0, 'funding'])
    equal((await create(terms)).body.surcharge_amount, 0)
  })

  test('refuses what the create refuses, with the field', async () => {
    for (const [more, param] of [
      [{ price: ana.price, tax_rate: 31 }, 'tax_rate'],
      [{ price: ana.price, surcharge_rate: 2.5 }, 'surcharge_rate'],
      [{ price: ana.price, start_date: '2020-01-01' }, 'start_date'],
      [{ price: ana.price, customer: undefined }, 'customer'],
      [{ amount: 500 }, 'frequency'],
      [{ amount: 500, frequency: 'Weekly', price: ana.price }, 'amount'],
      [{}, 'price'],
    ] as const) {
      for (const call of [preview, create]) {
        const { status, body: refused } = await call(more)
        deepEqual([status, refused.error.param], [422, param], JSON.stringify([more, refused]))
      }
    }
  })
})

describe('POST /subscriptions', () => {
  test('DSH-5: terms that are not those of the preview are 409 with the new preview, and nothing is charged', async () => {
    const shown = (await preview({ price: ana.price })).body
    const { status, body: refused } = await create({
      price: ana.price,
      tax_rate: 5,
      preview_hash: shown.preview_hash,
    })
    deepEqual([status, refused.error.code, refused.error.preview.amounts.tax], [409, 'quote_stale', 125])
  })

  test('DSH-4: the same call twice makes one', async () => {
    const key = 'k'.repeat(20)
    const terms = { price: ana.price, reference: 'ROOM-7' }
    const [one, other] = [await create(terms, key), await create(terms, key)]
    deepEqual([one.status, other.status, one.body.id], [201, 201, other.body.id])
    equal(one.body.metadata.reference, 'ROOM-7')
    equal((await create({ ...terms, tax_rate: 1 }, key)).status, 409)
  })

  test('DSH-4: a call whose response was lost gets the subscription that it made', async () => {
    const key = 'lost'.repeat(5)
    const { body: made } = await create({ price: ana.price }, key)
    await loseResponse(service, key)
    const again = await create({ price: ana.price }, key)
    deepEqual([again.status, again.body.id, again.body.installments_billed], [201, made.id, 1])
  })

  test('SUB-50: an amount with a frequency makes its price once, which is not for sale', async () => {
    const terms = { amount: 1999, frequency: 'Bi-Weekly' }
    const one = (await create(terms)).body
    const other = (await create({ ...terms, start_date: undefined })).body
    const [item] = one.items.data
    deepEqual(
      [item.price.unit_amount, item.price.recurring, item.price.active],
      [1999, { interval: 'week', interval_count: 2 }, false],
    )
    equal(other.price, one.price)
    deepEqual([one.view.description, one.view.frequency.sequence], ['Custom', 2])
  })

  test('SUB-1: declined: 402 with the code, and nothing is left behind, not even its price', async () => {
    const before = await countRows(service.databaseUrl)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    const { status, body: refused } = await create({ amount: 4321, frequency: 'Annual' })
    deepEqual([status, refused.error.code, refused.error.decline_code], [402, 'card_declined', 'ND'])
    const added = Object.keys(await addedRows(service.databaseUrl, before)).map((table) => table.replace('public.', ''))
    deepEqual(added.sort(), [
      'audit_entry',
      'dashboard_request',
      'gateway_reference',
      'operation',
      'subscription_start',
    ])
  })

  test('SUB-3: without a card: a link, and a new customer, written together', async () => {
    const email = 'nora@example.com'
    const terms = { customer: undefined, payment_method: undefined, new_customer: { name: 'Nora', email } }
    const shown = (await preview({ ...terms, price: ana.price })).body
    deepEqual(
      [shown.first, shown.charged_now, shown.letters],
      ['link', 0, [{ kind: 'subscription_link', to: 'customer', addresses: [email] }]],
    )
    const quiet = { ...terms, price: ana.price, send_payment_link: false, preview_hash: undefined }
    deepEqual((await preview(quiet)).body.letters, [])
    const before = await countRows(service.databaseUrl)
    equal((await create({ ...quiet, tax_rate: 40 })).status, 422)
    equal((await addedRows(service.databaseUrl, before))['public.customer'], undefined)
    const { body: made } = await create(quiet)
    deepEqual([made.view.status, made.view.customer.email], ['INACTIVE', email])
    equal((await fetch(made.checkout_url, { redirect: 'manual' })).status, 303)
  })

  test('a link is in the response, and stored nowhere: a repeated call gets the subscription without it', async () => {
    const [key, terms] = [newId(), { price: ana.price, payment_method: undefined }]
    const { body: made } = await create(terms, key)
    const token = new URL(made.checkout_url).pathname.split('/').at(-1) ?? ''
    equal(token.length > 40, true)
    const again = await create(terms, key)
    deepEqual([again.status, again.body.id, again.body.checkout_url], [201, made.id, null])
    const { db } = service.app.services
    const stored = await db.selectFrom('dashboard_request').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    equal(JSON.stringify(stored).includes(token), false)
  })

  test('DSH-5: the preview says whose the e-mail of a new customer is, and one who came since is a conflict', async () => {
    const terms = { customer: undefined, payment_method: undefined, price: ana.price, send_payment_link: false }
    const of = (email: string) => ({ ...terms, new_customer: { name: 'Somebody', email } })
    const fresh = (await preview(of('olga@example.com'))).body
    equal(fresh.existing_customer, null)
    const olga = await ana.api.made('/customers', { name: 'Olga', email: 'olga@example.com' })
    const known = (await preview(of('OLGA@example.com'))).body.existing_customer
    deepEqual(known, { id: olga.id, name: 'Olga', email: 'olga@example.com' })
    const stale = await create({ ...of('olga@example.com'), preview_hash: fresh.preview_hash })
    deepEqual([stale.status, stale.body.error.preview?.existing_customer?.id], [409, olga.id])
    const { body: made } = await create({ ...of('olga@example.com'), preview_hash: undefined })
    equal(made.customer, olga.id)
    equal((await preview({ price: ana.price })).body.existing_customer, null)
  })

  test('SUB-2: with a later start the card is verified now, and nothing is charged', async () => {
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const terms = { price: ana.price, start_date: day }
    const shown = (await preview(terms)).body
    deepEqual([shown.first, shown.charged_now, shown.next_dates[0]], ['verify', 0, day])
    const { body: made } = await create(terms)
    deepEqual([made.status, made.installments_billed, made.view.next_billing_date], ['active', 0, day])
  })

  test('DSH-61, SUB-7: a contract: linked with the link, refused unsigned where the first bill is charged now', async () => {
    const contract = await makeContract(service, ana.customer)
    for (const call of [preview, create]) {
      const charged = await call({ price: ana.price, contract })
      deepEqual([charged.status, charged.body.error.code], [403, 'contract_unsigned'])
    }
    equal((await preview({ price: ana.price, contract, payment_method: undefined })).status, 200)
    const { body: made } = await create({ price: ana.price, contract, payment_method: undefined })
    deepEqual([made.contract.id, made.contract.status, made.view.contract_title], [contract, 'draft', 'Terms'])
    equal((await create({ price: ana.price, contract, payment_method: undefined })).status, 409)
  })
})

async function makeContract({ app, demo }: TestService, customerId: string): Promise<string> {
  const { createContract } = await import('../../server/subscriptions/contracts/change-contract.ts')
  const { findBusiness } = await import('../../server/businesses/business-queries.ts')
  const business = await findBusiness(app.services.db, demo.business_id)
  if (!business) throw new Error('There is no demo business')
  return (await createContract(app.services, { business, customerId, title: 'Terms', text: 'Pay.' })).id
}
