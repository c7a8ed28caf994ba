import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { newId } from '../../server/lib/ids.ts'
import { contractsCommand } from '../../server/subscriptions/contracts/contracts-command.ts'
import { addDays, dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { inCase } from '../support/cases.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { openService, type TestService } from '../support/service.ts'
import { planInput, VERIFIED_CARDS, waitingSubscription } from '../support/sign-up.ts'

// PAG-28, SUB-3, SUB-43: the page for a payer of a subscription, with the whole service.

const US_CARD = { postal: '10001' }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  return openService({ script: readPaymentFormScript() })
}

describeWithBrowser('the page of a subscription', start, ({ browser, world: service }) => {
  let merchant: Merchant
  let api: MerchantApiClient
  before(() => {
    merchant = merchantOf(service)
    api = merchantApiOf(service)
  })

  async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', bypassCSP: true, ...options })
    await context.route('https://shop.example/**', (route) =>
      route.fulfill({ body: 'The shop', contentType: 'text/html' }),
    )
    const page = await context.newPage()
    await page.goto(url)
    return page
  }
  const pageOf = (token: string) => `${service.formUrl}/customer/checkout/${token}`
  const today = () => dayOf(new Date(), 'America/New_York')
  const email = () => `${newId()}@example.com`

  // On the phone the languages come first: what they say is there before anything is pressed.
  for (const [size, options, locales] of [
    ['desk', {}, []],
    ['phone', PHONE, ['fr-CA', 'es']],
  ] as const)
    test(`PAG-28: a plan that starts today says so in each language, is paid and returns to the shop (${size})`, async () => {
      const token = await merchant.sessionToken(planInput({ customer_email: email() }))
      const page = await openPage(pageOf(token), options)
      for (const locale of locales) {
        await page.goto(`${pageOf(token)}?locale=${locale}`)
        match((await page.locator('.plan').textContent()) ?? '', /aujourd’hui, puis|hoy y luego/)
        deepEqual(await accessibilityFaults(page), [], locale)
        await shot(page, `plan-${locale}`)
      }
      if (locales.length > 0) await page.goto(pageOf(token))
      equal(await page.textContent('h1'), 'Subscribe at Demo Shop')
      match((await page.locator('.plan').textContent()) ?? '', /^\$25\.50 today, then \$25\.50 every month from /)
      match(await page.innerText('#payment-form'), /Your card will be saved and charged for this plan as shown/)
      equal(await page.locator('#save_card').count(), 0)
      deepEqual(await accessibilityFaults(page), [])
      await shot(page, `plan-${size}`)
      await payByCard(page, US_CARD)
      await page.waitForURL('https://shop.example/thanks**')
      equal((await merchant.details(token)).body.status, 'COMPLETED')
      await page.context().close()
    })

  test('PAG-28: a plan that starts later says that nothing is charged today, before and after', async () => {
    const start_date = addDays(today(), 10)
    const token = await merchant.sessionToken(planInput({ customer_email: email() }, { start_date }))
    const page = await openPage(pageOf(token))
    match((await page.locator('.plan').textContent()) ?? '', /^Nothing today\. \$25\.50 every month from /)
    equal(await page.textContent('.total strong'), '$0.00')
    equal(await page.textContent('#pay-label'), 'Start plan')
    await shot(page, 'later-desk')
    await payByCard(page, { ...US_CARD, cardnumber: VERIFIED_CARDS.declined })
    await page.getByText('2 attempts left.').waitFor()
    await payByCard(page, US_CARD)
    await page.getByText('Your plan is set up').first().waitFor()
    match(await page.innerText('main'), /Nothing was charged today/)
    await shot(page, 'later-done')
    await page.waitForURL('https://shop.example/thanks**')
    await page.context().close()
  })

  test('SUB-41: the link has no Cancel, and the payer stays on the page', async () => {
    const made = await waitingSubscription(api, { installments: 12, tax_rate: 10 })
    const page = await openPage(made.checkout_url, PHONE)
    equal(await page.locator('#cancel').count(), 0)
    match((await page.locator('.plan').textContent()) ?? '', /12 payments in all\.$/)
    deepEqual(await accessibilityFaults(page), [])
    await shot(page, 'link-phone')
    await payByCard(page, US_CARD)
    await page.getByText('Payment approved').first().waitFor()
    equal(await page.locator('.return').count(), 0)
    await shot(page, 'link-approved')
    await page.waitForTimeout(1_800)
    match(page.url(), /customer\/checkout/)
    await page.reload()
    match(await page.innerText('main'), /Your plan is set up\. You do not need to do anything/)
    equal((await api.get(`/subscriptions/${made.id}`)).body.status, 'active')
    await page.context().close()
  })

  test('SUB-42: canceled while the page is open, Pay says so and nothing is charged', async () => {
    const made = await waitingSubscription(api)
    const page = await openPage(made.checkout_url)
    await api.delete(`/subscriptions/${made.id}`)
    await payByCard(page, US_CARD)
    await page.getByText('Demo Shop cancelled this payment request.').waitFor()
    await page.context().close()
  })

  test('SUB-41: without JavaScript, a decline and then an approval', async () => {
    const made = await waitingSubscription(api)
    const page = await openPage(made.checkout_url, { javaScriptEnabled: false })
    const fill = async (cardnumber: string) => {
      for (const [name, value] of Object.entries({
        cardnumber,
        exp: '12/31',
        cvc: '123',
        ccname: 'Ana Roy',
        postal: '10001',
      }))
        await page.fill(`[name=${name}]`, value)
      await page.click('#pay')
    }
    await fill(CARDS.declined)
    match(await page.innerText('#alert'), /2 attempts left/)
    await fill(CARDS.visa)
    match(await page.innerText('main'), /Payment approved/)
    await page.context().close()
  })

  test('SUB-43: a contract is read and signed with the keyboard, on a phone too; then the card is asked for', async () => {
    const made = await waitingSubscription(api)
    const file = join(tmpdir(), `contract-${newId()}.txt`)
    await writeFile(file, Array.from({ length: 30 }, (_, n) => `${n + 1}. The member pays each month.`).join('\n\n'))
    const run = (...args: string[]) =>
      contractsCommand(service.app.services, [...args, '--business', service.demo.business_id])
    const line = await run('create', '--customer', made.customer, '--title', 'Gold membership', '--file', file)
    const [contract = ''] = line.split(' ')
    await run('link', '--contract', contract, '--subscription', made.id)
    await run('send', '--contract', contract)
    for (const [size, options] of [
      ['desk', {}],
      ['phone', PHONE],
    ] as const)
      await inCase(size, async () => {
        const page = await openPage(made.checkout_url, options)
        equal(await page.textContent('h1'), 'Gold membership')
        deepEqual(await accessibilityFaults(page), [])
        await shot(page, `contract-${size}`)
        await page.focus('.contract-text')
        await page.keyboard.press('Tab')
        await page.keyboard.type('Ana Roy')
        await page.keyboard.press('Tab')
        await page.keyboard.press('Space')
        await page.keyboard.press('Tab')
        deepEqual(await page.evaluate(() => document.activeElement?.textContent), 'Sign contract')
        if (size === 'phone') {
          await page.keyboard.press('Enter')
          await page.waitForSelector('#payment-form')
          equal((await api.get(`/subscriptions/${made.id}`)).body.contract.status, 'signed')
        }
        await page.context().close()
      })
  })
})

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/subscription-${name}.png`, fullPage: true })
}
