import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantApiOf } from '../support/merchant-api.ts'

// CHK-142: the page of a customer shows that links exist, and revokes them.

describeDashboardInDom('card links in the dashboard', ({ open, service }) => {
  const customer = async (): Promise<string> =>
    (await merchantApiOf(service).made('/customers', { name: 'Ana Roy', email: `${newId()}@example.com` })).id

  test('a link that is out is named until it is revoked, after a confirmation', async () => {
    const id = await customer()
    const { page } = await open({ path: `customers/${id}` })
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    await page.getByRole('radio', { name: 'I give it to them' }).check()
    await page.getByRole('button', { name: 'Show the link' }).click()
    await page.getByText(/^The link is valid until .+\. You can revoke it/).waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText(/^A link to save a card is out to the customer, valid until/).waitFor()
    const url = await cardLinkOf(service, id)
    await page.reload()
    await page.getByText(/^2 links to save a card are out to the customer/).waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('This cannot be undone').waitFor()
    equal((await fetch(url, { redirect: 'manual' })).status, 303)
    await page.getByRole('button', { name: 'Revoke the links' }).click()
    await page.getByText('The links are revoked.').first().waitFor()
    await page.getByText(/links? to save a card (is|are) out/).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Revoke the card links of a customer' }).waitFor()
    equal((await fetch(url, { redirect: 'manual' })).status, 200)
  })

  test('who may not ask for cards sees the link, and cannot revoke it', async () => {
    const id = await customer()
    await cardLinkOf(service, id)
    const { page } = await open({ path: `customers/${id}`, role: 'analyst' })
    await page.getByText(/^A link to save a card is out to the customer/).waitFor()
    equal(await page.getByRole('button', { name: 'Revoke', exact: true }).count(), 0)
  })
})
