import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { TEXTS } from '../../dashboard/areas/subscriptions/texts/texts.ts'
import { scriptSales } from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import type { DashboardClient } from '../support/dashboard.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Gallery, galleryOf, staleOnce } from '../support/gallery.ts'
import type { TestService } from '../support/service.ts'
import { waitingSubscription } from '../support/sign-up.ts'
import { makeSubscriber, type Subscriber, saveCard, subscribe } from '../support/subscriber.ts'

// DSH-23: pages and dialogs about subscriptions, in the states in which people see them.

const DAY = 86_400

/** What the rooms share: one page of an owner. */
interface Given {
  service: TestService
  gallery: Gallery
  client: DashboardClient
  ana: Subscriber
}

describeDashboard('pages about subscriptions, as they look', ({ service, open }) => {
  const pages = () => `${service.formUrl}/dashboard/b/${service.demo.business_id}/`

  test('new ones, running ones, bills, pauses, cancellations, the calendar', async () => {
    const { page, client } = await open()
    const gallery = galleryOf(page, pages())
    const ana = await makeSubscriber(service)
    await ana.api.patch(`/customers/${ana.customer}`, { name: 'Ana Roy', email: 'ana.roy@example.com' })
    await saveCard(service, ana.customer, CARDS.debit)
    const given = { service, gallery, client, ana }
    await gallery.room('new', () => newRoom(given))
    await gallery.room('pickers', () => pickerRoom(given))
    await gallery.room('waiting', () => waitingRoom(given))
    await gallery.room('cards', () => cardRoom(given))
    await gallery.room('missed bills', () => missedRoom(given))
    await gallery.room('edits', () => editRoom(given))
    await gallery.room('cancellations', () => cancelRoom(given))
    await gallery.room('pauses', () => pauseRoom(given))
    await gallery.room('pauses at the end', () => pauseLaterRoom(given))
    await gallery.room('declined', () => declinedRoom(given))
    await gallery.room('plans', () => planRoom(given))
    await gallery.room('calendar', () => calendarRoom(given))
    gallery.isSound()
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`a subscription in ${locale}`, async () => {
      const t = await TEXTS.load(locale)
      const path = `subscriptions/${await subscribe(await makeSubscriber(service))}`
      const { page } = await open({ path, context: { locale, viewport: { width: 320, height: 900 } } })
      const gallery = galleryOf(page, pages())
      await gallery.room(locale, async () => {
        await gallery.press(t.pause)
        await page.getByRole('dialog').getByRole('radio', { name: t.keepTime }).check()
        await gallery.dialogLooks(`a pause in ${locale}`)
        await gallery.leave()
        await gallery.looks(`a subscription in ${locale}`)
      })
      gallery.isSound()
    })

  test('a subscription that support has changed', async () => {
    const ana = await makeSubscriber(service)
    const { page, client } = await open({ role: 'support', path: `subscriptions/${await subscribe(ana)}` })
    const gallery = galleryOf(page, pages())
    await gallery.room('reasons', () => reasonRoom({ service, gallery, client, ana }))
    gallery.isSound()
  })
})

const run = ({ service }: Given, statement: RawBuilder<unknown>) => statement.execute(service.app.services.db)

async function advance({ ana }: Given, days: number) {
  equal((await ana.api.post('/test_clock/advance', { seconds: days * DAY })).status, 200)
}

/** Advances to the next bill of a subscription. */
async function toNextBill({ ana }: Given, id: string) {
  const { next_billing_at: to } = (await ana.api.get(`/subscriptions/${id}`)).body
  equal((await ana.api.post('/test_clock/advance', { to })).status, 200)
}

async function newRoom({ gallery, ana }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, choose } = gallery
  await go(`subscriptions/new?customer=${ana.customer}`)
  await choose('Price', /Gold plan/)
  await page.getByRole('radio', { name: /4242/ }).check()
  for (const name of ['Tax in percent', 'Surcharge in percent']) await page.getByRole('textbox', { name }).fill('2.4')
  await sees(/is charged now\.$/)
  await looks('a new subscription with its preview')
  await staleOnce(page, /\/preview$/, () => ({ charged_now: 7_777 }))
  await page.getByRole('textbox', { name: 'Tax in percent' }).fill('3')
  await page
    .getByRole('main')
    .getByText(/\$77\.77/)
    .waitFor()
  await press('Create')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create and charge/ })
    .waitFor()
  await dialogLooks('a subscription is created')
  await confirm(/^Create and charge/)
  await sees('This has changed meanwhile.')
  await dialogLooks('a subscription whose figures have changed is created')
  await page.unrouteAll()
  await confirm(/^Create and charge/)
  await page.getByRole('heading', { level: 1, name: 'Gold plan' }).waitFor()
  await looks('a subscription that has begun')
  await go('subscriptions/new', 'anew')
  await page.getByRole('radio', { name: 'New customer' }).check()
  await page.getByLabel('E-mail').fill('ANA.ROY@example.com')
  await choose('Price', /Gold plan/)
  await sees(/A customer with the e-mail ana\.roy@example\.com exists already/i)
  await looks('a new subscription of a customer who exists')
}

