import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { TEXTS as HOME_TEXTS } from '../../dashboard/areas/home/texts/texts.ts'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { SESSION_TEXTS } from '../../dashboard/areas/sessions/texts/texts.ts'
import { KIT_TEXTS } from '../../dashboard/kit/kit-texts.ts'
import { PAYMENT_ROW_TEXTS } from '../../dashboard/kit/payment-texts/payment-texts.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { describeDashboard, expectFits, type OnDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
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
    })
}
