import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { CONTRACT_TEXTS } from '../../dashboard/areas/contracts/texts/texts.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Gallery, galleryOf } from '../support/gallery.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import type { TestService } from '../support/service.ts'
import { openedLink, waitingSubscription } from '../support/sign-up.ts'
import { makeSubscriber, subscribe } from '../support/subscriber.ts'

// DSH-23: pages and dialogs about customers, contracts, products, people and settings, in the states in which people
// see them.

/** What the rooms share: one page of an owner. */
interface Given {
  service: TestService
  gallery: Gallery
  client: DashboardClient
}

describeDashboard('pages about people and settings, as they look', ({ service, open }) => {
  const pages = () => `${service.formUrl}/dashboard/b/${service.demo.business_id}/`

  test('customers, their cards and contracts', async () => {
    const { page, client } = await open({ isSteppedUp: true })
    const gallery = galleryOf(page, pages())
    const given = { service, gallery, client }
    await gallery.room('customers', () => customerRoom(given))
    await gallery.room('cards', () => cardRoom(given))
    await gallery.room('links', () => linkRoom(given))
    await gallery.room('sections', () => sectionRoom(given))
    await gallery.room('contracts', () => contractRoom(given))
    gallery.isSound()
  })

  test('products and prices, alone and chosen together', async () => {
    const { page, client } = await open()
    const gallery = galleryOf(page, pages())
    await gallery.room('products', () => productRoom({ service, gallery, client }))
    await gallery.room('prices', () => priceRoom({ service, gallery, client }))
    gallery.isSound()
  })

  test('settings, the account, the team and the audit log', async () => {
    const { page, client } = await open({ isSteppedUp: true })
    const gallery = galleryOf(page, pages())
    const given = { service, gallery, client }
    await gallery.room('team', () => teamRoom(given))
    await gallery.room('audit', () => auditRoom(given))
    await gallery.room('account', () => accountRoom(given))
    await gallery.room('payment settings', () => paymentSettingsRoom(given))
    await gallery.room('settings', () => settingsRoom(given))
    await gallery.room('branding', () => brandingRoom(given))
    gallery.isSound()
  })

  test('what other roles see', async () => {
    const { page } = await open({ role: 'analyst', path: 'keys' })
    const gallery = galleryOf(page, pages())
    await gallery.room('roles', async () => {
      await gallery.sees('This needs the role Owner, Admin or Developer.')
      await gallery.allLooks('a page that another role may open')
      await gallery.go('team')
      await page.getByRole('table').first().waitFor()
      await gallery.looks('the team as an analyst sees it')
      await gallery.go('nowhere')
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      await gallery.looks('a page that does not exist')
      await gallery.go('../../nonsense', 'anew')
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      await gallery.looks('a page outside of a business that does not exist')
    })
    gallery.isSound()
  })

  for (const locale of ['en', 'fr-CA', 'es'] as const)
    test(`a contract that the PDF cannot show, and the account, in ${locale}`, async () => {
      const t = await CONTRACT_TEXTS.load(locale)
      const { page, client } = await open({ context: { locale, viewport: { width: 320, height: 900 } } })
      const gallery = galleryOf(page, pages())
      await gallery.room(locale, async () => {
        const { id: customer } = await merchantApiOf(service).made('/customers', { name: 'Lin' })
        const { body } = await client.call('POST /contracts', { body: { customer, title: 'T', text: '𓀀𓀁' } })
        await gallery.go(`contracts/${body.id}`)
        await gallery.press(t.downloadPdf)
        await gallery.sees('The PDF cannot show these characters: 𓀀 𓀁. Print the page instead.')
        await gallery.looks(`a contract that the PDF cannot show, in ${locale}`)
        await gallery.go('../../account', 'anew')
        await page.getByRole('heading', { level: 1 }).waitFor()
        await gallery.looks(`the account in ${locale}`)
      })
      gallery.isSound()
    })
})

