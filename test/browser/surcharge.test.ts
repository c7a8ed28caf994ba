import { deepEqual, equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { faultsInLightAndDark } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { inCase } from '../support/cases.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { fillCard, payByCard } from '../support/payment-page-steps.ts'
import { customerOf, setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'

// CAS-25, on the service itself: the surcharge is visible before the click, only for credit cards outside Quebec, and
// the button shows the amount to be charged. 2.4 % of 25.50 is 0.61.

const US = { postal: '10001' }

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  const service = await openService({ script: readPaymentFormScript() })
  await setBusiness(service, { surcharge_rate_bp: 240 })
  // Callers of the API see a setting after a second: server/lib/ttl-cache.ts.
  await sleep(1_100)
  return service
}

describeWithBrowser('CAS-25: a surcharge', start, ({ browser, world: service }) => {
  let merchant: Merchant
  before(() => {
    merchant = merchantOf(service)
  })

  async function openPage(input: object = {}, options: BrowserContextOptions = {}) {
    const token = await merchant.sessionToken({ surcharge: true, ...input })
    const context = await browser.newContext({ locale: 'en-US', ...options })
    await context.route('https://shop.example/**', (route) =>
      route.fulfill({ body: 'The shop', contentType: 'text/html' }),
    )
    const page = await context.newPage()
    await page.goto(`${service.formUrl}/customer/checkout/${token}`)
    return { token, page, [Symbol.asyncDispose]: () => context.close() }
  }

  const button = (page: Page) => page.innerText('#pay-label')
  const summary = (page: Page) => page.innerText('.summary')
  const buttonSays = (page: Page, amount: string) =>
    page.waitForFunction((text) => document.querySelector('#pay-label')?.textContent === `Pay ${text}`, amount)
  const charged = async (token: string) => (await merchant.details(token)).body.transaction?.details.amount

  test('credit: row, total and button change before the click, are announced once, and are charged', async () => {
    await using open = await openPage()
    const { page, token } = open
    await fillCard(page, US)
    await buttonSays(page, '$26.11')
    match(await summary(page), /\$26\.11[\s\S]*Credit card surcharge \(2\.4%\): \$0\.61/)
    equal((await summary(page)).includes('may apply'), false)
    equal(await page.innerText('#log'), 'A credit card surcharge of $0.61 was added. The total is $26.11.')
    await page.click('#pay')
    await page.waitForSelector('text=Payment approved')
    match(await page.innerText('.receipt'), /\$26\.11[\s\S]*Credit card surcharge \(2\.4%\)\s+\$0\.61/)
    await page.waitForURL('https://shop.example/thanks**')
    equal(await charged(token), 26.11)
  })

  test('before a card is known "up to" is said; debit, prepaid and unknown cards have none, the notice goes, and the amount is paid', async () => {
    await using open = await openPage()
    const { page, token } = open
    match(await summary(page), /A surcharge of up to 2\.4% may apply to credit cards/)
    match(await summary(page), /\$25\.50/)
    equal(await button(page), 'Pay $25.50')
    for (const [funding, cardnumber] of [
      ['debit', CARDS.debit],
      ['prepaid', '5105105105105100'],
      ['unknown', '4111111111111111'],
    ] as const)
      await inCase(funding, async () => {
        await fillCard(page, { ...US, cardnumber })
        await page.waitForFunction(
          () => !document.querySelector<HTMLElement>('.summary')?.innerText.includes('may apply'),
        )
        await buttonSays(page, '$25.50')
        if (funding === 'unknown') return
        await fillCard(page, US)
        await buttonSays(page, '$26.11')
      })
    await page.click('#pay')
    await page.waitForURL('https://shop.example/thanks**')
    equal(await charged(token), 25.5)
  })

  test('a postal code of Quebec takes it away again, and another card too', async () => {
    await using open = await openPage()
    const { page } = open
    await fillCard(page, US)
    await buttonSays(page, '$26.11')
    await page.selectOption('[name=country]', 'CA')
    await page.fill('[name=postal]', 'H2X 1Y4')
    await page.press('[name=postal]', 'Tab')
    await buttonSays(page, '$25.50')
    equal(await page.innerText('#log'), 'No credit card surcharge applies. The total is $25.50.')
    await page.fill('[name=postal]', 'M5V 2T6')
    await page.press('[name=postal]', 'Tab')
    await buttonSays(page, '$26.11')
    await page.fill('[name=cardnumber]', CARDS.debit)
    await buttonSays(page, '$25.50')
  })

  test('when the question is lost, the first click is told the new total, and the second pays it', async () => {
    await using open = await openPage()
    const { page, token } = open
    await page.route('**/surcharge', (route) => route.abort())
    await payByCard(page, US)
    await page.waitForSelector('text=The total for this card is $26.11. You have not been charged.')
    await buttonSays(page, '$26.11')
    await page.click('#pay')
    await page.waitForURL('https://shop.example/thanks**')
    equal(await charged(token), 26.11)
  })

  test('a saved card shows its own at once', async () => {
    const email = 'kept@example.com'
    const payer = payerOf(service)
    await payer.pay(await merchant.sessionToken({ customer_email: email }), payBody(CARDS.visa, { saveCard: true }))
    const customer = await customerOf(service, email)
    await using open = await openPage({ customer_email: undefined, customer_id: customer?.id })
    const { page, token } = open
    equal(await button(page), 'Pay $26.11')
    await page.check('#new_card')
    await buttonSays(page, '$25.50')
    await page.check('[value^="saved:"]')
    await buttonSays(page, '$26.11')
    await page.click('#pay')
    await page.waitForURL('https://shop.example/thanks**')
    equal(await charged(token), 26.11)
  })

  test('without JavaScript the post is answered with the new total, and nothing is charged before it is seen', async () => {
    await using open = await openPage({}, { javaScriptEnabled: false })
    const { page, token } = open
    await payByCard(page, US)
    await page.waitForSelector('text=The total for this card is $26.11')
    equal(await button(page), 'Pay $26.11')
    equal((await merchant.details(token)).body.transaction, null)
    await payByCard(page, { ...US, cardnumber: CARDS.declined })
    await page.waitForSelector('text=2 attempts left')
    equal(await button(page), 'Pay $26.11')
    await payByCard(page, US)
    await page.waitForSelector('text=Payment approved')
    match(await page.innerText('.receipt'), /\$26\.11[\s\S]*Credit card surcharge \(2\.4%\)\s+\$0\.61/)
    equal(await charged(token), 26.11)
  })

  test('CAS-33: nothing that axe knows is wrong with it, light and dark', async () => {
    await using open = await openPage({}, { bypassCSP: true })
    const { page } = open
    for (const cardnumber of ['', CARDS.visa]) {
      await page.fill('[name=cardnumber]', cardnumber)
      await buttonSays(page, cardnumber ? '$26.11' : '$25.50')
      deepEqual(await faultsInLightAndDark(page), [])
    }
  })
})
