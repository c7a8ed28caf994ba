import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'

describeDashboard('Test tools in the dashboard', ({ service, open }) => {
  test('sample data is made, the clock goes to the next bill, and its letter is read', async () => {
    await service.app.startWorker()
    const { page, client } = await open({ role: 'support', path: 'test' })
    await page.getByRole('button', { name: 'Make sample data' }).click()
    await page.getByText('6 customers, 4 payments, 2 declined, 2 refunds, 1 subscription').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'To the next bill' }).click()
    await page.getByRole('heading', { name: 'What ran' }).waitFor({ timeout: 30_000 })
    equal((await page.locator('dd', { hasText: /^1$/ }).count()) > 0, true)
    await page.getByRole('searchbox', { name: 'Find a card' }).fill('insufficient')
    await page.getByRole('cell', { name: /4000 0000 0000 9995/ }).waitFor()
    await takeScreenshots(page, 'test-tools')

    await page.getByRole('link', { name: 'Open the mailbox' }).click()
    const { data } = (await client.call('GET /mailbox')).body
    await page.getByRole('link', { name: data[0].subject }).first().click()
    const letter = page.frameLocator('iframe').locator('body')
    await letter.waitFor()
    match((await letter.textContent()) ?? '', /Demo Shop/)
    await takeScreenshots(page, 'letter')
    await page.getByRole('link', { name: 'Mailbox' }).click()
    await takeScreenshots(page, 'mailbox')
    await page.getByRole('link', { name: 'Test tools' }).first().click()
    await page.getByRole('link', { name: 'Open the ledger' }).click()
    await page.getByRole('cell', { name: 'sale' }).first().waitFor()
    await takeScreenshots(page, 'ledger')
  })
})
