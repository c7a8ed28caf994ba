import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ALERT_KINDS, type Alert } from '../../contract/dashboard/home-api.ts'
import { TEXTS as HOME_TEXTS } from '../../dashboard/areas/home/texts/texts.ts'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { SESSION_TEXTS } from '../../dashboard/areas/sessions/texts/texts.ts'
import { KIT_TEXTS } from '../../dashboard/kit/kit-texts.ts'
import { PAYMENT_ROW_TEXTS } from '../../dashboard/kit/payment-texts/payment-texts.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import {
  describeDashboard,
  expectAccessible,
  expectFits,
  type OnDashboard,
  takeScreenshots,
} from '../support/describe-dashboard.ts'
import { makeAlerts } from '../support/home-alerts.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { until } from '../support/until.ts'

describeDashboard('the home page', journeys, { script: readPaymentFormScript() })

function journeys({ open, service }: OnDashboard) {
  test('JRN-7: the steps of an empty business lead to its first payment', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Three steps to your first payment' }).waitFor()
    equal(await page.getByRole('heading', { name: '30 days' }).count(), 0)
    await takeScreenshots(page, 'home-empty')
    await expectAccessible(page, ['light'])
    const began = performance.now()
    await page.getByRole('link', { name: 'New payment link' }).click()
    await page.getByLabel('Amount').fill('40')
    await page.getByLabel(/e-mail/i).fill('ana@example.com')
    await page.getByRole('button', { name: 'Create the link for $40.00' }).click()
    const link = await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')
    const payer = await page.context().newPage()
    await payer.goto(link ?? '')
    await payInForm(payer, { postal: '10001' })
    await payer.getByRole('heading', { name: 'Payment approved' }).waitFor()
    await payer.close()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: '30 days' }).waitFor()
    await page.getByRole('definition').filter({ hasText: '1 of 1' }).waitFor()
    const figures = await page.locator('.figure').allTextContents()
    deepEqual(figures, ['$40.00', '$40.00', '1', '0', '100%', '1 of 1'])
    ok(performance.now() - began < 60_000, 'within a minute')
    await takeScreenshots(page, 'home')
    await page.getByRole('button', { name: 'Show as table' }).click()
    const today = page.getByRole('table', { name: /each business day/ }).getByRole('cell')
    deepEqual((await today.allTextContents()).slice(-3), ['$40.00', '$0.00', '$0.00'])
    await expectAccessible(page)
  })

  test('the parts of a bar stand on each other, each as tall as its number', async () => {
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
    await takeScreenshots(page, 'home-alerts')
    await expectAccessible(page)
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
      await expectFits(page)
    })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`JRN-38: journeys 7 and 12 in ${locale}: no English is left, nothing is cut at 320 px`, async () => {
      const { business_id: businessId } = (await secondMerchant(service)).demo
      const [home, kit, sessions, payments, statuses] = await Promise.all([
        HOME_TEXTS.load(locale),
        KIT_TEXTS.load(locale),
        SESSION_TEXTS.load(locale),
        PAYMENT_TEXTS.load(locale),
        PAYMENT_ROW_TEXTS.load(locale),
      ])
      const { page } = await open({ businessId, context: { locale, viewport: { width: 320, height: 900 } } })
      const check = async () => {
        await expectNoEnglish(page, locale)
        await expectFits(page)
      }
      const submit = (within: Page | Locator = page) => within.locator('button[type=submit]').last().click()
      await page.getByRole('heading', { name: home.stepsTitle }).waitFor()
      await check()
      await page.getByRole('link', { name: home.newLink }).click()
      await page.getByLabel(sessions.amount).fill('40')
      await page.getByLabel(sessions.orEmail).fill('ana@example.com')
      await check()
      await submit()

      const link = page.getByRole('link', { name: kit.openLink })
      await link.waitFor()
      await check()
      const payer = await page.context().newPage()
      await payer.goto((await link.getAttribute('href')) ?? '')
      await payInForm(payer, { postal: 'H2X 1Y4' })
      const paid = service.app.services.db.selectFrom('payment').select('id').where('business_id', '=', businessId)
      await until('the link is paid', async () => (await paid.execute()).length === 1)
      await payer.close()
      await page.goto(`${service.formUrl}/dashboard/b/${businessId}/home`)
      await page.getByRole('heading', { name: home.thirtyDays }).waitFor()
      await check()
      await takeScreenshots(page, `home-${locale}`)
      await page.goto(`${service.formUrl}/dashboard/b/${businessId}/payments`)
      await page.locator('tbody tr a').first().waitFor()
      await check()
      await takeScreenshots(page, `payments-${locale}`)
      await page.locator('tbody tr a').first().click()
      const dialog = page.getByRole('dialog')
      for (const amount of ['10.00', '30.00']) {
        await page.getByRole('button', { name: payments.refund, exact: true }).click()
        await dialog.getByLabel(payments.refundAmount).fill(amount)
        await dialog.locator('button[type=submit]:not([disabled])').filter({ hasText: /\d\d/ }).waitFor()
        await check()
        await submit(dialog)
        await dialog.waitFor({ state: 'detached' })
        await page
          .getByText(amount === '10.00' ? statuses.partially_refunded : payments.why_refunded)
          .first()
          .waitFor()
        await check()
      }
      await expectAccessible(page, ['light'])
    })

  test('BIL-11: missed bills are skipped from home, after a dialog that says how many', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Skip them' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('3 bills whose period is over are left out.').waitFor()
    await expectAccessible(page, ['light'])
    await dialog.getByText('Their $37.02 is never collected.').waitFor()
    await takeScreenshots(page, 'missed-bills-skip')
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
