import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { CONTRACT_TEXTS } from '../../dashboard/areas/contracts/texts/texts.ts'
import type { OnDashboard } from '../support/describe-dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

const confirm = (page: Page, verb: string) => page.getByRole('dialog').getByRole('button', { name: verb }).click()
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describeDashboardInDom('sessions, customers and contracts in the dashboard', journeys)

function journeys({ open, service }: OnDashboard) {
  const api = () => merchantApiOf(service)

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
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await dialog.waitFor({ state: 'detached' })
    equal(await page.getByRole('button', { name: 'Cancel the session' }).count(), 0)
    await page.getByRole('link', { name: 'Show the payment' }).waitFor()
  })

  test('an e-mail address that is taken leads to its customer', async () => {
    const { id } = await api().made('/customers', { name: 'Zoé Roy', email: 'zoe.roy@example.com' })
    const { page } = await open({ path: 'customers/new' })
    await page.getByLabel('E-mail address').fill('ZOE.ROY@example.com')
    await page.getByRole('button', { name: 'Add the customer' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'A customer with this e-mail address already exists.' })
    await notice.waitFor()
    equal(await page.getByRole('textbox', { name: 'E-mail address' }).inputValue(), 'ZOE.ROY@example.com')
    await notice.getByRole('link', { name: 'Open that customer' }).click()
    await title(page, 'Zoé Roy')
    match(page.url(), new RegExp(`/customers/${id}$`))
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
    await confirm(page, 'Detach the card')
    await page.getByText('No card is saved.').waitFor()
    equal((await api().get(`/payment_methods/${subscriber.payment_method}`)).body.status, 'detached')
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
    })
}