async function customerRoom({ service, gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  const api = merchantApiOf(service)
  const { id } = await api.made('/customers', { name: 'Zoé Roy', email: 'zoe.roy@example.com' })
  await go('customers/new')
  await page.getByLabel('Name', { exact: true }).fill('Ana Roy')
  await page.getByLabel('E-mail address').fill('ZOE.ROY@example.com')
  await looks('a new customer')
  await press('Add the customer')
  await sees('A customer with this e-mail address already exists.')
  await looks('a new customer whose address is taken')
  await go('customers?search=roy@exam')
  await page.getByRole('link', { name: 'Zoé Roy' }).waitFor()
  await looks('customers who were searched')
  await go('customers?search=nobody', 'anew')
  await sees(/Nothing matches|No entry matches/)
  await looks('a search that finds nobody')
  await press('Export')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'All columns' }).click()
  await looks('no column of a file is chosen')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'email', exact: true }).check()
  await dialogLooks('some columns of a file are chosen')
  await leave()
  await go(`customers/${id}`)
  await press('Edit')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Mine')
  const { version } = (await client.call(`GET /customers/${id}`)).body
  equal((await client.call(`PATCH /customers/${id}`, { body: { version, phone: '2' } })).status, 200)
  await confirm('Save')
  await sees('Is now: 2')
  await dialogLooks('a customer whom somebody else has changed')
  await confirm('Save')
  await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
  await looks('a customer without cards, after a change that can be undone')
}

/** A customer is asked for a card in each of the ways. */
async function cardRoom({ service, gallery }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  const api = merchantApiOf(service)
  const { id } = await api.made('/customers', { name: 'Ana Roy', email: 'both@example.com' })
  await go(`customers/${id}`)
  await press('Ask for a card')
  await sees('By e-mail to both@example.com')
  await dialogLooks('a customer is asked for a card by letter')
  await confirm('Send the letter')
  await sees('The letter is on its way.')
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  const link = await cardLinkOf(service, id)
  const paid = await payerOf(service).pay(await openedLink(link), payBody(CARDS.visa, {}, { amount: 0 }))
  equal(paid.body.ok, true, JSON.stringify(paid.body))
  await waitingSubscription(api, { customer: id })
  await page.reload()
  await sees('Visa •••• 4242')
  await sees('Please save a card for Demo Shop')
  await looks('a customer with a card and a letter')
  await press('Ask for a card')
  await page.getByRole('radio', { name: /^Gold plan/ }).waitFor()
  await dialogLooks('a customer is asked for the card of a subscription')
  await page.getByRole('radio', { name: 'To keep for later payments' }).check()
  await dialogLooks('a customer is asked for a card to keep')
  await leave()
  await page
    .getByRole('row', { name: /\$0\.00/ })
    .getByRole('link')
    .click()
  await sees('Card only')
  await looks('a session for a card alone')
}

async function linkRoom({ service, gallery }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, leave } = gallery
  const { id } = await merchantApiOf(service).made('/customers', { name: 'Ana Roy' })
  await go(`customers/${id}`)
  await press('Ask for a card')
  await sees('The customer has no e-mail address.')
  await dialogLooks('a customer without an address is asked for a card')
  await confirm('Show the link')
  await page.getByRole('img', { name: 'QR code of Link for the card' }).waitFor()
  await looks('a link for a card')
  await leave()
  await cardLinkOf(service, id)
  await page.reload()
  await sees(/^2 links to save a card are out to the customer/)
  await looks('a customer who has links')
  await press('Revoke')
  await sees('This cannot be undone')
  await dialogLooks('links are revoked')
  await leave()
}

async function sectionRoom({ service, gallery }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  const ana = await makeSubscriber(service)
  await ana.api.patch(`/customers/${ana.customer}`, { name: 'Ana Roy' })
  for (let n = 0; n < 11; n++) await subscribe(ana)
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  const { db } = service.app.services
  await db.updateTable('stored_card').set({ charge_block: 'N7' }).where('id', '=', ana.payment_method).execute()
  await go(`customers/${ana.customer}`)
  await page.getByRole('cell', { name: 'Customer changed' }).waitFor()
  await sees(/The issuer declined this card: .+ \(N7\)/)
  await looks('a customer with many objects')
  await press('Detach')
  await page.getByRole('dialog').getByText('Gold plan: $25.00 monthly, next bill').first().waitFor()
  await dialogLooks('a card that a subscription uses is detached')
  await confirm('Detach the card')
  await sees('No card is saved.')
  await looks('a customer whose card is detached')
  await go(`customers/${ana.customer}/letters`)
  await page.getByRole('heading', { level: 1, name: 'Letters' }).waitFor()
  await sees(/\d+ entries/)
  await looks('the letters of a customer')
}