async function pickerRoom({ gallery, ana }: Given) {
  const { page, go, sees, looks } = gallery
  await go(`subscriptions/new?customer=${ana.customer}`, 'anew')
  const field = page.getByRole('combobox', { name: 'Price' })
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await page
    .getByRole('option', { name: /Gold plan/ })
    .first()
    .waitFor()
  await looks('prices to choose from')
  await field.fill('zebra')
  await sees('Nothing matches')
  await looks('no price to choose from')
  await go('subscriptions/new', 'anew')
  const search = Promise.withResolvers<void>()
  await page.route('**/customers?*search=roy*', async (route) => {
    await search.promise
    await route.continue()
  })
  const customers = page.getByRole('combobox', { name: 'Search by name or e-mail' })
  await customers.focus()
  await page.keyboard.type('roy')
  await page.getByRole('option', { name: 'Searching…' }).waitFor()
  await looks('customers who are being searched')
  search.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  await go(`subscriptions?price=${ana.price}&product=${ana.product}`, 'anew')
  await page.getByRole('button', { name: 'Remove filter Product' }).waitFor()
  await page.locator('tbody tr a').first().waitFor()
  await looks('subscriptions of a price')
  await go(`calendar?view=list&product=${ana.product}`)
  await page.getByRole('combobox', { name: 'Product' }).waitFor()
  await looks('the calendar of a product, as a list')
}

async function waitingRoom({ service, gallery, ana, client }: Given) {
  const { page, go, press, sees, looks } = gallery
  const waiting = await waitingSubscription(ana.api)
  await go(`subscriptions/${waiting.id}`)
  await sees('INACTIVE (awaiting card)')
  await press('Show the link')
  await page.getByRole('img', { name: 'QR code of Link' }).waitFor()
  await looks('a subscription that waits for its card')
  const other = await makeSubscriber(service)
  const { db } = service.app.services
  await db.updateTable('stored_card').set({ exp_year: 2020 }).where('id', '=', other.payment_method).execute()
  const contract = { customer: other.customer, title: 'Free', text: 'I agree.' }
  equal((await client.call('POST /contracts', { body: contract })).status, 201)
  await go(`subscriptions/new?customer=${other.customer}`, 'anew')
  await page.getByText('Expired', { exact: true }).waitFor()
  await sees('To have a new contract signed first')
  await looks('a new subscription whose card has expired')
}

async function cardRoom(given: Given) {
  const { gallery, ana } = given
  const { page, go, press, confirm, sees, dialogLooks, looks } = gallery
  const id = await subscribe(ana, { surcharge_rate: 2.4 })
  await go(`subscriptions/${id}`)
  await press('Change card')
  await page.getByRole('radio', { name: /ending 5556/ }).check()
  await sees('Each bill is $25.00 from now on, not $25.60')
  await dialogLooks('another card of a subscription')
  await page.getByRole('radio', { name: 'The customer enters the card' }).check()
  await sees('Nothing is charged by it.')
  await dialogLooks('the customer enters another card')
  await gallery.leave()
  await page.reload()
  await staleOnce(page, /\/preview$/, () => ({ next_billing_date: '2099-01-31' }))
  await press('Change card')
  await page.getByRole('radio', { name: /ending 5556/ }).check()
  await sees(/2099/)
  await confirm(/^Change to/)
  await sees('This has changed meanwhile.')
  await dialogLooks('another card, whose figures have changed')
  await page.unrouteAll()
  await confirm(/^Change to/)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await looks('a subscription with another card')
}

