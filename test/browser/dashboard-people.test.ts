import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { describeDashboard, type OnDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { readPdf } from '../support/read-pdf.ts'
import { waitingSubscription } from '../support/sign-up.ts'

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
    await page.getByRole('button', { name: 'Create the link for $12.50' }).click()
    await title(page, 'Session of $12.50')
    const link = await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')
    match(link ?? '', /\/customer\/checkout\//)
    await page.getByRole('img', { name: 'QR code of Payment link' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show the link' }).click()
    equal(await page.getByRole('link', { name: 'Open the link' }).getAttribute('href'), link)
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
  })

  test('JRN-18: a customer is created, found and edited; a card is asked for by letter, entered, and seen', async () => {
    const { page } = await open({ path: 'customers' })
    await page.getByRole('button', { name: 'New customer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ana Roy')
    await page.getByLabel('E-mail address').fill('ana.roy@example.com')
    await page.getByRole('button', { name: 'Add the customer' }).click()
    await title(page, 'Ana Roy')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Name, e-mail or ID' }).click()
    await page.getByRole('textbox', { name: 'Name, e-mail or ID' }).fill('roy@exam')
    await page.keyboard.press('Enter')
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
    await confirm(page, 'Send the letter')
    await page.getByText('The letter is on its way.').last().waitFor()
    const customer = await openSignedOut(new URL(await linkOfLetter('ana.roy@example.com')).pathname)
    await payInForm(customer, { postal: '10001' })
    await customer.getByRole('heading', { name: 'Payment approved' }).waitFor()
    await page.reload()
    await page.getByText('Visa •••• 4242').first().waitFor()
    await page.getByText('Can be charged').waitFor()
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
    const [names, ...rows] = await download()
    deepEqual([names, rows.some((row) => row.startsWith('Kim File,'))], ['\uFEFFname,email', true])
    await page.getByRole('button', { name: 'Export' }).click()
    await dialog.getByLabel('Created, to').fill('2020-01-01')
    equal((await download()).length, 1)
    ok(!new URL(page.url()).search.includes('2020'), 'the days of the file are not those of the page')
    await page.goto(`${page.url()}?from=2020-01-01&to=2020-01-31&has_card=true`)
    await page.getByText('No entry matches: Created: Jan 1, 2020 – Jan 31, 2020, Has a card: Yes.').waitFor()
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
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await title(page, 'Subscription agreement')
    await page.getByRole('button', { name: 'Send' }).click()
    await confirm(page, 'Send')
    await page.getByText('The letter to bo.lee@example.com is on its way.').last().waitFor()
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
    const number = page.url().split('/').at(-1) ?? ''
    await page.locator('.page-head').getByText('Contract number').waitFor()
    await page.getByRole('link', { name: 'Contracts', exact: true }).last().click()
    const row = page.getByRole('row', { name: new RegExp(`Bo Lee.*${number}`) })
    await row.waitFor()
    await filterByCustomer(page, 'Bo Lee (bo.lee@example.com)')
    await row.waitFor()
    await takeScreenshots(page, 'contracts')
    await row.getByRole('link').nth(1).click()
    await page.waitForURL(`**/subscriptions/${made.id}`)
  })
}

async function filterByCustomer(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Customer', exact: true }).click()
  await page.getByRole('combobox', { name: 'Customer' }).click()
  await page.getByRole('option', { name }).click()
  await page.waitForURL(/customer=/)
}
