import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboard, expectAccessible } from '../support/describe-dashboard.ts'
import { payBody, payerOf } from '../support/merchant.ts'

describeDashboard('sessions in the dashboard', ({ open, service }) => {
  test('a payment link is created, given to the customer, and cancelled', async () => {
    const { page } = await open({ path: 'sessions' })
    await page.getByRole('button', { name: 'New payment link' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New payment link' }).waitFor()
    await page.getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('Choose a customer, or enter an e-mail address.').waitFor()
    await page.getByLabel('Amount').fill('12.50')
    await page.getByLabel('or an e-mail address').fill('link@example.com')
    await page.getByLabel('Description').fill('Two lamps')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create the link for $12.50' }).click()
    await page.getByRole('heading', { level: 1, name: 'Session of $12.50' }).waitFor()
    const link = await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href')
    match(link ?? '', /\/customer\/checkout\//)
    await page.getByRole('img', { name: 'QR code of Payment link' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel the session' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the session' }).click()
    await page.getByText('This link can no longer be paid.').waitFor()
    const paid = await payerOf(service).pay(link?.split('/').at(-1) ?? '', payBody())
    equal(paid.body.ok, false)
    await page.goBack()
    await page.goBack()
    await page.getByRole('cell', { name: 'link@example.com' }).waitFor()
    await expectAccessible(page)
  })
})