async function missedRoom(given: Given) {
  const { gallery, ana } = given
  const { page, go, press, sees, dialogLooks, looks } = gallery
  const id = await subscribe(ana)
  await run(
    given,
    sql`update subscription set catch_up_held_at = now(), next_period_no = 1,
      anchor_date = anchor_date - interval '4 months' - interval '2 days',
      next_billing_date = anchor_date - interval '3 months' - interval '2 days' where id = ${id}`,
  )
  await go(`subscriptions/${id}`)
  await sees('Missed bills wait for you')
  await looks('a subscription with missed bills')
  await press('Bill them')
  await sees('4 bills are charged, oldest first')
  await dialogLooks('missed bills are charged')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await ana.api.delete(`/subscriptions/${id}`)
}

async function editRoom({ gallery, client, ana }: Given) {
  const { page, go, press, confirm, sees, dialogLooks } = gallery
  const id = await subscribe(ana)
  await go(`subscriptions/${id}`)
  await press('Edit')
  await page.getByRole('dialog').getByLabel('Reference').fill('B-2')
  const { version } = (await client.call(`GET /subscriptions/${id}`)).body
  await client.call(`PATCH /subscriptions/${id}`, { body: { version, reference: 'A-1' } })
  await confirm('Save')
  await sees('Now it says: A-1')
  await dialogLooks('a subscription that somebody else has changed')
  await gallery.leave()
}

async function cancelRoom({ gallery, ana }: Given) {
  const { page, go, press, confirm, sees, dialogLooks, looks } = gallery
  const id = await subscribe(ana)
  await staleOnce(page, /\/preview$/, (shown) => ({ effective_at: (shown.effective_at as number) + DAY * 365 }))
  await go(`subscriptions/${id}`)
  await press('Cancel subscription')
  await sees('Service and attempts go on until')
  await dialogLooks('a cancellation')
  await confirm('Cancel subscription')
  await sees('This has changed meanwhile.')
  await dialogLooks('a cancellation whose figures have changed')
  await confirm('Cancel subscription')
  await sees(/This subscription ends on/)
  await looks('a subscription that ends')
  await page.unrouteAll()
  await ana.api.delete(`/subscriptions/${id}`)
  await page.reload()
  await page.getByText('CANCELLED', { exact: true }).first().waitFor()
  await looks('a subscription that is cancelled')
}

async function pauseRoom(given: Given) {
  const { gallery, ana } = given
  const { page, go, press, confirm, sees, dialogLooks, looks } = gallery
  const id = await subscribe(ana)
  await advance(given, 10)
  await staleOnce(page, /\/preview$/, () => ({ unused_prepaid_amount: 1_234 }))
  await go(`subscriptions/${id}`, 'anew')
  await press('Pause')
  await sees(/days are left, worth \$/)
  await dialogLooks('a pause, before anything is chosen')
  await page.getByRole('radio', { name: 'I give the money back myself' }).check()
  await page.getByRole('dialog').getByRole('link', { name: 'Refund the payment first' }).waitFor()
  await page.getByRole('dialog').getByRole('checkbox').check()
  await dialogLooks('a pause for which money is given back')
  await page.getByRole('radio', { name: 'Keep the remaining time for later' }).check()
  await confirm('Pause')
  await sees('This has changed meanwhile.')
  await dialogLooks('a pause whose figures have changed')
  await confirm('Pause')
  await page.getByText('PAUSED', { exact: true }).first().waitFor()
  await looks('a subscription that is paused')
  await page.unrouteAll()
  await advance(given, 40)
  await page.reload()
  await press('Resume')
  await sees('Keep the schedule')
  await dialogLooks('both ways to resume')
  await page.getByRole('radio', { name: 'Start today' }).check()
  await page.getByRole('dialog').locator('button[type=submit]:enabled').waitFor()
  await dialogLooks('a subscription is resumed today')
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await page.getByText('ACTIVE', { exact: true }).first().waitFor()
  await looks('a subscription that was paused')
}