async function contractRoom({ service, gallery }: Given) {
  const { page, go, press, confirm, sees, looks, choose } = gallery
  const made = await waitingSubscription(merchantApiOf(service))
  await merchantApiOf(service).patch(`/customers/${made.customer}`, { name: 'Bo Lee', email: 'bo.lee@example.com' })
  await go(`contracts/new?customer=${made.customer}`)
  await press('Begin with the template')
  const text = page.getByRole('textbox', { name: 'Text' })
  const template = await text.inputValue()
  await text.fill(`${template} {{amount}}`)
  await press('Save the draft')
  await sees('has no value for amount')
  await looks('a contract without a value')
  await text.fill(template)
  await choose('Subscription', /Gold plan/)
  await sees('1. Demo Shop provides Gold plan from')
  await looks('a contract with its preview')
  await press('Save the draft')
  await page.getByRole('heading', { level: 1, name: 'Subscription agreement' }).waitFor()
  await press('Send')
  await confirm('Send')
  await sees('The letter to bo.lee@example.com is on its way.')
  await looks('a contract that is sent')
  const id = page.url().split('/').at(-1)
  await press('Void the contract')
  await confirm('Void the contract')
  await sees(/is charged until another contract for it is signed/)
  await looks('a contract that is void')
  // As its customer signs it.
  const { db } = service.app.services
  const signed = {
    status: 'signed' as const,
    signed_at: new Date(),
    signed_name: 'Bo Lee',
    signed_ip: '203.0.113.7',
    voided_at: null,
  }
  await db
    .updateTable('contract')
    .set(signed as never)
    .where('id', '=', id ?? '')
    .execute()
  await page.reload()
  await sees('A signed contract does not change any more.')
  await looks('a contract that is signed')
  await go(`contracts?customer=${made.customer}`)
  await page.getByRole('row', { name: /Bo Lee/ }).waitFor()
  await looks('contracts of a customer')
}

