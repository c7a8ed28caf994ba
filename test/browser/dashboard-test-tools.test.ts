import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { KIT_TEXTS } from '../../dashboard/kit/kit-texts.ts'
import { describeDashboard, expectAccessible, takeScreenshots } from '../support/describe-dashboard.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { makeSubscriber, subscribe } from '../support/subscriber.ts'

describeDashboard('Test tools in the dashboard', ({ service, open }) => {
  test('a next bill that is more than 31 days away is confirmed first (DSH-27)', async () => {
    const yearly = await makeSubscriber(service, { price: { recurring: { interval: 'year' } } })
    await subscribe(yearly)
    const { page, client } = await open({ role: 'support', path: 'test' })
    await page.getByRole('button', { name: 'To the next bill' }).click()
    const dialog = page.getByRole('dialog', { name: 'Advance by more than 31 days?' })
    await dialog.getByText('Every bill until', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    equal((await client.call('GET /test_clock')).body.offset_seconds, 0)
  })

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
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Open the mailbox' }).click()
    const { data } = (await client.call('GET /mailbox')).body
    await page.getByRole('link', { name: data[0].subject }).first().click()
    const letter = page.frameLocator('iframe').locator('body')
    await letter.waitFor()
    match((await letter.textContent()) ?? '', /Demo Shop/)
    await takeScreenshots(page, 'letter')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Mailbox' }).click()
    await takeScreenshots(page, 'mailbox')
    await page.getByRole('link', { name: 'Test tools' }).first().click()
    await page.getByRole('link', { name: 'Open the ledger' }).click()
    await page.getByRole('cell', { name: 'sale' }).first().waitFor()
    await takeScreenshots(page, 'ledger')
    await expectAccessible(page)
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`in ${locale} test cards, letters, the ledger and a payment have no English left (DSH-20)`, async () => {
      const { page, client } = await open({ role: 'admin', path: 'test', context: { locale } })
      if ((await client.call('GET /payments')).body.data.length === 0) await client.call('POST /test_data')
      const { business_id: businessId } = service.demo
      const [payment] = (await client.call('GET /payments', { query: { status: 'succeeded' } })).body.data
      const [letter] = (await client.call('GET /mailbox')).body.data
      for (const path of [
        'test',
        'test/mailbox',
        `test/mailbox/${letter.id}`,
        'test/ledger',
        `payments/${payment.id}`,
      ]) {
        await page.goto(`${service.formUrl}/dashboard/b/${businessId}/${path}`)
        await page.locator('main table, main iframe, main dl').first().waitFor()
        await page.waitForLoadState('networkidle')
        await expectNoEnglish(page, locale)
      }
    })

  test('a download that fails says so, keeps the focus in the page, and can be tried again', async () => {
    const { page, client } = await open({ role: 'admin', path: 'test' })
    if ((await client.call('GET /payments')).body.data.length === 0) await client.call('POST /test_data')
    const [payment] = (await client.call('GET /payments', { query: { status: 'succeeded' } })).body.data
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/payments/${payment.id}`)
    const receipt = page.getByRole('button', { name: PAYMENT_TEXTS.english.getReceipt })
    let isLost = true
    await page.route('**/receipt', (route) => (isLost ? route.abort() : route.continue()))
    await receipt.click()
    await page.getByText(KIT_TEXTS.english.downloadFailed).waitFor()
    await expectAccessible(page)
    isLost = false
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: KIT_TEXTS.english.retry }).click()
    match((await saved).suggestedFilename(), /\.pdf$/)
    await page.getByText(KIT_TEXTS.english.downloadFailed).waitFor({ state: 'detached' })
  })
})