async function pauseLaterRoom({ gallery, ana }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  await go(`subscriptions/${await subscribe(ana)}`)
  await press('Pause')
  await page.getByRole('radio', { name: 'At the end of the paid period' }).check()
  await sees('The pause begins on')
  await dialogLooks('a pause at the end of the period')
  await confirm('Pause')
  await sees(/This subscription pauses on/)
  await looks('a subscription that will pause')
}

async function declinedRoom(given: Given) {
  const { service, gallery, ana } = given
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  for (const { id } of (await ana.api.get('/subscriptions?limit=100&status=active')).body.data)
    await ana.api.delete(`/subscriptions/${id}`)
  const id = await subscribe(ana, { items: [{ price: ana.price, quantity: 3 }], price: undefined })
  await scriptSales(service, 'declined')
  await toNextBill(given, id)
  await go('subscriptions?tab=retrying', 'anew')
  await page.getByRole('cell', { name: /retrying/ }).waitFor()
  await looks('subscriptions with a declined bill')
  await go(`subscriptions/${id}`)
  await staleOnce(page, /\/preview$/, () => ({ amount: 9_999 }))
  await press('Charge now')
  await sees('It was tried once.')
  await dialogLooks('a bill is charged now')
  await confirm(/^Charge \$/)
  await sees('This has changed meanwhile.')
  await dialogLooks('a bill is charged now whose figures have changed')
  await page.unrouteAll()
  await leave()
  await press('Pause')
  await sees(/attempts on the open bill of .* are dropped/)
  await dialogLooks('a pause that drops attempts')
  await leave()
  await scriptSales(service, 'declined', 'declined', 'declined')
  for (let tries = 0; tries < 3; tries++) await advance(given, 3)
  await page.reload()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Attempt \d.*Declined/s })
    .nth(3)
    .waitFor()
  await looks('a bill whose attempts were all declined')
  await ana.api.post(`/subscriptions/${id}`, { cancel_at_period_end: true })
  await run(given, sql`update stored_card set charge_block = 'NC' where id = ${ana.payment_method}`)
  await page.reload()
  await sees('Pause: The cancellation is scheduled. Undo it to pause.')
  await looks('a subscription with which nothing can be done now')
  await run(given, sql`update stored_card set charge_block = null where id = ${ana.payment_method}`)
}

async function planRoom(given: Given) {
  const { gallery, ana } = given
  const { page, go, sees, looks } = gallery
  const { id } = await ana.api.made('/subscriptions', {
    customer: ana.customer,
    payment_method: ana.payment_method,
    price: ana.price,
    installments: 2,
  })
  await advance(given, 32)
  await go(`subscriptions/${id}`, 'anew')
  await page.getByText('completed', { exact: true }).waitFor()
  await sees('2 / 2')
  await looks('a plan that is completed')
}

async function calendarRoom(given: Given) {
  const { gallery, ana } = given
  const { page, go, looks, dialogLooks } = gallery
  await subscribe(ana)
  const { now } = (await ana.api.get('/test_clock')).body
  const month = new Date((now + 31 * DAY) * 1_000).toISOString().slice(0, 7)
  await go(`calendar?month=${month}`, 'anew')
  const day = page.getByRole('button', { name: /^Open / }).first()
  await day.waitFor()
  await looks('the calendar')
  await day.click()
  await page.getByRole('dialog').getByRole('cell', { name: 'Gold plan' }).first().waitFor()
  await dialogLooks('a day of the calendar')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('row').locator('time').first().waitFor()
  await looks('the calendar as a list')
}

async function reasonRoom({ gallery }: Given) {
  const { page, press, confirm, looks } = gallery
  const dialog = page.getByRole('dialog')
  await press('Pause')
  await dialog.getByRole('radio', { name: /^I give the money back/ }).check()
  await dialog.getByRole('checkbox', { name: 'The customer got the money' }).check()
  await dialog.getByLabel('Reference of your refund').fill('RF-7')
  await dialog.getByLabel('Note').fill('In cash')
  await dialog.getByLabel('Reason').fill('On holiday until May')
  await confirm('Pause')
  await page.getByText('On holiday until May · Given back (RF-7) · In cash', { exact: true }).waitFor()
  await press('Cancel subscription')
  await dialog.getByLabel('Comment').fill('Moves to another town')
  await confirm('Cancel subscription')
  await page.getByText('Moves to another town', { exact: true }).waitFor()
  await looks('why a subscription paused and ended')
}
