import { deepEqual } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RawBuilder } from 'kysely'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { makeSubscriber, type Subscriber, saveCard } from '../support/subscriber.ts'

describeDashboard('the bills of a subscription in the dashboard', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
  })
  const subscribed = async (more: object = {}): Promise<string> => {
    const { customer, payment_method, price } = ana
    return (await ana.api.made('/subscriptions', { customer, payment_method, price, ...more })).id
  }
  const _run = (statement: RawBuilder<unknown>) => statement.execute(service.app.services.db)

  test('SUB-47: another card is chosen after a preview, and the customer is sent a link in the same dialog', async () => {
    await saveCard(service, ana.customer, CARDS.debit)
    const id = await subscribed({ surcharge_rate: 2.4 })
    const { page } = await open({ path: `subscriptions/${id}` })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Change card' }).click()
    await dialog.getByRole('radio', { name: /ending 5556/ }).check()
    await dialog.getByText('Until now: Visa').waitFor()
    await dialog.getByText('Each bill is $25.00 from now on, not $25.60').waitFor()
    await dialog.getByText(/The next bill of \$25\.00 is charged to it on/).waitFor()
    await takeScreenshots(page, 'subscription-card')
    await dialog.getByRole('button', { name: /^Change to \S+ •••• 5556/ }).click()
    await page.getByText(/ending 5556/).waitFor()
    await page.getByRole('button', { name: 'Change card' }).click()
    await dialog.getByRole('radio', { name: 'The customer enters the card' }).check()
    await dialog.getByText('Nothing is charged by it.').waitFor()
    await dialog.getByRole('button', { name: 'Send the link by letter' }).click()
    await page.getByText('The letter is on its way').first().waitFor()
    const actions = await service.app.services.db
      .selectFrom('audit_entry')
      .select('action')
      .where('object_id', '=', id)
      .orderBy('number')
      .execute()
    deepEqual(
      actions.map(({ action }) => action),
      ['subscription.change_card', 'subscription.send_link'],
    )
  })
})
