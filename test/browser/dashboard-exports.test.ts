import { deepEqual } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PAYMENT_COLUMNS } from '../../contract/dashboard/export-columns.ts'
import { csvTable } from '../support/csv-table.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'

// DSH-8: the export button of every list, for people who may use it.

describeDashboard('The lists of the dashboard', ({ service, open }) => {
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

  test('a batch has the file of its payments alone', async () => {
    const { page, client } = await open({ path: `batches/${ids.batches}` })
    const { total } = (await client.call(`GET /batches/${ids.batches}/payments`)).body
    const { table } = await download(page)
    const batches = table.slice(1).map((cells) => cells[PAYMENT_COLUMNS.indexOf('batch')])
    deepEqual(batches, Array(total).fill(ids.batches))
  })
})
