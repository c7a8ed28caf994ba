import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { isFocused } from '../support/keyboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('The pages of payments', ({ service, open }) => {
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

  test('a dialog waits for the gateway, then says what goes on and may be closed (DSH-30)', async () => {
    const payment = await sold(33)
    const { page } = await open({ path: `payments/${payment}` })
    const released = Promise.withResolvers<void>()
    await page.route(/\/refunds$/, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const verb = dialog.getByRole('button', { name: /^Refund .*33\.00$/ })
    await verb.waitFor()
    await page.clock.install()
    const before = await page.evaluate(() => Date.now())
    await verb.click()
    const close = dialog.getByRole('button', { name: 'Cancel' })
    await until('the call is under way', async () => (await verb.isDisabled()) && close.isDisabled())
    await page.keyboard.press('Escape')
    await page.clock.pauseAt(before + 14_900)
    deepEqual([await dialog.count(), await dialog.getByRole('status').count()], [1, 0])
    await page.clock.resume()
    await dialog.getByText('The payment gateway has not responded yet.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.clock.runFor(1_000)
    await dialog.waitFor({ state: 'detached' })
    const opener = page.getByRole('button', { name: 'Refund', exact: true })
    ok(await isFocused(opener), 'the focus is on the button again')
    // When it is opened again, it waits for the call in progress, and does not show its result.
    await opener.click()
    await dialog.getByText('The payment gateway has not responded yet.').waitFor()
    equal(await verb.isDisabled(), true)
    released.resolve()
    await dialog.getByText('The payment gateway has not responded yet.').waitFor({ state: 'detached' })
    equal(await dialog.count(), 1)
    await page.keyboard.press('Escape')
    await page.getByText('All of it is refunded.').waitFor()
    equal((await refundsOf(payment)).length, 1)
  })

  const refundsOf = (payment: string) =>
    service.app.services.db.selectFrom('refund').selectAll().where('payment_id', '=', payment).execute()

  test('JRN-14, JRN-17: a refund without a result outlives its tab, is found from home and resolved', async () => {
    const id = await sold(40)
    const unknown = { op: 'inquire', outcome: 'indeterminate', times: 1_000 } as const
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }, unknown] })
    const { page: first, client } = await open({ path: `payments/${id}` })
    await first.getByRole('button', { name: 'Refund', exact: true }).click()
    await first.getByRole('button', { name: /^Refund .*40\.00$/ }).click()
    await first.getByText('A refund or a void is being resolved.').waitFor()
    await first.close()
    // Before the next tab reads its alerts, which it caches for a minute.
    await beginTwoDaysAgo()
    const { page } = await open({ as: client, path: `payments/${id}` })
    await page.getByText('A refund or a void is being resolved.').waitFor()
    const address = page.url()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('link', { name: 'Open: 1 operation has been in doubt for over a day' }).click()
    const inquire = page.getByRole('button', { name: /Inquire now about .*40\.00/ })
    await inquire.waitFor()
    await service.simulator.resetScript()
    await inquire.click()
    await page.getByText('Every operation has its outcome').waitFor()
    await page.goto(address)
    await page.getByText('All of it is refunded.').waitFor()
  })

  /** Changes the open operation, which recovery ignores meanwhile. */
  async function beginTwoDaysAgo() {
    const [sent_at, next_inquiry_at] = [-2, 2].map((days) => new Date(Date.now() + days * 86_400_000))
    const open = service.app.services.db.updateTable('operation').where('next_inquiry_at', 'is not', null)
    await open.set({ sent_at, next_inquiry_at }).execute()
  }

  test('JRN-15: a refund that the gateway declines leaves the payment as it was', async () => {
    const card = await storeCard(service, 'declines@example.com', { cardNumber: CARDS.refundsDeclined })
    const { page } = await open({ path: `payments/${await sold(20, card)}` })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: /^Refund .*20\.00$/ }).click()
    await page.getByText('The issuer declined it').first().waitFor()
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor()
  })

  test('JRN-16: a payment is voided in the open batch, and refunded once that batch is settled', async () => {
    const [voided, inBatch] = [await sold(21), await sold(22)]
    const { page } = await open({ path: `payments/${voided}` })
    await page.getByRole('button', { name: 'Void', exact: true }).click()
    await page.getByRole('button', { name: /^Void .*21\.00$/ }).click()
    await page.getByText('The payment is voided.').waitFor()
    const address = page.url().replace(voided, inBatch)
    await page.getByRole('link', { name: 'Batches', exact: true }).click()
    const batch = page.getByRole('region', { name: 'Open batch, USD' })
    await batch.getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settle the open batch, USD' })
    await dialog.getByRole('button', { name: /\$\d/ }).click()
    await page.getByText('Batch 1 is settled').last().waitFor()
    await page.goto(address)
    await page.getByText('Its batch is settled, so it cannot be voided: refund it.').waitFor()
    equal(await page.getByRole('button', { name: 'Void', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor()
  })
})
