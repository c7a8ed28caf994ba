import { equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber } from '../support/subscriber.ts'

describeDashboardInDom('the bills of a subscription in the dashboard', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
  })
  const subscribed = async (more: object = {}): Promise<string> => {
    const { customer, payment_method, price } = ana
    return (await ana.api.made('/subscriptions', { customer, payment_method, price, ...more })).id
  }
  const run = (statement: RawBuilder<unknown>) => statement.execute(service.app.services.db)

  test('BIL-11: missed bills are billed from the page of the subscription, after a dialog with each and their sum', async () => {
    const id = await subscribed()
    await run(sql`update subscription set catch_up_held_at = now(), next_period_no = 1,
      anchor_date = anchor_date - interval '4 months' - interval '2 days',
      next_billing_date = anchor_date - interval '3 months' - interval '2 days' where id = ${id}`)
    const { page } = await open({ path: `subscriptions/${id}` })
    await page.getByRole('button', { name: 'Bill them' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('4 bills are charged, oldest first').waitFor()
    await dialog.getByText(/In all \$100\.00, to Visa/).waitFor()
    equal(await dialog.getByRole('table', { name: 'What is charged' }).getByRole('cell', { name: '$25.00' }).count(), 4)
    await run(sql`update subscription set amount = 3000 where id = ${id}`)
    await dialog.getByRole('button', { name: 'Bill $100.00' }).click()
    match(await dialog.locator('s').innerText(), /^In all \$100\.00/)
    await dialog.getByRole('button', { name: 'Bill $120.00' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Missed bills wait for you').waitFor({ state: 'hidden' })
  })
  test('DSH-28: what cannot be done now is shown with its reason, and a retry with its bill', async () => {
    for (const { id } of (await ana.api.get('/subscriptions?status=active')).body.data)
      await ana.api.delete(`/subscriptions/${id}`)
    const id = await subscribed()
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    const { next_billing_at: to } = (await ana.api.get(`/subscriptions/${id}`)).body
    equal((await ana.api.post('/test_clock/advance', { to })).status, 200)
    const { page } = await open({ path: `subscriptions/${id}` })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Charge now' }).click()
    await dialog.getByText('It was tried once.').waitFor()
    await dialog.getByRole('button', { name: 'Charge $25.00' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('3 attempts on the open bill of $25.00 are dropped').waitFor()
    await dialog.getByText(/The pause begins on .*\d/).waitFor()
    await dialog.getByText('No paid time is left').waitFor()
    await page.keyboard.press('Escape')
    await ana.api.post(`/subscriptions/${id}`, { cancel_at_period_end: true })
    await run(sql`update stored_card set charge_block = 'NC' where id = ${ana.payment_method}`)
    await page.reload()
    await page.getByText('Pause: The cancellation is scheduled. Undo it to pause.').waitFor()
    await page.getByText('Charge now: The card must not be charged again.').waitFor()
    for (const name of ['Pause', 'Charge now'])
      equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name)
    await run(sql`update stored_card set charge_block = null where id = ${ana.payment_method}`)
  })
})