async function productRoom({ gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  for (const name of ['Assam', 'Ceylon', 'Darjeeling', 'Earl Grey'])
    equal((await client.call('POST /products', { body: { name } })).status, 201)
  const { data } = (await client.call('GET /products')).body
  await go('products', 'anew')
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await select('Assam')
  await select('Ceylon')
  await looks('products that are chosen')
  const { id, version } = data.find(({ name }: { name: string }) => name === 'Ceylon')
  await client.call(`PATCH /products/${id}`, { body: { version, description: 'From Sri Lanka' } })
  await press('Archive')
  await page.getByRole('group', { name: '1 row was left as it was' }).waitFor()
  await looks('a product that was left as it was')
  await page.reload()
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('button', { name: 'Restore 1' }).waitFor()
  await looks('products that are archived, and others, are chosen')
  await go(`products/${id}`)
  await press('Edit')
  await page.getByRole('dialog').getByLabel('Description').fill('A box of tea')
  const { version: next } = (await client.call(`GET /products/${id}`)).body
  await client.call(`PATCH /products/${id}`, { body: { version: next, name: 'Tea, monthly' } })
  await confirm('Save')
  await sees('Name: now Tea, monthly')
  await dialogLooks('a product that somebody else has changed')
  await gallery.leave()
}

async function priceRoom({ gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  const product = (await client.call('POST /products', { body: { name: 'Tea of the month' } })).body.id
  await go(`products/${product}`)
  await press('New price')
  await page.getByRole('dialog').getByLabel('Amount').fill('15')
  await page.getByRole('dialog').getByRole('listitem').nth(2).waitFor()
  await looks('a new price')
  await confirm('Create price $15.00')
  await page.getByRole('row', { name: /\$15\.00 Monthly/ }).waitFor()
  await press('Archive')
  await sees('This product is archived: it takes no new subscriptions.')
  await looks('a product that is archived')
  await press('Undo')
  await client.call('POST /prices', { body: { product, unit_amount: 2_500 } })
  await page.reload()
  await page.getByRole('checkbox', { name: '$15.00 · Monthly' }).or(page.getByLabel('Select $15.00 · Monthly')).check()
  await looks('a product, and a price that is chosen')
  const [{ id, version }] = (await client.call('GET /prices', { query: { product } })).body.data
  await press('Edit $25.00 · One time')
  await page.getByRole('dialog').getByLabel('Nickname').fill('Mine')
  await client.call(`PATCH /prices/${id}`, { body: { version, nickname: 'Theirs' } })
  await confirm('Save')
  await sees('Nickname: now Theirs')
  await dialogLooks('a price that somebody else has changed')
  await gallery.leave()
}

/** The person is in two businesses, so that they can choose one. */
async function joinAnother(service: TestService, { userId }: DashboardClient) {
  const { business_id } = (await secondMerchant(service)).demo
  const member = { business_id, user_id: userId, role: 'analyst' as const, created_at: new Date() }
  await service.app.services.db.insertInto('business_member').values(member).execute()
}

async function teamRoom({ service, gallery, client }: Given) {
  const { page, go, press, confirm, sees, looks, dialogLooks, choose, leave } = gallery
  const other = await signIn(service, { role: 'support' })
  const body = { email: `${newId()}@shop.example`, role: 'support' }
  equal((await client.call('POST /team/invitations', { body })).status, 201)
  await go('team')
  await press(`Actions for ${other.email}`)
  await page.getByRole('menuitem', { name: 'Change role' }).waitFor()
  await looks('the team, and what can be done with a person')
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await choose('Role', 'Analyst')
  const { data } = (await client.call('GET /team')).body
  const { version } = data.find(({ id }: { id: string }) => id === other.userId)
  const change = { version, role: 'developer' }
  equal((await client.call(`PATCH /team/members/${other.userId}`, { body: change })).status, 200)
  await confirm('Change role')
  await sees('Role: now Developer')
  await dialogLooks('a role that somebody else has changed')
  await leave()
  await press('Invite a person')
  await page.getByRole('dialog').getByLabel('E-mail').fill('sam@shop.example')
  await dialogLooks('a person is invited')
  await confirm('Send invitation')
  await page.getByRole('row', { name: /sam@shop\.example/ }).waitFor()
  await looks('the team with invitations')
  await go('team/roles')
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor()
  await looks('roles')
  await joinAnother(service, client)
  await page.reload()
  await press(/^Business: /)
  await gallery.allLooks('the menu of businesses')
  await page.keyboard.press('Escape')
}

async function auditRoom({ service, gallery, client }: Given) {
  const { page, go, looks } = gallery
  const { version } = (await client.call('GET /settings')).body
  await client.call('PATCH /settings', { body: { version, support_phone: '+1 514 555 0199' } })
  const { db } = service.app.services
  const gone = await signIn(service, { role: 'support' })
  await gone.call('PATCH /settings', { body: { version, support_phone: '1' } })
  await db.deleteFrom('business_member').where('user_id', '=', gone.userId).execute()
  await go('audit?action=settings')
  await page
    .getByRole('row', { name: /Change settings/ })
    .first()
    .waitFor()
  await looks('the audit log with a filter')
  await page.locator('table tbody a').last().click()
  await page.getByRole('row', { name: /support_phone.*514 555 0199/ }).waitFor()
  await looks('an entry of the audit log')
  await go(`audit?actor=${gone.userId}`)
  await page.getByRole('button', { name: 'Remove filter Person' }).waitFor()
  await page.locator('table tbody a').first().waitFor()
  await looks('the audit log of a person who has left')
}

async function accountRoom({ service, gallery, client }: Given) {
  const { page, go, press, sees, looks } = gallery
  const { db, clock } = service.app.services
  const now = clock.now()
  const times = { created_at: now, updated_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 600_000) }
  const session = { id: newId(), user_id: client.userId, token: newId(), proof: 'second_factor' as const, ...times }
  await db.insertInto('auth_session').values(session).execute()
  for (let n = 0; n < 21; n++) await client.call('POST /products', { body: { name: `Tea ${n}` } })
  await go('../../account', 'anew')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'What you did' }) })
  await card.getByRole('button', { name: 'Older' }).click()
  await card.getByRole('button', { name: 'Newer' }).and(page.locator(':enabled')).waitFor()
  await looks('a second page of what a person did')
  await press('End all others')
  await page.getByRole('dialog').waitFor()
  await looks('all other sessions are ended')
  await gallery.leave()
  await page.getByLabel('Name').first().fill('Another name')
  await press('Save')
  const json = { error: { code: 'rate_limited', message: 'Too many calls.' } }
  await page.route(/\/auth\/account$/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 429, json }),
  )
  await press('Undo')
  await sees('Too many calls.')
  await looks('a change that could not be undone')
  await page.unrouteAll()
}

