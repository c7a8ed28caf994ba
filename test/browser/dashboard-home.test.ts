import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { TEXTS as HOME_TEXTS } from '../../dashboard/areas/home/texts/texts.ts'
import { PAYMENT_TEXTS } from '../../dashboard/areas/payments/texts/texts.ts'
import { SESSION_TEXTS } from '../../dashboard/areas/sessions/texts/texts.ts'
import { PAYMENT_ROW_TEXTS } from '../../dashboard/kit/payment-texts/payment-texts.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { newId } from '../../server/lib/ids.ts'
import { dayOf } from '../../server/subscriptions/plan/calendar.ts'
import {
  describeDashboard,
  expectAccessible,
  expectFits,
  type OnDashboard,
  takeScreenshots,
} from '../support/describe-dashboard.ts'
import { send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { makeKey } from '../support/secret-key.ts'
import type { TestService } from '../support/service.ts'
import { createSubscribed, makeSubscribable } from '../support/subscriptions.ts'
import { until } from '../support/until.ts'

describeDashboard('the home page', journeys, { script: readPaymentFormScript() })

function journeys({ open, service }: OnDashboard) {
  test('journey 7: the steps of an empty business lead to its first payment', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Three steps to your first payment' }).waitFor()
    equal(await page.getByRole('heading', { name: '30 days' }).count(), 0)
    await takeScreenshots(page, 'home-empty')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'New payment link' }).click()
    await page.getByLabel('Amount').fill('40')
    await page.getByLabel(/e-mail/i).fill('ana@example.com')
    await page.getByRole('button', { name: 'Create the link for $40.00' }).click()
    const link = await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href')
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
    // In the proportion of the bars.
    deepEqual(await row.getByRole('cell').allTextContents(), ['$40.00', '$0.00', '$10.00'])
  })

  test('journey 8: every alert leads to the page where a person can do something about it', async () => {
    const expected = await makeAlerts(service)
    const { page, client } = await open()
    // The number of cards is kept for up to ten minutes, on a busy machine.
    await until(
      'the cards are counted',
      async () => (await client.call('GET /alerts')).body.data.length === expected.length + 1,
      600_000,
    )
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
      ...['Payments', 'API keys', 'OAuth clients', 'Open operations', 'Batches', 'Batches', 'Gold'],
      ...['shop.example', 'Subscriptions', 'Team'],
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
    test(`journey 38: journeys 7 and 12 in ${locale}: no English is left, nothing is cut at 320 px`, async () => {
      const { business_id: businessId } = (await secondMerchant(service)).demo
      const [home, sessions, payments, statuses] = await Promise.all([
        HOME_TEXTS.load(locale),
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
      const link = page.getByRole('link', { name: sessions.openLink })
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
      await page.goto(`${service.formUrl}/dashboard/b/${businessId}/payments`)
      await page.locator('tbody tr a').first().waitFor()
      await check()
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

/** The link of one alert, and back. @returns the title of its page */
async function openAndReturn(page: Page, index: number, title: string): Promise<void> {
  const link = page.getByRole('region', { name: 'Needs your attention' }).getByRole('link').nth(index)
  const to = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.waitForURL((url) => url.pathname + url.search === to)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goBack()
  await page.getByRole('region', { name: 'Needs your attention' }).waitFor()
}

/** One of each kind; where their links lead, in the order of the page. */
async function makeAlerts(service: TestService): Promise<string[]> {
  const { db } = service.app.services
  const api = merchantApiOf(service)
  const now = new Date()
  const long = new Date(now.getTime() - 172_800_000)
  const today = dayOf(now, 'America/New_York')
  const subscription = await createSubscribed(service, await makeSubscribable(service))
  const held = { catch_up_held_at: now, anchor_date: monthsAgo(now, 4), next_billing_date: monthsAgo(now, 3) }
  await db
    .updateTable('subscription')
    .set({ ...held, next_period_no: 1 })
    .execute()
  await db
    .updateTable('stored_card')
    .set({ exp_month: Number(today.slice(5, 7)), exp_year: Number(today.slice(0, 4)) })
    .execute()
  await db
    .updateTable('business')
    .set({ new_cards_refused_until: new Date(now.getTime() + 3_600_000) })
    .execute()
  await sendFromPage(service)
  await api.get('/batches')
  await db.updateTable('batch').set({ failed_at: now }).where('currency', '=', 'USD').execute()
  const doubtful = await db.selectFrom('operation').select('id').executeTakeFirstOrThrow()
  await db
    .updateTable('operation')
    .set({ next_inquiry_at: new Date(now.getTime() + 3_600_000), sent_at: long })
    .where('id', '=', doubtful.id)
    .execute()
  const terminal = await db.selectFrom('terminal').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('reconciliation_finding')
    .values({
      id: newId(),
      business_id: terminal.business_id,
      terminal_id: terminal.id,
      subject: 'a',
      kind: 'amount_differs',
      day: now.toISOString().slice(0, 10),
      transaction_kind: 'sale',
      merchant_ref: 'R',
      our_amount: 100,
      gateway_amount: 200,
      currency: 'USD',
      found_at: now,
      seen_at: now,
    })
    .execute()
  const endpoint = await api.made('/webhook_endpoints', { url: 'https://shop.example/hook', enabled_events: ['*'] })
  await db.updateTable('webhook_endpoint').set({ status: 'disabled', disabled_reason: 'gone' }).execute()
  await sql`select pgboss.create_queue('settle-batches', '{"policy":"standard"}'::jsonb)`.execute(db).catch(() => {})
  await sql`insert into pgboss.job (id, name, state, completed_on) values (${newId()}, 'settle-batches', 'failed', ${now})`.execute(
    db,
  )
  return [
    'payments?status=failed',
    'keys',
    'clients',
    'in-doubt',
    'batches',
    'batches',
    `subscriptions/${subscription.id}`,
    `webhooks/${endpoint.id}`,
    'subscriptions?card_expiring=this_month',
    'team',
  ]
}

/** A secret key and an access token, as a page of the shop sends them. */
async function sendFromPage(service: TestService): Promise<void> {
  const { url, demo } = service
  const { key } = await makeKey(service)
  const page = { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' }
  const call = (path: string, credential: string) =>
    send(`${url}${path}`, { headers: { authorization: `Bearer ${credential}`, ...page } })
  equal((await call('/api/v1/account', key)).status, 403)
  equal((await call(`/api/${demo.business_id}/checkout-sessions`, demo.access_token)).status, 403)
}

function monthsAgo(now: Date, months: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}
