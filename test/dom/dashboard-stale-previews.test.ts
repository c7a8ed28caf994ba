import { equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { scriptSales } from '../support/billing.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber, saveCard, subscribe } from '../support/subscriber.ts'

// DSH-42: figures from before a 409 are struck through, and the new ones have to be confirmed.

type Preview = Record<string, unknown>

describeDashboardInDom('Figures of a subscription that have changed', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
    await saveCard(service, ana.customer, CARDS.debit)
  })

  /** Makes the first result of each preview outdated by the time it is confirmed. */
  async function showStale(page: Page, change: (shown: Preview) => Preview): Promise<void> {
    const seen = new Set<string | null>()
    await page.route(/\/preview$/, async (route) => {
      const asked = route.request().url() + route.request().postData()
      if (seen.has(asked)) return route.continue()
      seen.add(asked)
      const response = await route.fetch()
      const shown = (await response.json()) as Preview
      return route.fulfill({ response, json: { ...shown, ...change(shown), preview_hash: '0'.repeat(64) } })
    })
  }

  async function confirmTwice(page: Page, verb: (dialog: Locator) => Locator, former: RegExp): Promise<void> {
    const dialog = page.getByRole('dialog')
    await verb(dialog).click()
    await dialog.getByText('This has changed meanwhile.', { exact: false }).waitFor()
    match(await dialog.locator('s').first().innerText(), former)
    await verb(dialog).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  const button = (name: string | RegExp) => (dialog: Locator) => dialog.getByRole('button', { name, exact: true })
  const opened = async (change: (shown: Preview) => Preview) => {
    const id = await subscribe(ana)
    const { page } = await open({ path: `subscriptions/${id}` })
    await showStale(page, change)
    return { page, id, read: async () => (await ana.api.get(`/subscriptions/${id}`)).body }
  }

  test('a pause', async () => {
    const { page, read } = await opened(() => ({ unused_prepaid_amount: 1_234 }))
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('radio', { name: 'Keep the remaining time for later' }).check()
    await confirmTwice(page, button('Pause'), /\$12\.34/)
    equal((await read()).status, 'paused')
  })

  test('a cancellation', async () => {
    const { page, read } = await opened((shown) => ({ effective_at: (shown.effective_at as number) + 86_400 * 365 }))
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await confirmTwice(page, button('Cancel subscription'), /\d{4}/)
    equal((await read()).cancel_at_period_end, true)
  })

  test('a change of the card', async () => {
    const { page, read } = await opened(() => ({ next_billing_date: '2099-01-31' }))
    await page.getByRole('button', { name: 'Change card' }).click()
    await page.getByRole('radio', { name: /ending 5556/ }).check()
    await page.getByText(/2099/).waitFor()
    await confirmTwice(page, (dialog) => dialog.getByRole('button', { name: /^Change to/ }), /2099/)
    equal((await read()).payment_method === ana.payment_method, false)
  })

  test('a retry', async () => {
    for (const { id } of (await ana.api.get('/subscriptions?limit=100&status=active')).body.data)
      await ana.api.delete(`/subscriptions/${id}`)
    const { page, id, read } = await opened(() => ({ amount: 9_999 }))
    await scriptSales(service, 'declined')
    equal((await ana.api.post('/test_clock/advance', { to: (await read()).next_billing_at })).status, 200)
    await page.goto(page.url())
    await page.getByRole('button', { name: 'Charge now' }).click()
    await confirmTwice(page, (dialog) => dialog.getByRole('button', { name: /^Charge \$/ }), /\$99\.99/)
    equal((await ana.api.get(`/subscriptions/${id}`)).body.retry_count, 0)
  })

  test('a new subscription', async () => {
    const { page } = await open({ path: `subscriptions/new?customer=${ana.customer}` })
    await showStale(page, () => ({ charged_now: 7_777 }))
    await page.getByRole('combobox', { name: 'Price' }).click()
    await page.getByRole('option', { name: /Gold plan/ }).click()
    await page.getByRole('radio', { name: /4242/ }).check()
    await page
      .getByRole('main')
      .getByText(/\$77\.77/)
      .waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await confirmTwice(page, (dialog) => dialog.getByRole('button', { name: /^Create|charge/i }).last(), /\$77\.77/)
    await page.waitForURL(/subscriptions\/[0-9a-f-]{36}$/)
  })
})
