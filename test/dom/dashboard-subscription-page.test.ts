import { equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { scriptSales } from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber, saveCard } from '../support/subscriber.ts'

describeDashboardInDom('the page of a subscription in the dashboard', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
  })
  const subscribed = async (more: object = {}): Promise<string> => {
    const { customer, payment_method, price } = ana
    return (await ana.api.made('/subscriptions', { customer, payment_method, price, ...more })).id
  }

  test('DSH-60: why it paused and ended is shown as it was written, with who did it, and leads to its entry', async () => {
    const id = await subscribed()
    const { page, client } = await open({ path: `subscriptions/${id}`, role: 'support' })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByRole('radio', { name: /^I give the money back/ }).check()
    await dialog.getByRole('checkbox', { name: 'The customer got the money' }).check()
    await dialog.getByLabel('Reference of your refund').fill('RF-7')
    await dialog.getByLabel('Note').fill('In cash')
    await dialog.getByLabel('Reason').fill('On holiday until May')
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('On holiday until May · Given back (RF-7) · In cash', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await dialog.getByLabel('Comment').fill('Moves to another town')
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByText('Moves to another town', { exact: true }).waitFor()
    const done = page.getByRole('region', { name: 'What people did' })
    match(await done.innerText(), new RegExp(`Cancel a subscription\\s+${client.email}[\\s\\S]*Pause a subscription`))
    equal(await done.getByRole('link').count(), 0, 'support reads its own entries alone')
    const owner = await open({ path: `subscriptions/${id}` })
    await owner.page.getByRole('link', { name: 'Pause a subscription' }).click()
    await owner.page.getByRole('heading', { name: 'Pause a subscription' }).waitFor()
    await owner.page.getByText('On holiday until May').waitFor()
  })

  test('DSH-60: it leads to its products, and a price to its subscriptions; a decline is in words', async () => {
    const id = await subscribed({ items: [{ price: ana.price, quantity: 3 }], price: undefined })
    await scriptSales(service, 'declined')
    const { next_billing_at: to } = (await ana.api.get(`/subscriptions/${id}`)).body
    equal((await ana.api.post('/test_clock/advance', { to })).status, 200)
    const { page } = await open({ path: `subscriptions/${id}` })
    await page.getByText('Declined by the issuer (ND)').first().waitFor()
    await page.getByText('3 × $25.00').waitFor()
    await page.getByRole('link', { name: 'Gold plan', exact: true }).click()
    await page.getByRole('link', { name: '1 active subscription' }).last().click()
    await page.getByRole('row', { name: /Gold plan/ }).waitFor()
    match(page.url(), new RegExp(`price=${ana.price}`))
    equal(await page.getByRole('row', { name: /Gold plan/ }).count(), 1)
  })

  test('SUB-45: a void contract leads to another one, which the subscription takes', async () => {
    const id = await subscribed()
    const { page, client } = await open({ path: `subscriptions/${id}` })
    await page.getByRole('link', { name: 'Write a contract' }).click()
    const write = async (title: string) => {
      await page.getByLabel('Title').fill(title)
      await page.getByLabel('Text', { exact: true }).fill('I pay {{amount}}.')
      await page.getByText('I pay $25.00.').waitFor()
      await page.getByRole('button', { name: 'Save the draft' }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    await write('With a mistake')
    await page.getByText('Nothing of Gold plan is charged before the customer has signed.').waitFor()
    await page.getByRole('button', { name: 'Void the contract' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Void the contract' }).click()
    await page.getByText('Nothing of Gold plan is charged until another contract for it is signed.').waitFor()
    await page.getByRole('link', { name: 'Write another contract' }).click()
    await write('Without it')
    equal((await client.call(`GET /subscriptions/${id}`)).body.view.contract_title, 'Without it')
  })

  test('DSH-61: a card that cannot be charged is not chosen, and says why; contracts of others are not offered', async () => {
    const { customer } = await makeSubscriber(service)
    const expired = (await ana.api.get(`/customers/${customer}/payment_methods`)).body.data[0].id
    await sql`update stored_card set exp_year = 2020 where id = ${expired}`.execute(service.app.services.db)
    const waiting = (await ana.api.made('/subscriptions', { customer, price: ana.price })).id
    const { page, client } = await open({ path: `subscriptions/new?customer=${customer}` })
    for (const [title, more] of [
      ['Of another', { subscription: waiting }],
      ['Free', {}],
    ] as const)
      await client.call('POST /contracts', { body: { customer, title, text: 'I agree.', ...more } })
    await page.reload()
    const card = page.getByRole('radio', { name: /ending 4242/ })
    await card.waitFor()
    await page.getByText('Expired', { exact: true }).waitFor()
    equal(await card.isChecked(), false)
    await page.getByRole('combobox', { name: 'Contract' }).click()
    await page.getByRole('option', { name: 'Free (draft)' }).waitFor()
    equal(await page.getByRole('option', { name: /Of another/ }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByText('To have a new contract signed first', { exact: false }).waitFor()
    await saveCard(service, customer, CARDS.debit)
    await page.reload()
    const usable = page.getByRole('radio', { name: /ending 5556/ })
    await usable.waitFor()
    equal(await usable.isChecked(), true)
  })
})
