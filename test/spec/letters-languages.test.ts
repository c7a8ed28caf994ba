import { deepEqual, equal, match } from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { transaction } from '../../server/db/transaction.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newNotification } from '../../server/events/notification.ts'
import { recordNotification } from '../../server/events/notification-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { addDays, dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { lettersOf, setLetters } from '../support/letters.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { shopCustomersOf } from '../support/shop-customers.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'

// LTR-12: letters are in the language of the page on which the customer last paid, otherwise in the language of the
// business, otherwise in English.

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())
afterEach(async () => {
  await service.app.services.db.deleteFrom('letter').execute()
})

async function composed() {
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  return lettersOf(service)
}
const in_ = (language: string) => ({ 'accept-language': language })
const localeOf = async (email: string) => {
  const { db } = service.app.services
  const row = await db.selectFrom('customer').select('locale').where('email', '=', email).executeTakeFirst()
  return row?.locale
}

describe('the language of letters', { concurrency: false }, () => {
  test('is that of the page for somebody who signs up on it', async () => {
    const token = await merchantOf(service).sessionToken(planInput({ customer_email: 'zoe@example.com' }))
    equal((await payerOf(service).pay(token, payBody(), in_('fr-CA'))).body.ok, true)
    equal(await localeOf('zoe@example.com'), 'fr-CA')
    const letters = await composed()
    deepEqual(
      letters.map(({ audience, kind, locale, subject }) => [audience, kind, locale, subject]),
      [
        ['customer', 'payment_succeeded', 'fr-CA', 'Votre paiement de 25,50\u00a0$\u00a0US à Demo Shop'],
        ['merchant', 'payment_succeeded', 'en', 'Payment of $25.50 from Ana Roy'],
      ],
    )
    match(letters[0]?.html ?? '', /<html lang="fr-CA"/)
    match(letters[0]?.body_text ?? '', /Des questions\? Communiquez avec Demo Shop\u00a0: support@shop\.example/)
  })

  test('follows the customer to the language of another page', async () => {
    const api = merchantApiOf(service)
    const { id: customer } = await api.made('/customers', { name: 'Luz', email: 'luz@example.com' })
    const { checkout_url } = await waitingSubscription(api, { customer })
    equal((await composed()).at(-1)?.locale, 'en')
    const token = await openedLink(checkout_url)
    equal(
      (await payerOf(service).pay(token, payBody(undefined, {}, { amount: 25 }), in_('es-MX,es;q=0.9'))).body.ok,
      true,
    )
    equal(await localeOf('luz@example.com'), 'es')
    const paid = (await composed()).find(
      ({ kind, audience }) => kind === 'payment_succeeded' && audience === 'customer',
    )
    deepEqual([paid?.recipient, paid?.locale], ['luz@example.com', 'es'])
    match(paid?.subject ?? '', /^Su pago de \$25\.00 a Demo Shop$/)
    // Known by the address from the merchant, and not by an id.
    const known = await merchantOf(service).sessionToken(planInput({ customer_email: 'luz@example.com' }))
    equal((await payerOf(service).pay(known, payBody(), in_('fr-CA'))).body.ok, true)
    equal(await localeOf('luz@example.com'), 'fr-CA')
    equal((await composed()).at(-1)?.locale, 'en')
  })

  test('is that of the business where no page is known, and of a page in none of ours', async () => {
    await setLetters(service, { locale: 'es', notified_emails: ['dueno@shop.example'] })
    const token = await merchantOf(service).sessionToken(planInput({ customer_email: 'jan@example.com' }))
    equal((await payerOf(service).pay(token, payBody(), in_('nl'))).body.ok, true)
    equal(await localeOf('jan@example.com'), null)
    deepEqual(
      (await composed()).map(({ audience, locale }) => [audience, locale]),
      [
        ['customer', 'es'],
        ['merchant', 'es'],
      ],
    )
  })

  test('is not changed by a typed e-mail of another customer', async () => {
    const { fromPage, payer } = shopCustomersOf(service)
    const token = await fromPage({}, '/checkout/create', { customer_email: 'luz@example.com' })
    equal((await payer.pay(token, payBody(), in_('en'))).body.ok, true)
    equal(await localeOf('luz@example.com'), 'fr-CA')
  })

  test('LTR-20: whoever enters a card for a plan that begins later learns when it does, without an invoice', async () => {
    await setLetters(service, { locale: 'en' })
    const start_date = addDays(dayOf(new Date(), 'America/New_York'), 10)
    const plan = planInput({ customer_email: 'mia@example.com' }, { start_date })
    equal((await payerOf(service).pay(await merchantOf(service).sessionToken(plan))).body.ok, true)
    const api = merchantApiOf(service)
    const { id: customer } = await api.made('/customers', { name: 'Noa', email: 'noa@example.com' })
    const { checkout_url } = await waitingSubscription(api, { customer, start_date })
    const paid = await payerOf(service).pay(await openedLink(checkout_url), payBody(undefined, {}, { amount: 25 }))
    equal(paid.body.ok, true, JSON.stringify(paid.body))
    const letters = await composed()
    deepEqual(
      letters.map(({ kind, recipient, invoice_id }) => [kind, recipient, invoice_id]),
      [
        ['subscription_created', 'mia@example.com', null],
        ['subscription_link', 'noa@example.com', null],
        ['subscription_created', 'noa@example.com', null],
      ],
    )
    for (const { body_text, kind } of letters)
      if (kind === 'subscription_created') match(body_text, /First payment: \w+ \d+, \d{4}/)
  })

  test('LTR-8: the merchant is notified of a disabled endpoint', async () => {
    const { db } = service.app.services
    const data = { endpoint_id: newId(), url: 'https://shop.example/hooks', reason: 'gone' }
    const given = { businessId: service.demo.business_id, data, createdAt: new Date() }
    await transaction(db, (tx) =>
      recordNotification(tx, newNotification({ ...given, type: 'webhook_endpoint.disabled' })),
    )
    const [letter, ...others] = await composed()
    deepEqual(others, [])
    deepEqual([letter?.kind, letter?.audience, letter?.object_id], ['endpoint_disabled', 'merchant', data.endpoint_id])
    equal(letter?.subject, 'Webhooks to shop.\u2060example are disabled', 'no mail program makes a link of it (LTR-36)')
  })
})
