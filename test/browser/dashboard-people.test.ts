import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { CONTRACT_TEXTS } from '../../dashboard/areas/contracts/texts/texts.ts'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import {
  describeDashboard,
  expectAccessible,
  expectFits,
  type OnDashboard,
  takeScreenshots,
} from '../support/describe-dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { readPdf } from '../support/read-pdf.ts'
import { waitingSubscription } from '../support/sign-up.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

const confirm = (page: Page, verb: string) => page.getByRole('dialog').getByRole('button', { name: verb }).click()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

await buildBrowserBundles()

describeDashboard('sessions, customers and contracts in the dashboard', journeys, { script: readPaymentFormScript() })

function journeys({ open, openSignedOut, service }: OnDashboard) {
  const api = () => merchantApiOf(service)

  /** Returns the URL in the last letter to somebody. */
  async function linkOfLetter(recipient: string): Promise<string> {
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letter = (await lettersOf(service)).findLast((one) => one.recipient === recipient)
    return /https?:\/\/\S+\/customer\/checkout\/[\w-]{64}/.exec(letter?.body_text ?? '')?.[0] ?? ''
  }

  test('a payment link is created, given to the customer, and cancelled', async () => {
    const { page } = await open({ path: 'sessions' })
    await page.getByRole('button', { name: 'New payment link' }).first().click()
    await title(page, 'New payment link')
    await page.getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('Choose a customer, or enter an e-mail address.').waitFor()
    await page.getByLabel('Amount').fill('12.50')
    await page.getByLabel('or an e-mail address').fill('link@example.com')
    await page.getByLabel('Description').fill('Two lamps')
    await expectAccessible(page, ['light'])
    await page.getByRole('button', { name: 'Create the link for $12.50' }).click()
    await title(page, 'Session of $12.50')
    const link = await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')
    match(link ?? '', /\/customer\/checkout\//)
    await page.getByRole('img', { name: 'QR code of Payment link' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show the link' }).click()
    equal(await page.getByRole('link', { name: 'Open the link' }).getAttribute('href'), link)
    await expectAccessible(page, ['light'])
    await page.getByRole('button', { name: 'Cancel the session' }).click()
    // In a dialog with a button that cancels something, no button is called `Cancel`.
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).waitFor()
    await confirm(page, 'Cancel the session')
    await page.getByText('This link can no longer be paid.').waitFor()
    const paid = await payerOf(service).pay(link?.split('/').at(-1) ?? '', payBody())
    equal(paid.body.ok, false)
    await page.goBack()
    await page.goBack()
    await page.getByRole('cell', { name: 'link@example.com' }).waitFor()
    await expectAccessible(page)
  })

  test('a session that was paid meanwhile is not cancelled; the page shows what it is now (DSH-42)', async () => {
    const { page, client } = await open()
    const link = { amount_total: 1250, customer_email: 'late@example.com' }
    const { body } = await client.call('POST /checkout_sessions', { body: link })
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/sessions/${body.id}`)
    await page.getByRole('button', { name: 'Cancel the session' }).click()
    const paid = await payerOf(service).pay(
      body.checkout_url.split('/').at(-1),
      payBody(undefined, {}, { amount: 12.5 }),
    )
    equal(paid.body.ok, true, JSON.stringify(paid.body))
    await confirm(page, 'Cancel the session')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This did not work').waitFor()
    await page.getByText('This link can no longer be paid.').waitFor()
    equal(await dialog.getByRole('button', { name: 'Cancel the session' }).isDisabled(), true)
    await expectAccessible(page, ['light'])
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await dialog.waitFor({ state: 'detached' })
    equal(await page.getByRole('button', { name: 'Cancel the session' }).count(), 0)
    await page.getByRole('link', { name: 'Show the payment' }).waitFor()
  })

  test('JRN-18: a customer is created, found and edited; a card is asked for by letter, entered, and seen', async () => {
    const { page } = await open({ path: 'customers' })
    await page.getByRole('button', { name: 'New customer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ana Roy')
    await page.getByLabel('E-mail address').fill('ana.roy@example.com')
    await expectAccessible(page, ['light'])
    await page.getByRole('button', { name: 'Add the customer' }).click()
    await title(page, 'Ana Roy')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Name, e-mail or ID' }).click()
    await page.getByRole('textbox', { name: 'Name, e-mail or ID' }).fill('roy@exam')
    await page.keyboard.press('Enter')
    await expectAccessible(page, ['light'])
    await page.getByRole('link', { name: 'Ana Roy' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Phone').fill('+1 514 555 0100')
    await confirm(page, 'Save')
    await page.getByRole('definition').getByText('+1 514 555 0100').waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await waitingSubscription(api(), { customer: id })
    await page.reload()
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    await page.getByRole('dialog').getByText('By e-mail to ana.roy@example.com').waitFor()
    await expectAccessible(page, ['light'])
    await confirm(page, 'Send the letter')
    await page.getByText('The letter is on its way.').last().waitFor()
    const customer = await openSignedOut(new URL(await linkOfLetter('ana.roy@example.com')).pathname)
    await payInForm(customer, { postal: '10001' })
    await customer.getByRole('heading', { name: 'Payment approved' }).waitFor()
    await page.reload()
    await page.getByText('Visa •••• 4242').first().waitFor()
    await page.getByText('Can be charged').waitFor()
    await expectAccessible(page)
  })

  test('an e-mail address that is taken leads to its customer', async () => {
    const { id } = await api().made('/customers', { name: 'Zoé Roy', email: 'zoe.roy@example.com' })
    const { page } = await open({ path: 'customers/new' })
    await page.getByLabel('E-mail address').fill('ZOE.ROY@example.com')
    await page.getByRole('button', { name: 'Add the customer' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'A customer with this e-mail address already exists.' })
    await notice.waitFor()
    await expectAccessible(page)
    equal(await page.getByRole('textbox', { name: 'E-mail address' }).inputValue(), 'ZOE.ROY@example.com')
    await notice.getByRole('link', { name: 'Open that customer' }).click()
    await title(page, 'Zoé Roy')
    match(page.url(), new RegExp(`/customers/${id}$`))
  })

  test('a file has the columns and the days that are chosen, whatever the page shows (DSH-8)', async () => {
    const { page, client } = await open({ path: 'customers' })
    await client.call('POST /customers', { body: { name: 'Kim File', email: `${newId()}@example.com` } })
    const dialog = page.getByRole('dialog')
    const download = async () => {
      const saved = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download' }).click()
      const text = await readFile(await (await saved).path(), 'utf8')
      await dialog.waitFor({ state: 'detached' })
      return text.trimEnd().split('\r\n')
    }
    await page.getByRole('button', { name: 'Export' }).click()
    await dialog.getByRole('checkbox', { name: 'All columns' }).click()
    equal(await dialog.getByRole('button', { name: 'Download' }).isDisabled(), true)
    for (const name of ['email', 'name']) await dialog.getByRole('checkbox', { name, exact: true }).check()
    await takeScreenshots(page, 'export')
    await expectAccessible(page)
    await expectFits(page)
    const [names, ...rows] = await download()
    deepEqual([names, rows.some((row) => row.startsWith('Kim File,'))], ['\uFEFFname,email', true])
    await page.getByRole('button', { name: 'Export' }).click()
    await dialog.getByLabel('Created, to').fill('2020-01-01')
    equal((await download()).length, 1)
    ok(!new URL(page.url()).search.includes('2020'), 'the days of the file are not those of the page')
    await page.goto(`${page.url()}?from=2020-01-01&to=2020-01-31&has_card=true`)
    await page.getByText('No entry matches: Created: Jan 1, 2020 – Jan 31, 2020, Has a card: Yes.').waitFor()
  })

  test('an edit that somebody else overtook shows what they changed, and is saved when it is confirmed again', async () => {
    const { id } = await api().made('/customers', { name: 'Before', phone: '1' })
    const { page } = await open({ path: `customers/${id}` })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Mine')
    await api().patch(`/customers/${id}`, { phone: '2' })
    await confirm(page, 'Save')
    await page.getByText('Somebody changed this customer meanwhile.').waitFor()
    await page.getByText('Is now: 2').waitFor()
    await expectAccessible(page, ['light'])
    await confirm(page, 'Save')
    await title(page, 'Mine')
    equal((await api().get(`/customers/${id}`)).body.phone, '2')
    await page.getByRole('button', { name: 'Undo' }).click()
    await title(page, 'Before')
    equal((await api().get(`/customers/${id}`)).body.phone, '2')
  })

  test('JRN-19: a card that a subscription uses is detached after saying what loses it', async () => {
    const subscriber = await makeSubscriber(service)
    await subscriber.api.made('/subscriptions', subscriptionBody(subscriber))
    const { page } = await open({ path: `customers/${subscriber.customer}` })
    await page.getByRole('button', { name: 'Detach' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Gold plan: $25.00 monthly, next bill').waitFor()
    await expectAccessible(page, ['dark'])
    await confirm(page, 'Detach the card')
    await page.getByText('No card is saved.').waitFor()
    await expectAccessible(page, ['light'])
    equal((await api().get(`/payment_methods/${subscriber.payment_method}`)).body.status, 'detached')
  })

  test('JRN-36: a contract is written, sent and signed in another browser; the waiting bill goes', async () => {
    const made = await waitingSubscription(api())
    await api().patch(`/customers/${made.customer}`, { name: 'Bo Lee', email: 'bo.lee@example.com' })
    const { page } = await open({ path: `contracts/new?customer=${made.customer}` })
    await page.getByRole('button', { name: 'Begin with the template' }).click()
    // Before a subscription is chosen, the template does not mention one, and could be saved.
    await page.getByText('1. Demo Shop provides what Bo Lee subscribes to.').waitFor()
    equal(await page.getByText('No value is known').count(), 0)
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill(`${await text.inputValue()} {{amount}}`)
    await page.getByText('No value is known for {{amount}}.').waitFor()
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('has no value for amount').first().waitFor()
    await text.fill((await text.inputValue()).replace(' {{amount}}', ''))
    await page.getByRole('combobox', { name: 'Subscription' }).click()
    await page.getByRole('option').first().click()
    await page.getByText('1. Demo Shop provides Gold plan from').waitFor()
    await expectAccessible(page, ['light'])
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await title(page, 'Subscription agreement')
    await page.getByRole('button', { name: 'Send' }).click()
    await confirm(page, 'Send')
    await page.getByText('The letter to bo.lee@example.com is on its way.').last().waitFor()
    await expectAccessible(page, ['light'])
    equal((await api().get(`/subscriptions/${made.id}`)).body.status, 'pending_payment_method')
    const customer = await openSignedOut(new URL(await linkOfLetter('bo.lee@example.com')).pathname)
    await customer.getByRole('textbox').fill('Bo Lee')
    await customer.getByRole('checkbox').check()
    await customer.getByRole('button').last().click()
    await payInForm(customer, { postal: '10001' })
    await customer.getByRole('heading', { name: 'Payment approved' }).waitFor()
    await page.reload()
    await page.getByText('Signed by').waitFor()
    await page.getByText('A signed contract does not change any more.').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download PDF' }).click()
    const file = await saved
    match(file.suggestedFilename(), /^contract-[0-9a-f-]{36}\.pdf$/)
    const { pages } = await readPdf(await readFile(await file.path()))
    match(pages.join(' '), /Subscription agreement .*Demo Shop and Bo Lee agree on.*Signed by Bo Lee/)
    equal(await page.getByRole('button', { name: 'Void' }).count(), 0)
    equal((await api().get(`/subscriptions/${made.id}`)).body.status, 'active')
    await expectAccessible(page)
    const number = page.url().split('/').at(-1) ?? ''
    await page.locator('.page-head').getByText('Contract number').waitFor()
    await page.getByRole('link', { name: 'Contracts', exact: true }).last().click()
    const row = page.getByRole('row', { name: new RegExp(`Bo Lee.*${number}`) })
    await row.waitFor()
    await filterByCustomer(page, 'Bo Lee (bo.lee@example.com)')
    await row.waitFor()
    await expectAccessible(page)
    await takeScreenshots(page, 'contracts')
    await row.getByRole('link').nth(1).click()
    await page.waitForURL(`**/subscriptions/${made.id}`)
  })

  for (const locale of ['en', 'fr-CA', 'es'] as const)
    test(`a contract that the PDF cannot show says so on its page, in ${locale}`, async () => {
      const t = await CONTRACT_TEXTS.load(locale)
      const { id: customer } = await api().made('/customers', { name: 'Lin' })
      const { page, client } = await open({ context: { locale, viewport: { width: 320, height: 900 } } })
      const { body } = await client.call('POST /contracts', { body: { customer, title: 'T', text: '𓀀𓀁' } })
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/contracts/${body.id}`)
      await page.getByRole('button', { name: t.downloadPdf }).click()
      await page.getByText('The PDF cannot show these characters: 𓀀 𓀁. Print the page instead.').first().waitFor()
      await expectFits(page)
      await expectAccessible(page, ['light'])
    })
}

async function filterByCustomer(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Customer', exact: true }).click()
  await page.getByRole('combobox', { name: 'Customer' }).click()
  await page.getByRole('option', { name }).click()
  await page.waitForURL(/customer=/)
}