async function paymentSettingsRoom({ gallery }: Given) {
  const { page, go, press, sees, dialogLooks, looks, choose, leave } = gallery
  const dialog = page.getByRole('dialog')
  await go('settings/payments', 'anew')
  await page.getByLabel('Tax of new subscriptions in percent').fill('5 %')
  await press('Save')
  await page.getByRole('group', { name: 'Check these fields' }).waitFor()
  await looks('settings of payments that cannot be read')
  await page.getByLabel('Tax of new subscriptions in percent').fill('')
  await page.getByLabel('Rate in percent').fill('2,4')
  await press('Save')
  await dialog.getByText('next bills of running subscriptions are unchanged').waitFor()
  await dialogLooks('a surcharge is confirmed')
  await leave()
  await page.getByLabel('Rate in percent').fill('')
  await choose(/^Security code/, 'Decline when the code does not match')
  await press('Save')
  await dialog.getByText('More payments will be declined').waitFor()
  await dialogLooks('a stricter policy is confirmed')
  await leave()
  await go('settings/limits')
  await page.getByLabel('Exports of customers above', { exact: false }).first().fill('750')
  await press('Save')
  await page.getByRole('dialog', { name: 'Change these settings?' }).waitFor()
  await dialogLooks('limits are confirmed')
  await leave()
  await go('settings/billing', 'anew')
  await page.getByLabel('Missed bills that are charged without asking you').fill('13')
  await press('Save')
  await sees('Check these fields')
  await looks('settings of bills that are out of range')
}

async function settingsRoom({ gallery, client }: Given) {
  const { page, go, press, sees, dialogLooks, looks, choose } = gallery
  await go('settings', 'anew')
  const { version } = (await client.call('GET /settings')).body
  await page.getByRole('textbox', { name: 'Name' }).first().fill('My name')
  await client.call('PATCH /settings', { body: { version, support_phone: '+1 514 555 0123' } })
  await press('Save')
  await page.getByRole('alert').filter({ hasText: 'Support phone: now +1 514 555 0123' }).waitFor()
  await looks('settings that somebody else has changed')
  await press('Save')
  await sees('Saved')
  await looks('settings that have been saved')
  await choose('Country', 'Canada')
  await press('Save')
  await page
    .getByRole('dialog')
    .getByText(/none at all in Quebec itself/)
    .waitFor()
  await dialogLooks('a country is confirmed')
  await gallery.leave()
  await go('settings/letters', 'anew')
  await page.getByText('Français', { exact: true }).click()
  const views = page.locator('.letter-views')
  await views.locator('.letter-text', { hasText: /paiement/i }).waitFor()
  await press('Send me a test')
  await sees(`Sent to ${client.email}`)
  await looks('letters with a preview in French')
}

async function brandingRoom({ gallery }: Given) {
  const { page, go, press, sees, looks, choose } = gallery
  const frame = page.frameLocator('iframe')
  await go('settings/branding', 'anew')
  await page.getByLabel('Colour', { exact: true }).fill('#ffff00')
  await sees(/is too low: at least 3 to 1/)
  await press('Save')
  await sees(/too pale for the page/)
  await looks('a colour that is too pale')
  await page.getByLabel('Colour', { exact: true }).fill('#7a1fa2')
  await sees(/^Contrast with the page: [67]/)
  await choose('Fonts', /^With serifs/)
  await page.getByText('Modal', { exact: true }).click()
  await frame.locator('[data-surface="rapid"]').waitFor()
  await looks('branding with the preview of the modal')
}
