import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { describeDashboard, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { saleOfSubscription } from '../support/subscription-payment.ts'
import { until } from '../support/until.ts'

// Columns that lists about money show by default, and those that they omit if there is no room (DSH-44).

const WIDE = { viewport: { width: 1600, height: 900 } }
const DESK = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

describeDashboard('The columns of the lists about money', ({ service, open }) => {
  let billed: string
  before(async () => {
    const ana = await storeCard(service, 'marie-christine.desrochers@mail.example')
    const { db } = service.app.services
    await db.updateTable('customer').set({ name: 'Marie-Christine Desrochers-Lafontaine' }).execute()
    const token = await merchantOf(service).sessionToken({ customer_email: 'bartholomew@mail.example' })
    await payerOf(service).pay(token, payBody(CARDS.declined))
    await payerOf(service).pay(token, payBody(CARDS.mastercard))
    await merchantOf(service).post('/batch/settle', {})
    await sellTo(service, ana)
    billed = (await saleOfSubscription(service, ana)).id
    await db.updateTable('payment').set({ attempt: 3, trigger: 'retry' }).where('id', '=', billed).execute()
    await merchantOf(service).sessionToken({ customer_email: 'unpaid@example.com' })
    const owner = await signIn(service)
    const refund = (amount: number) =>
      owner.call(`POST /payments/${billed}/refunds`, { body: { amount, reason: 'requested' } })
    equal((await refund(1_000)).body.status, 'succeeded')
    const unknown = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, unknown] })
    const { body } = await refund(100)
    await until('an inquiry', async () => {
      const { status } = await owner.call(`POST /operations/${body.id}/inquire`)
      return status === 200
    })
    const contract = { customer: ana.customerId, title: 'Terms of the yearly membership', text: 'I agree.' }
    equal((await owner.call('POST /contracts', { body: contract })).status, 201)
  })

  for (const [locale, batch] of [
    ['en-CA', 'Batch'],
    ['fr-CA', 'Lot'],
    ['es', 'Lote'],
  ] as const)
    test(`DSH-44: in ${locale} no column is cut at 1280 px: the batch goes first`, async () => {
      const { page } = await open({ path: 'payments', context: { ...DESK, locale } })
      await rowsOf(page, 5)
      await until('the table fits', () => fits(page))
      ok(!(await headersOf(page)).includes(batch))
      for (const [path, rows] of [
        ['sessions', 3],
        ['in-doubt', 1],
        ['contracts', 1],
      ] as const) {
        await page.goto(page.url().replace(/[^/]+$/, path))
        await rowsOf(page, rows)
        await until(`${path} fits`, () => fits(page))
      }
    })

  test('DSH-44: a wider window has every column again, and what a person chooses stays', async () => {
    const { page } = await open({ path: 'payments', context: DESK })
    await rowsOf(page, 5)
    const all = ['Date', 'Amount', 'Status', 'What', 'Customer', 'Card', 'Result', 'Batch']
    deepEqual(await headersOf(page), all.slice(0, -1))
    await page.setViewportSize(WIDE.viewport)
    await until('the batch', async () => (await headersOf(page)).length === all.length)
    await page.setViewportSize(DESK.viewport)
    await until('no batch', async () => (await headersOf(page)).length === all.length - 1)
    await page.getByRole('button', { name: 'Columns' }).click()
    const choice = page.getByRole('menuitemcheckbox', { name: 'Batch' })
    equal(await choice.getAttribute('aria-checked'), 'false')
    await choice.click()
    await page.keyboard.press('Escape')
    deepEqual(await headersOf(page), all)
    equal(await fits(page), false)
    await page.reload()
    await rowsOf(page, 5)
    deepEqual(await headersOf(page), all)
  })

  test('DSH-44: a view that was saved without room for a column has it where there is room', async () => {
    const { page, client } = await open({ path: 'payments', context: DESK })
    await rowsOf(page, 5)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: /Name/ }).fill('From a small screen')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const [context, hasBatch] of [
      [WIDE, true],
      [DESK, false],
    ] as const) {
      const { page: other } = await open({ as: client, path: 'payments', context })
      await rowsOf(other, 5)
      await other.getByRole('button', { name: 'Views' }).click()
      await other.getByRole('menuitem', { name: 'From a small screen', exact: true }).click()
      equal((await headersOf(other)).includes('Batch'), hasBatch)
    }
  })

  test('DSH-44: on a phone the table has every column and scrolls', async () => {
    const { page } = await open({ path: 'payments', context: PHONE })
    await rowsOf(page, 5)
    ok((await headersOf(page)).includes('Batch'))
    await expectFits(page, PHONE.viewport.width)
    await takeScreenshots(page, 'payments-columns')
  })
})

const rowsOf = (page: Page, count: number) =>
  until(`${count} rows`, async () => (await page.locator('tbody tr td:nth-child(2)').count()) === count)

const headersOf = (page: Page) => page.locator('thead th').allInnerTexts()

/** Whether nothing has to be scrolled into view. */
const fits = (page: Page) =>
  page.locator('.table-scroll').evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth))
