import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../payment-form/messages/catalogue.ts'
import { stopTime } from '../support/browser-clock.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import { openView } from '../support/payment-page-data.ts'
import { approved, declined, fillCard, payByCard } from '../support/payment-page-steps.ts'

describeInBrowser('the outcome of a payment', ({ page, fixture, open }) => {
  const alert = () => page.locator('div#alert')

  test('CAS-2: approved says so, with the receipt, and goes to the shop without a step in the history', async () => {
    const shop = `${fixture.apiOrigin}/thanks?order=7&session_token=x#done`
    const opened = await open({ pay: [approved(shop)] })
    const steps = await page.evaluate(() => history.length)
    await payByCard(page)
    await page.waitForSelector('.closed.good')
    assert.equal(await page.textContent('h1'), 'Payment approved')
    assert.deepEqual(await page.locator('.receipt dd').allTextContents(), ['$72.41', 'Visa •••• 4242', 'R-77'])
    assert.equal(await page.getAttribute('.return', 'href'), shop)
    assert.equal(await page.locator('form').count(), 0)
    await page.waitForURL(shop)
    assert.equal(await page.evaluate(() => history.length), steps)
    assert.equal(opened.posts.length, 1)
  })

  test('the pay request is the documented one', async () => {
    const opened = await open({ pay: [declined('ND')] })
    await payByCard(page, { postal: 'h2x1y4' })
    await alert().getByText('2 attempts left.').waitFor()
    const [request] = opened.posts
    assert.deepEqual(request?.body, {
      amount: 72.41,
      payment_method_type: 'new_card',
      cardData: {
        cardNumber: CARDS.visa,
        month: '04',
        year: 2031,
        nameOnCard: 'Ana Roy',
        cvv: '123',
        saveCard: false,
        address: { postalCode: 'H2X 1Y4' },
      },
      consents: {},
      billing_address: { postal_code: 'H2X 1Y4', country: 'CA' },
    })
    assert.equal(request?.headers.cookie, undefined)
  })

  test('CAS-11: a decline keeps the number, clears the code, and stands on its text', async () => {
    await open({ pay: [declined('ND')] })
    await payByCard(page)
    await alert().getByText('2 attempts left.').waitFor()
    assert.equal(await page.inputValue('#cardnumber'), '4242 4242 4242 4242')
    assert.equal(await page.inputValue('#cvc'), '')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'alert')
    assert.equal(await page.getAttribute('#pay', 'aria-disabled'), 'false')
    assert.equal(await page.textContent('#pay-label'), 'Pay $72.41')
  })

  for (const locale of ['en', 'fr-CA', 'es'] as const)
    test(`CAS-12: all declines read alike but the one that can be typed right, in ${locale}`, async () => {
      const codes = ['NC', 'NF', 'NR', 'N7', 'AP', 'AC', 'ND', 'XX'] as const
      const { script } = CATALOGUE[locale]
      await open({ pay: codes.map((code) => declined(code)) }, `?locale=${locale}`)
      await fillCard(page)
      for (const code of codes) {
        await page.fill('#cvc', '123')
        await page.click('#pay')
        await alert()
          .locator('p', { hasText: code === 'N7' ? script.declined_verification : script.declined })
          .waitFor()
        if (code === 'N7') assert.equal(await page.evaluate(() => document.activeElement?.id), 'cvc')
      }
    })

  test('CAS-13: the third decline closes the page, counts down, and goes back to the shop', async () => {
    await stopTime(page)
    const cart = `${fixture.apiOrigin}/cart?session_token=x`
    await open({ pay: [declined('ND', 3, cart)] })
    await payByCard(page)
    await page.waitForSelector('.closed.bad')
    assert.match((await page.textContent('.closed')) ?? '', /declined 3 times and is now closed/)
    assert.equal(await page.textContent('.countdown span'), 'Going back to Northwind Tea in 5 seconds.')
    assert.equal(await page.getAttribute('.return', 'href'), cart)
    await page.clock.runFor(4_000)
    assert.equal(await page.textContent('.countdown span'), 'Going back to Northwind Tea in 1 second.')
    await page.clock.runFor(1_000)
    await page.waitForURL(cart)
  })

  test('WCAG 2.2.1: the way back after the third decline can be stopped', async () => {
    await stopTime(page)
    const opened = await open({ pay: [declined('ND', 3)] })
    await payByCard(page)
    await page.click('.countdown button')
    await page.clock.runFor(20_000)
    assert.equal(page.url(), opened.url)
  })

  test('CAS-14: a reload still says how many attempts are left', async () => {
    await open({ view: (frame) => openView(frame, { session: { attempt_count: 1 } }) })
    assert.equal(await alert().textContent(), '2 attempts left.')
  })

  test('CAS-15: a double click, and Enter with a click, are one request', async () => {
    const released = Promise.withResolvers<void>()
    const opened = await open({ pay: [{ ...declined('ND'), held: released.promise }] })
    await fillCard(page)
    await page.dblclick('#pay')
    await page.press('#cvc', 'Enter')
    assert.equal(await page.textContent('#pay-label'), 'Processing…')
    assert.equal(await page.getAttribute('#pay', 'aria-disabled'), 'true')
    assert.equal(await page.textContent('#log'), 'Processing payment')
    released.resolve()
    await alert().getByText('2 attempts left.').waitFor()
    assert.equal(opened.posts.length, 1)
  })
})
