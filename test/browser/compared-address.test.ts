import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { AvsPolicy } from '../../contract/card-checks.ts'
import { LOCALES } from '../../contract/payment-page.ts'
import { KEPT_MS } from '../../server/lib/ttl-cache.ts'
import { faultsInLightAndDark } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser, describeInShop } from '../support/describe-in-browser.ts'
import { openView } from '../support/payment-page-data.ts'
import type { ScenarioFrame } from '../support/payment-page-fixture.ts'
import { declined, fillCard, payByCard, payInForm, refused } from '../support/payment-page-steps.ts'
import { setBusiness } from '../support/recorded.ts'

// CHK-61: the form asks for the address that the AVS policy of the business compares.

const STREET = '12 King Street'
const SAVED = { id: 'c1', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: null }

const asked = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.address input, .address select')]
      .filter((field) => field.checkVisibility())
      .map((field) => field.id),
  )

describeInBrowser('the address that the policy compares', ({ page, newPage, open, fixture }) => {
  const rapid = (comparedAddress: 'none' | 'postal_code' | 'street') => ({
    view: (frame: ScenarioFrame) => openView({ ...frame, surface: 'rapid' }, { comparedAddress }),
  })

  test('CHK-61: is asked for on each surface, once', async () => {
    await open({ comparedAddress: 'postal_code' })
    deepEqual(await asked(page), ['country', 'postal'])
    await open({ comparedAddress: 'street' })
    deepEqual(await asked(page), ['line1', 'country', 'postal'])
    await open({ comparedAddress: 'street', session: { billing_address_collection: 'required' } })
    equal((await asked(page)).filter((id) => id === 'line1').length, 1)
    for (const [compared, fields] of [
      ['none', []],
      ['postal_code', ['country', 'postal']],
      ['street', ['line1', 'country', 'postal']],
    ] as const) {
      await open(rapid(compared))
      deepEqual(await asked(page), fields)
    }
  })

  test('must be filled in, by keyboard in the order of the page, and is sent with the card', async () => {
    const opened = await open({ comparedAddress: 'street', pay: [declined('N7')] })
    await payByCard(page)
    await page.getByRole('link', { name: 'Enter the address.' }).waitFor()
    equal(await page.evaluate(() => document.activeElement?.id), 'line1')
    equal(opened.posts.length, 0)
    await page.keyboard.type(STREET)
    const order: (string | undefined)[] = []
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('Tab')
      order.push(await page.evaluate(() => document.activeElement?.id))
    }
    deepEqual(order, ['country', 'postal', 'pay'])
    await page.keyboard.press('Enter')
    await page.getByText('The security code or the address does not match').waitFor()
    const [{ body }] = opened.posts as [(typeof opened.posts)[number]]
    deepEqual((body.cardData as { address: object }).address, { postalCode: 'H2X 1Y4', line1: STREET })
    equal(await page.inputValue('#line1'), STREET)
  })

  test('CHK-122: follows the chosen country: what it lacks is not asked for, and the street takes its place', async () => {
    const opened = await open({ comparedAddress: 'postal_code', pay: [declined('ND')] })
    await fillCard(page)
    for (const [country, fields] of [
      ['HK', ['line1', 'country']],
      ['IE', ['line1', 'country', 'postal']],
      ['US', ['country', 'postal']],
      ['AE', ['line1', 'country']],
    ] as const) {
      await page.selectOption('#country', country)
      deepEqual(await asked(page), fields)
    }
    await page.fill('#line1', STREET)
    await page.click('#pay')
    await page.getByText('declined').first().waitFor()
    const [{ body }] = opened.posts as [(typeof opened.posts)[number]]
    deepEqual((body.cardData as { address: object }).address, { line1: STREET })
    await open({ session: { billing_address_collection: 'required' } })
    await page.selectOption('#country', 'HK')
    deepEqual(await asked(page), ['country', 'line1', 'line2', 'state'])
  })

  test('PAG-14: its postal code must be one of the chosen country, on each surface', async () => {
    for (const options of [{ comparedAddress: 'postal_code' as const }, rapid('postal_code')]) {
      const opened = await open({ ...options, pay: [declined('ND')] })
      await fillCard(page)
      await page.selectOption('#country', 'US')
      await page.fill('#postal', 'H2X 1Y4')
      await page.click('#pay')
      await page.getByText('A ZIP code has 5 digits.').first().waitFor()
      equal(opened.posts.length, 0)
      await page.selectOption('#country', 'GB')
      await page.fill('#postal', 'SW1A 1AA')
      await page.click('#pay')
      await page.getByText('2 attempts left.').waitFor()
      deepEqual(opened.posts[0]?.body.billing_address, { country: 'GB', postal_code: 'SW1A 1AA' })
    }
  })

  test('is not asked for with a saved card', async () => {
    const data = { saved_cards: [{ ...SAVED, expired: false }] }
    const opened = await open({ comparedAddress: 'street', data, pay: [declined('ND')] })
    deepEqual(await asked(page), [])
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    equal(opened.posts[0]?.body.payment_method_type, 'saved_card')
    await page.check('#new_card')
    deepEqual(await asked(page), ['line1', 'country', 'postal'])
  })

  test('a page that is older than the policy says that it must be loaded again', async () => {
    const errors = { 'cardData.address.line1': ['is required'] }
    await open({ pay: [refused(422, 'validation_failed', { errors, charged: false })] })
    await payByCard(page)
    await page.getByText('This payment now needs your billing address. Reload this page to enter it.').waitFor()
    equal(await page.getAttribute('[data-phase]', 'data-phase'), 'ready')
  })

  test('is posted without JavaScript too, and N7 then names the address', async () => {
    const bare = await newPage({ javaScriptEnabled: false })
    const refusal = { code: 'N7', errors: {}, attemptsLeft: 2, retryAfterSeconds: null }
    const view = (frame: ScenarioFrame) => ({ ...openView(frame, { comparedAddress: 'street' }), refusal })
    const opened = fixture.open({ view: view as (frame: ScenarioFrame) => ReturnType<typeof openView> })
    await bare.goto(opened.url)
    ok(await bare.locator('#line1').evaluate((field) => (field as HTMLInputElement).required))
    match(await bare.innerText('#alert'), /security code or the address does not match/)
    await fillCard(bare)
    await bare.fill('#line1', STREET)
    await bare.click('#pay')
    await bare.waitForLoadState()
    deepEqual([opened.formPosts[0]?.get('line1'), opened.formPosts[0]?.get('postal')], [STREET, 'H2X 1Y4'])
  })

  test('CAS-33 and PAG-4: on a phone nothing is cut off, axe finds nothing, and the modal keeps its height', async () => {
    const phone = await newPage({ viewport: { width: 360, height: 640 }, bypassCSP: true, reducedMotion: 'reduce' })
    for (const locale of LOCALES) {
      await open({ comparedAddress: 'street' }, `?locale=${locale}`)
      await phone.click('#pay')
      deepEqual(await faultsInLightAndDark(phone), [], locale)
      await open(rapid('street'), `?locale=${locale}`)
      deepEqual(await faultsInLightAndDark(phone), [], `rapid, ${locale}`)
      const { width, height } = await phone.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        height: document.querySelector('.page')?.getBoundingClientRect().height ?? 0,
      }))
      equal(width, 360)
      ok(height <= 560, `${locale}: ${height} px`)
    }
  })
})

describeInShop('a shop whose business has an AVS policy', ({ shops, browser }) => {
  const setPolicy = (avs_policy: AvsPolicy) =>
    setBusiness({ app: shops.service.app, demo: shops.merchant.demo }, { avs_policy })

  before(async () => {
    await setPolicy('decline_any_mismatch')
    // Callers of the API see a setting after a second.
    await sleep(KEPT_MS)
  })

  for (const script of ['rapid', 'rialto-checkout'] as const)
    test(`${script}: a card whose street does not match is declined, and another one pays`, async () => {
      const shop = await shops.open(browser, { script, viewport: { width: 390, height: 844 } })
      await shop.create(script === 'rapid' ? {} : { success_url: shops.origin(), cancel_url: shops.origin() })
      await shop.inForm.locator('#line1').fill(STREET)
      await payInForm(shop.inForm, { cardnumber: CARDS.avsNoStreet })
      await shop.inForm.getByText('The security code or the address does not match').waitFor()
      await payInForm(shop.inForm)
      const { session_id } = await shop.called('success')
      const { checkout_session } = (await shops.merchant.details(String(session_id))).body
      deepEqual([checkout_session.payment_status, checkout_session.attempt_count], ['PAID', 1])
      await shop.end()
    })
})
