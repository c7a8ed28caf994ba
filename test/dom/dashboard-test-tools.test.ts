import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { KIT_TEXTS } from '../../dashboard/kit/kit-texts.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { makeSubscriber, subscribe } from '../support/subscriber.ts'

describeDashboardInDom('Test tools in the dashboard', ({ service, open }) => {
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

  for (const locale of ['fr-CA', 'es'] as const)
    test(`in ${locale} test cards, letters, the ledger and a payment have no English left (DSH-20)`, async () => {
      const { page, client } = await open({ role: 'admin', path: 'test', context: { locale } })
      if ((await client.call('GET /payments')).body.data.length === 0) await client.call('POST /test_data')
      const { business_id: businessId } = service.demo
      await composeDue(service.app.services, { businessId })
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
    isLost = false
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: KIT_TEXTS.english.retry }).click()
    match((await saved).suggestedFilename(), /\.pdf$/)
    await page.getByText(KIT_TEXTS.english.downloadFailed).waitFor({ state: 'detached' })
  })
})
