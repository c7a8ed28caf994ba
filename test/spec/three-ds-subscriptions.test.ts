import { deepEqual, equal, ok } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { contractsCommand } from '../../server/subscriptions/contracts/contracts-command.ts'
import { addDays, type Day, dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { authenticated, businessTime, requireThreeDs } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { replacementLinkOf } from '../support/customer-card-link.ts'
import { type Life, openLife } from '../support/life.ts'
import { merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { customerOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { threeDsOf } from '../support/three-ds.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// TDS-8, TDS-26 for subscriptions: the payer is authenticated when the card is entered, and never for a charge without
// the payer.

const ZONE = 'America/New_York'
const PROOF = { version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'present' }

let life: Life
before(async () => {
  life = await openLife('2027-01-10T15:00:00Z')
  // The vault creates its key with the first card.
  await life.customer('First')
  await requireThreeDs(life.service)
})
after(async () => {
  try {
    await assertSoundBooks(life.service)
  } finally {
    await life[Symbol.asyncDispose]()
  }
})

const today = async (): Promise<Day> => dayOf(await businessTime(life.service), ZONE)
const pay = (token: string, body: object = payBody()) => payerOf(life.service).pay(token, body)
const rows = () => life.service.simulator.rows()
const lastRow = async () => (await rows()).at(-1)

const newPlan = (plan: Record<string, unknown> = {}) =>
  merchantOf(life.service).sessionToken(planInput({ customer_email: `${newId()}@example.com` }, plan))

const subscriptionIdOf = async (token: string): Promise<string> =>
  (await merchantOf(life.service).details(token)).body.checkout_session.subscription_id

/**
 * Asserts the refusal without an authentication: no gateway is called and nothing is written. Then authenticates and
 * pays.
 */
async function payAuthenticated(token: string, { amount, card }: { amount?: number; card?: string } = {}) {
  const body = payBody(card, {}, amount === undefined ? {} : { amount: amount / 100 })
  const [rowsBefore, counted] = [(await rows()).length, await countRows(life.service.databaseUrl)]
  const refused = await pay(token, body)
  assertRefused(refused, 408, 'three_ds_expired')
  equal(refused.body.charged, false)
  equal((await rows()).length, rowsBefore)
  deepEqual(await addedRows(life.service.databaseUrl, counted), {})
  const made = await authenticated(life.service, {
    token,
    ...(amount === undefined ? {} : { amount }),
    ...(card === undefined ? {} : { number: card }),
  })
  const paid = await pay(token, body)
  equal(paid.body.ok, true, JSON.stringify(paid.body))
  const used = await authenticationOf(made.id)
  deepEqual([used?.state, used?.sealed_value], ['CONSUMED', null])
  return { made, paid: paid.body, used }
}

const authenticationOf = (id: string) =>
  life.service.app.services.db.selectFrom('authentication').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the gateway's next charge after the end of a day. */
async function chargesUntil(day: string) {
  const before = (await rows()).length
  await life.until(day)
  return (await rows()).slice(before).filter(({ op }) => op === 'sale')
}

/** Asserts what a charge without the payer sends to the gateway. */
function assertRenewal(row: Awaited<ReturnType<typeof lastRow>>, reason: string, dsTransactionId: string): void {
  ok(row)
  const { networkTransactionId, ...credential } = row.storedCredential ?? { networkTransactionId: '' }
  deepEqual(credential, { initiator: 'merchant', reason, initial: false, dsTransactionId })
  ok(networkTransactionId)
  deepEqual([row.threeDs, row.cvvPresent, row.warnings, row.outcome], [undefined, false, undefined, 'approved'])
}

describe('A subscription with 3-D Secure', { concurrency: false }, () => {
  test('that starts today: the first charge carries the proof, renewals the reference to it', async () => {
    const token = await newPlan()
    const { made, used } = await payAuthenticated(token)
    const first = await lastRow()
    deepEqual([first?.op, first?.threeDs, first?.storedCredential], ['sale', PROOF, FIRST_OF_SERIES])
    const operation = await life.service.app.services.db
      .selectFrom('operation')
      .select('merchant_ref')
      .where('id', '=', used?.operation_id ?? '')
      .executeTakeFirst()
    equal(operation?.merchant_ref, first?.merchantRef)
    const [renewal, ...more] = await chargesUntil('2027-02-10')
    assertRenewal(renewal, 'recurring', made.dsTransactionId)
    deepEqual(more, [])
  })

  test('in installments: the later ones carry the reference too', async () => {
    const waiting = await waitingSubscription(life.api, { installments: 2 })
    const { made } = await payAuthenticated(await openedLink(waiting.checkout_url), { amount: 2_500 })
    const charges = await chargesUntil('2027-03-10')
    const installment = charges.find(({ storedCredential }) => storedCredential?.reason === 'installment')
    assertRenewal(installment, 'installment', made.dsTransactionId)
  })

  test('that starts later: the verification carries the proof, and its first charge the reference', async () => {
    const token = await newPlan({ start_date: addDays(await today(), 5) })
    const { made } = await payAuthenticated(token)
    const verified = await lastRow()
    deepEqual([verified?.op, verified?.amount, verified?.threeDs], ['verify', 0, PROOF])
    const charges = await chargesUntil('2027-03-15')
    const first = charges.find(({ storedCredential }) => storedCredential?.dsTransactionId === made.dsTransactionId)
    assertRenewal(first, 'recurring', made.dsTransactionId)
  })

  test('that waits for its card: the link asks for the authentication', async () => {
    const waiting = await waitingSubscription(life.api)
    const { made } = await payAuthenticated(await openedLink(waiting.checkout_url), { amount: 2_500 })
    const first = await lastRow()
    deepEqual([first?.op, first?.amount, first?.threeDs], ['sale', 2_500, PROOF])
    const { payment_method } = (await life.api.get(`/subscriptions/${waiting.id}`)).body
    const card = await life.service.app.services.db
      .selectFrom('stored_card')
      .select('ds_transaction_id')
      .where('id', '=', payment_method)
      .executeTakeFirst()
    equal(card?.ds_transaction_id, made.dsTransactionId)
  })

  test('whose card is replaced by its link: the verification carries the proof, renewals its reference', async () => {
    const token = await newPlan({ start_date: addDays(await today(), 20) })
    await payAuthenticated(token)
    const id = await subscriptionIdOf(token)
    const link = await replacementLinkOf(life.service, id)
    const { made } = await payAuthenticated(await openedLink(link), { amount: 2_550, card: CARDS.discover })
    const verified = await lastRow()
    deepEqual([verified?.op, verified?.card?.last4, verified?.threeDs], ['verify', '1117', PROOF])
    const charges = await chargesUntil('2027-04-05')
    const renewal = charges.find(({ card }) => card?.last4 === '1117')
    assertRenewal(renewal, 'recurring', made.dsTransactionId)
  })

  test('with a card that was saved without 3-D Secure: the first charge carries the proof, renewals the reference', async () => {
    const { customer: customer_id, payment_method: cardId } = await life.customer('First')
    const more = { customer_id, customer_email: undefined }
    const token = await merchantOf(life.service).sessionToken(planInput(more, {}))
    const body = { payment_method_type: 'saved_card', amount: 25.5, cardId }
    assertRefused(await pay(token, body), 408, 'three_ds_expired')
    const made = await authenticated(life.service, { token })
    equal((await pay(token, body)).body.ok, true)
    deepEqual((await lastRow())?.threeDs, PROOF)
    const charges = await chargesUntil('2027-05-06')
    const renewal = charges.find(({ storedCredential }) => storedCredential?.dsTransactionId === made.dsTransactionId)
    assertRenewal(renewal, 'recurring', made.dsTransactionId)
  })

  test('TDS-8, SUB-7: an unsigned contract refuses the payment, which leaves the authentication for the one after', async () => {
    const made = await waitingSubscription(life.api)
    const token = await openedLink(made.checkout_url)
    const businessId = life.service.demo.business_id
    const { services } = life.service.app
    const file = join(tmpdir(), `contract-${newId()}.txt`)
    await writeFile(file, 'Terms.')
    const contracts = (...args: string[]) => contractsCommand(services, [...args, '--business', businessId])
    const drafted = await contracts('create', '--customer', made.customer, '--title', 'Terms', '--file', file)
    const [contract = ''] = drafted.split(' ')
    await contracts('link', '--contract', contract, '--subscription', made.id)
    await contracts('send', '--contract', contract)
    const authentication = await authenticated(life.service, { token, amount: 2_500 })
    const body = payBody(CARDS.visa, {}, { amount: 25 })
    assertRefused(await pay(token, body), 403, 'contract_unsigned')
    equal((await authenticationOf(authentication.id))?.state, 'AUTHENTICATED')
    assertRefused(await threeDsOf(life.service).init(token, { amount: 25 }), 403, 'contract_unsigned')
    const { url } = (await life.api.get(`/subscriptions/${made.id}`)).body.contract
    const signed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: life.service.formUrl },
      body: new URLSearchParams({ contract_name: 'Ana Roy', contract_agreed: 'on' }),
      redirect: 'manual',
    })
    equal(signed.status, 303)
    equal((await pay(token, body)).body.ok, true)
    equal((await authenticationOf(authentication.id))?.state, 'CONSUMED')
    deepEqual((await lastRow())?.threeDs, PROOF)
  })

  test('made by the API on a stored card: nobody is asked, and the first charge refers to the authentication', async () => {
    const email = `${newId()}@example.com`
    const token = await merchantOf(life.service).sessionToken({ customer_email: email })
    const made = await authenticated(life.service, { token })
    const saved = await pay(token, payBody(CARDS.visa, { saveCard: true }))
    equal(saved.body.ok, true)
    const customer = (await customerOf(life.service, email))?.id ?? ''
    const [{ id: payment_method }] = (await life.api.get(`/customers/${customer}/payment_methods`)).body.data
    const { id: product } = await life.api.made('/products', { name: 'Plan' })
    const { id: price } = await life.api.made('/prices', { product, unit_amount: 900, recurring: { interval: 'year' } })
    const subscription: Response['body'] = await life.api.made('/subscriptions', { customer, payment_method, price })
    equal(subscription.status, 'active')
    const first = await lastRow()
    deepEqual(
      [first?.amount, first?.threeDs, first?.storedCredential?.dsTransactionId],
      [900, undefined, made.dsTransactionId],
    )
  })
})

const FIRST_OF_SERIES = { initiator: 'cardholder', reason: 'recurring', initial: true }
