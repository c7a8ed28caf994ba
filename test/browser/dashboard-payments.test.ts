import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { CARDS } from '../support/card-numbers.ts'
import { csvTable } from '../support/csv-table.ts'
import { addDeclinedSales } from '../support/declined-sales.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { pressOn } from '../support/keyboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

describeDashboard('The pages of payments', ({ service, open }) => {
  let ana: StoredCardIds
  before(async () => {
    await service.app.startWorker()
    await service.app.services.db
      .updateTable('business')
      .set({ support_email: 'shop@example.com' })
      .where('id', '=', service.demo.business_id)
      .execute()
    ana = await storeCard(service, 'ana@example.com')
    const token = await merchantOf(service).sessionToken({
      customer_email: 'bo@example.com',
      client_reference_id: 'Order-77',
    })
    await payerOf(service).pay(token, payBody(CARDS.declined))
    await payerOf(service).pay(token, payBody(CARDS.mastercard))
  })
  const sold = async (amount: number, card = ana): Promise<string> =>
    (await sellTo(service, card, { amount })).body.recordID

  test('JRN-9: are filtered and found by search; a view of them is kept and shared', async () => {
    const id = await sold(187.33)
    const { page } = await open({ path: 'payments' })
    await page.getByRole('link', { name: /2/ }).first().waitFor()
    await takeScreenshots(page, 'payments')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Status' }).click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Declined' }).click()
    await until('the filter', async () => (await page.locator('tbody tr').count()) === 1)
    await page.getByText('Declined by the issuer (ND)').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: /Save/ }).click()
    await page.getByRole('textbox', { name: /Name/ }).fill('Declined cards')
    await page.getByRole('checkbox').check()
    await page.getByRole('dialog').getByRole('button', { name: /Save/ }).click()
    const { page: other } = await open({ role: 'analyst', path: 'payments' })
    await other.getByRole('button', { name: 'Views' }).click()
    await other.getByRole('menuitem', { name: 'Declined cards' }).click()
    await other.getByText('Declined by the issuer (ND)').waitFor()
    await until('the view', async () => (await other.locator('tbody tr').count()) === 1)
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('Bo')
    await page.getByText('Type three letters or more.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const [text, name] of [
      ['0002', /Payment .*Declined.*25\.50/],
      ['4444', /Payment .*Succeeded.*25\.50/],
      ['ana@example.com', /ana@example\.com/],
      ['187.33', /187\.33/],
      [id, /187\.33/],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('dialog').getByRole('link', { name }).first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('JRN-10: are paged by the keyboard, and the way back keeps the place', async () => {
    await addDeclinedSales(service, 100_000)
    const { page } = await open({ path: 'payments?limit=25' })
    const firstRow = () => page.locator('tbody tr').first().innerText()
    const pages = [
      await until('the first page', async () => (await page.locator('tbody tr').count()) === 25 && firstRow()),
    ]
    await page.getByText('More than 10,000').waitFor()
    const turn = async (name: string, isThere: (row: string) => boolean) => {
      // The focus stays in place from one page to the next.
      await pressOn(page, page.getByRole('button', { name }), 'Shift+Tab')
      return until(`${name} from page ${pages.length}`, async () => {
        const row = await firstRow()
        return isThere(row) && row
      })
    }
    while (pages.length < 20) pages.push(await turn('Older', (row) => !pages.includes(row)))
    for (const before of pages.slice(9, -1).reverse()) await turn('Newer', (row) => row === before)
    const place = page.url()
    await pressOn(page, page.locator('tbody tr').first().getByRole('link').first(), 'Shift+Tab')
    await page.getByRole('heading', { level: 1, name: /Payment of/ }).waitFor()
    await page.goBack()
    await until('the same place', async () => (await firstRow()) === pages[9])
    equal(page.url(), place)
    for (const before of pages.slice(0, 9).reverse()) await turn('Newer', (row) => row === before)
    equal(await page.getByRole('button', { name: 'Newer' }).isDisabled(), true)
  })

  test('JRN-11: are exported as they are filtered: the file has the rows of the database', async () => {
    const { page } = await open({ path: 'payments?kind=session' })
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Opens in').first().click()
    await page.getByRole('option', { name: 'Programs: every text unchanged' }).click()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const [head = [], ...rows] = csvTable(await readFile(await (await saved).path(), 'utf8'))
    const columns = ['status', 'kind', 'amount', 'currency', 'card_last4', 'code', 'receipt_id', 'session']
    const { rows: stored } = await sql<Record<string, string>>`
      select coalesce(p.status, 'failed') as status, 'session' as kind, round(o.amount / 100.0, 2)::text as amount,
        o.currency, o.card_last4, coalesce(p.code, o.code) as code, coalesce(p.receipt_id, '') as receipt_id,
        o.owner_id as session
      from operation o left join payment p on p.operation_id = o.id
      where o.kind = 'sale' and o.owner_kind = 'session' order by o.id desc`.execute(service.app.services.db)
    equal(stored.length, 3)
    deepEqual(
      rows.map((cells) => columns.map((column) => cells[head.indexOf(column)])),
      stored.map((row) => columns.map((column) => row[column])),
    )
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('JRN-12: a payment is refunded in part and then the rest; the letters are in the mailbox', async () => {
    const id = (await payForSubscription(service, ana)).id
    const { page } = await open({ path: `payments/${id}` })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('textbox', { name: 'Amount to refund' }).fill('10.00')
    const verb = page.getByRole('button', { name: /^Refund .*10\.00$/ })
    await verb.waitFor()
    await page.getByText('ana@example.com gets a letter').waitFor()
    await takeScreenshots(page, 'refund-dialog')
    await verb.click()
    await page.getByText('Partly refunded').first().waitFor()
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: /^Refund .*2\.34$/ }).click()
    await page.getByText('All of it is refunded.').waitFor()
    equal(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0)
    const letter = page.getByText(/Letter to ana@example.com/).first()
    await until('the letters', async () => {
      await page.reload({ waitUntil: 'networkidle' })
      return (await letter.count()) > 0
    })
    await takeScreenshots(page, 'payment')
    await page.goto(page.url().replace(/payments.*/, 'test/mailbox'))
    const refunds = page.getByRole('row', { name: /Your refund of .* ana@example\.com/ })
    await refunds.first().waitFor()
    await until(
      'both letters',
      async () => (await page.reload({ waitUntil: 'networkidle' })) && (await refunds.count()) === 2,
    )
  })

  test('JRN-13: a double click, and a response that is lost, make one refund', async () => {
    const [first, second] = [await sold(30), await sold(31)]
    const context = { reducedMotion: 'no-preference' } as const
    const { page } = await open({ path: `payments/${first}`, context })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: /^Refund .*30\.00$/ }).dblclick()
    await page.getByText('All of it is refunded.').waitFor()
    equal((await refundsOf(first)).length, 1)
    await page.goto(page.url().replace(first, second))
    let lost = 0
    await page.route(/\/refunds$/, async (route) => {
      const response = await route.fetch()
      if (lost++ > 0) return route.fulfill({ response })
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: /^Refund .*31\.00$/ }).click()
    await page.getByRole('dialog').getByText('It is not known whether this was done').waitFor()
    await page.getByRole('dialog').getByText('It is not done twice.', { exact: false }).waitFor()
    equal(await page.getByText('This did not work').count(), 0, 'DSH-30')
    await takeScreenshots(page, 'refund-without-response')
    await page.getByRole('button', { name: /^Refund .*31\.00$/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    equal(lost, 2)
    await page.getByText('All of it is refunded.').waitFor()
    equal((await refundsOf(second)).length, 1)
  })

  const refundsOf = (payment: string) =>
    service.app.services.db.selectFrom('refund').selectAll().where('payment_id', '=', payment).execute()
})
