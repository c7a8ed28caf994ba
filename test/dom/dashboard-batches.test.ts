import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'

describeDashboardInDom('batches', ({ open, service }) => {
  const pay = async () => payerOf(service).pay(await merchantOf(service).sessionToken())

  test('JRN-31: money that comes in between is shown before the batch is settled', async () => {
    await pay()
    const { page } = await open({ path: 'batches' })
    const batch = page.getByRole('region', { name: 'Open batch, USD' })
    await batch.getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Settle $25.50' }).waitFor()
    await pay()
    await dialog.getByRole('button', { name: 'Settle $25.50' }).click()
    await dialog.getByText('The batch changed meanwhile').waitFor()
    await dialog.getByRole('row', { name: 'Sales 1 · $25.50 2 · $51.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Settle $51.00' }).click()
    await page.getByText('Batch 1 is settled').last().waitFor()
    await page.getByRole('link', { name: '1 · USD' }).click()
    await page.getByRole('heading', { name: 'Batch 1' }).waitFor()
    await page.getByText('2 entries').waitFor()
    equal((await service.simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded).length, 1)
  })

  test("REF-16: the gateway's refusal of a batch is shown with its text, and what to do", async () => {
    await pay()
    const { page } = await open({ path: 'batches' })
    await page.getByRole('region', { name: 'Open batch, USD' }).getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('dialog')
    const settle = dialog.getByRole('button', { name: 'Settle $25.50' })
    await settle.waitFor()
    await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
    await settle.click()
    await dialog.getByText('The gateway says: DECLINED (settle_failed)').waitFor()
    await dialog.getByText('The batch stays open and nothing was moved.').waitFor()
    await settle.click()
    await page.getByText('Batch 2 is settled').last().waitFor()
  })
})
