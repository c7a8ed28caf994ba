import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openedLink, waitingSubscription } from '../support/sign-up.ts'

describeDashboardInDom('a customer is asked for a card in the dashboard', ({ open, service }) => {
  const api = () => merchantApiOf(service)
  const customer = async (more: object = {}) =>
    (await api().made('/customers', { name: 'Ana Roy', ...more })).id as string
  const storeCard = async (link: string) => {
    const paid = await payerOf(service).pay(await openedLink(link), payBody(CARDS.visa, {}, { amount: 0 }))
    equal(paid.body.ok, true, JSON.stringify(paid.body))
  }

  test('for a subscription or to keep; the link of the subscription is shown too', async () => {
    const id = await customer({ email: 'both@example.com' })
    const subscription = await waitingSubscription(api(), { customer: id })
    const { page } = await open({ path: `customers/${id}` })
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    const dialog = page.getByRole('dialog')
    equal(await dialog.getByRole('radio', { name: /^Gold plan/ }).isChecked(), true)
    await dialog.getByRole('radio', { name: 'I give it to them' }).check()
    await dialog.getByRole('button', { name: 'Show the link' }).click()
    const code = dialog.locator('code')
    await code.waitFor()
    equal(await code.textContent(), subscription.checkout_url)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    await dialog.getByRole('radio', { name: 'To keep for later payments' }).check()
    await dialog.getByRole('radio', { name: 'I give it to them' }).check()
    await dialog.getByRole('button', { name: 'Show the link' }).click()
    await code.waitFor()
    await storeCard((await code.textContent()) ?? '')
  })

  test('for a subscription by letter: when no response comes, the same call is sent again (DSH-4)', async () => {
    const id = await customer({ email: 'twice@example.com' })
    await waitingSubscription(api(), { customer: id })
    const { page } = await open({ path: `customers/${id}` })
    const keys: (string | undefined)[] = []
    await page.route(/\/link$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Ask for a card' }).click()
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send the letter' })
    await send.click()
    await page.getByText('It is not known whether this was done').waitFor()
    await send.click()
    await page.getByText('The letter is on its way.').last().waitFor()
    deepEqual([keys.length, new Set(keys).size], [2, 1])
  })

  test('by nobody who may not change customers', async () => {
    const id = await customer()
    const { page } = await open({ path: `customers/${id}`, role: 'analyst' })
    await page.getByText('No card is saved.').waitFor()
    equal(await page.getByRole('button', { name: 'Ask for a card' }).count(), 0)
  })
})
