import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  CONTRACT_COLUMNS,
  DELIVERY_COLUMNS,
  EVENT_COLUMNS,
  OPERATION_COLUMNS,
  PAYMENT_COLUMNS,
  PRICE_COLUMNS,
  PRODUCT_COLUMNS,
  REFUSAL_COLUMNS,
  SESSION_COLUMNS,
} from '../../contract/dashboard/export-columns.ts'
import { csvTable } from '../support/csv-table.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { type Furnished, furnish } from '../support/furnished.ts'

// DSH-8: the export button of every list, for people who may use it.

describeDashboardInDom('The lists of the dashboard', ({ service, open }) => {
  let ids: Furnished
  before(async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    ids = await furnish(service, owner, service.demo.business_id)
    ids.batches = (await owner.call('GET /batches', { query: { status: 'settled' } })).body.data[0].id
  })

  const exportButton = (page: Page) => page.getByRole('button', { name: 'Export' })

  async function download(page: Page) {
    await exportButton(page).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
    const file = await saved
    return { name: file.suggestedFilename(), table: csvTable(await readFile(await file.path(), 'utf8')) }
  }

  test('are exported from their pages', async () => {
    const { page } = await open()
    for (const [path, name, columns] of [
      ['sessions?status=COMPLETED', 'checkout_sessions', SESSION_COLUMNS],
      ['in-doubt', 'operations', OPERATION_COLUMNS],
      ['products?active=true', 'products', PRODUCT_COLUMNS],
      [`products/${ids.products}`, 'prices', PRICE_COLUMNS],
      ['contracts?status=draft', 'contracts', CONTRACT_COLUMNS],
      ['events?type=product.created', 'events', EVENT_COLUMNS],
      [`webhooks/${ids.webhook_endpoints}?status=pending`, 'deliveries', DELIVERY_COLUMNS],
      ['requests', 'refusals', REFUSAL_COLUMNS],
      [`batches/${ids.batches}`, 'payments', PAYMENT_COLUMNS],
    ] as const) {
      await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/${path}`)
      const file = await download(page)
      deepEqual([file.name.replace(/-\d{4}-\d\d-\d\d/, ''), file.table[0]], [`${name}.csv`, columns], path)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('have no button for those who may not export them', async () => {
    const { page } = await open({ role: 'analyst', path: 'products' })
    await page.getByRole('table').waitFor()
    equal(await exportButton(page).count(), 0)
    await page.goto(`${service.formUrl}/dashboard/b/${service.demo.business_id}/products/${ids.products}`)
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
    equal(await exportButton(page).count(), 0)
  })

  test('name their columns in the dialog', async () => {
    const { page } = await open({ path: 'sessions' })
    await exportButton(page).click()
    await page.getByRole('dialog').getByText('payment_status').waitFor()
  })
})
