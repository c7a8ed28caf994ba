import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ALERT_KINDS, type Alert } from '../../contract/dashboard/home-api.ts'
import { TEXTS as HOME_TEXTS } from '../../dashboard/areas/home/texts/texts.ts'
import { CARDS } from '../support/card-numbers.ts'
import type { OnDashboard } from '../support/describe-dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeAlerts } from '../support/home-alerts.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('the home page', journeys)

function journeys({ open, service }: OnDashboard) {
  test('the parts of a bar stand on each other, each as tall as its number', async () => {
    const token = await merchantOf(service).sessionToken({ amount_total: 40 })
    equal((await payerOf(service).pay(token, payBody(CARDS.visa, {}, { amount: 40 }))).body.ok, true)
    const { page, client } = await open()
    const [{ id } = { id: '' }] = (await client.call('GET /payments')).body.data
    const body = { amount: 1_000, reason: 'requested' }
    equal((await client.call(`POST /payments/${id}/refunds`, { body })).status, 201)
    await page.reload()
    await page.getByRole('heading', { name: '30 days' }).waitFor()
    const parts = page.locator('.bars svg > g').filter({ has: page.locator('rect') })
    const todays = await parts.evaluateAll((layers) =>
      layers.map((layer) => {
        const bar = layer.querySelector('rect:last-of-type')
        const [y = 0, height = 0] = ['y', 'height'].map((name) => Number(bar?.getAttribute(name)))
        return { tone: bar?.getAttribute('data-tone'), from: y + height, to: y, height }
      }),
    )
    deepEqual(
      todays.map(({ tone }) => tone),
      ['good', 'bad', 'warn'],
    )
    const [approved, failed, refunded] = todays.map(({ height }) => Math.round(height * 1_000))
    deepEqual([failed, approved], [0, (refunded ?? 0) * 4])
    for (const [index, { from }] of todays.slice(1).entries()) equal(from, todays[index]?.to)
    await page.getByRole('button', { name: 'Show as table' }).click()
    const row = page
      .getByRole('table', { name: /each business day/ })
      .getByRole('row')
      .last()
    // Proportional to the bars.
    deepEqual(await row.getByRole('cell').allTextContents(), ['$40.00', '$0.00', '$10.00'])
  })

  test('JRN-8: every alert leads to the page where a person can do something about it', async () => {
    const expected = await makeAlerts(service)
    const { page, client } = await open()
    // The number of cards is cached for up to ten minutes, on a busy machine.
    await until(
      'the cards are counted',
      async () => (await client.call('GET /alerts')).body.data.length === ALERT_KINDS.length,
      600_000,
    )
    const kinds = (await client.call('GET /alerts')).body.data.map(({ kind }: Alert) => kind)
    deepEqual(kinds, ALERT_KINDS)
    await page.reload()
    const list = page.getByRole('region', { name: 'Needs your attention' })
    await list.waitFor()
    const links = await list.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    deepEqual(
      links.map((to) => to.replace(/^\/dashboard\/b\/[^/]+\//, '')),
      expected,
    )
    await list.getByText('The job settle-batches failed').waitFor()
    await list.getByText(/A web page used the secret key Server …\w{4}/).waitFor()
    await list
      .getByText(/^Last on .+, from https:\/\/shop\.example\. Whoever opens that page can read the key/)
      .waitFor()
    await list.getByText(/A web page used an access token of the client .+ …\w{4}/).waitFor()
    const titles = [
      ...['Payments', 'API keys', 'OAuth clients', 'Open operations', 'Batches', 'Batches', 'Batches', 'Gold'],
      ...['Terms', 'shop.example', 'slow.example', 'Subscriptions', 'Team'],
    ]
    equal(links.length, titles.length)
    for (const [index, title] of titles.entries()) await openAndReturn(page, index, title)
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`ACC-34: in ${locale} the alert of a credential in a page says what to do`, async () => {
      const home = await HOME_TEXTS.load(locale)
      const { page } = await open({ context: { locale, viewport: { width: 320, height: 900 } } })
      const list = page.getByRole('region', { name: home.needsYou })
      for (const text of [home.keyInPageText, home.tokenInPageText]) await list.getByText(text).waitFor()
      await expectNoEnglish(page, locale)
    })

  test('BIL-11: missed bills are skipped from home, after a dialog that says how many', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Skip them' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 bills whose period is over are left out.').waitFor()
    await dialog.getByText('Their $37.02 is never collected.').waitFor()
    await dialog.getByRole('button', { name: 'Skip 3 bills, bill $12.34' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Missed bills of').waitFor({ state: 'hidden' })
  })
}

/** Opens the link of one alert, and goes back. @returns the title of its page */
async function openAndReturn(page: Page, index: number, title: string): Promise<void> {
  const link = page.getByRole('region', { name: 'Needs your attention' }).getByRole('link').nth(index)
  const to = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.waitForURL((url) => url.pathname + url.search === to)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goBack()
  await page.getByRole('region', { name: 'Needs your attention' }).waitFor()
}
