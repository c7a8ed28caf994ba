import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser, describeInShop } from '../support/describe-in-browser.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { openView } from '../support/payment-page-data.ts'
import type { ScenarioFrame } from '../support/payment-page-fixture.ts'
import { declined, refused } from '../support/payment-page-steps.ts'
import { type RealShop, waitVisibleTime } from '../support/real-shop.ts'
import { customerOf, setBusiness } from '../support/recorded.ts'
import { ANA, bodiesOf, initNotRequired, THREE_DS } from '../support/three-ds-steps.ts'

// PAG-142: the security code of a saved card, if the business asks for it.

const card = (id: string, brand: string, last4: string) => ({
  ...{ id, brand, last4, exp_month: 4, exp_year: 2031 },
  ...{ name_on_card: null, expired: false },
})
const VISA = card('c1', 'visa', '4242')
const AMEX = card('c2', 'amex', '0005')
const data = { saved_cards: [VISA, AMEX] }
const FAULTS = {
  en: ['Enter the security code.', 'The security code has 3 digits.', 'The security code has 4 digits.'],
  'fr-CA': ['Entrez le code de sécurité.', /Le code de sécurité .*3 chiffres/, /Le code de sécurité .*4 chiffres/],
  es: [
    'Introduzca el código de seguridad.',
    /El código de seguridad .*3 dígitos/,
    /El código de seguridad .*4 dígitos/,
  ],
}

describeInBrowser('the code of a saved card', ({ page, newPage, open, fixture }) => {
  const focused = () => page.evaluate(() => document.activeElement?.id)

  test('has the label, keyboard and autofill of a code, and the hint of its card', async () => {
    await open({ cvvRequired: true, data })
    const code = page.getByLabel('Security code')
    equal(await code.count(), 2)
    const shown = page.getByRole('textbox', { name: 'Security code', description: '3 digits on the back' })
    const attributes = await shown.evaluate((field) => [
      ...['id', 'autocomplete', 'inputmode', 'maxlength', 'type'].map((name) => field.getAttribute(name)),
    ])
    deepEqual(attributes, ['saved_cvc', 'cc-csc', 'numeric', null, 'text'])
    await page.check('[value="saved:c2"]')
    await page.getByRole('textbox', { name: 'Security code', description: '4 digits on the front' }).waitFor()
    await page.check('#new_card')
    equal(await page.locator('#saved_cvc').isVisible(), false)
    equal(await page.locator('#cvc').isVisible(), true)
  })

  for (const [locale, faults] of Object.entries(FAULTS))
    test(`${locale}: is needed, in the length of its brand, before anything is sent`, async () => {
      const opened = await open({ cvvRequired: true, data, pay: [declined('ND')] }, `?locale=${locale}`)
      const error = async () => (await page.innerText('#saved_cvc-error')) || ''
      const fails = async (id: string, typed: string, fault: string | RegExp | undefined) => {
        await page.check(`[value="saved:${id}"]`)
        await page.fill('#saved_cvc', typed)
        await page.click('#pay')
        match(await error(), typeof fault === 'string' ? new RegExp(`^${fault}$`) : (fault ?? /never/))
        equal(await focused(), 'saved_cvc')
      }
      for (const [id, typed, index] of [
        ['c1', '', 0],
        ['c1', '12', 1],
        ['c1', '1234', 1],
        ['c2', '123', 2],
        ['c2', 'abc', 0],
      ] as const)
        await fails(id, typed, faults[index])
      equal(opened.posts.length, 0)
      // The error disappears as soon as the code is valid, and the code disappears with its card.
      await page.fill('#saved_cvc', ' 12 34')
      equal(await error(), '')
      await page.check('[value="saved:c1"]')
      equal(await page.inputValue('#saved_cvc'), '')
      equal(await error(), '')
    })

  test('is typed and sent by the keyboard, and is not kept after a decline', async () => {
    const opened = await open({ cvvRequired: true, data, pay: [declined('ND'), declined('N7')] })
    await page.focus('[value="saved:c1"]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    equal(await focused(), 'saved_cvc')
    await page.keyboard.type('1 2 ٣٤')
    await page.keyboard.press('Enter')
    await page.getByText('2 attempts left.').waitFor()
    equal(await page.inputValue('#saved_cvc'), '')
    await page.fill('#saved_cvc', '4321')
    await page.click('#pay')
    await page.getByText('The security code does not match your bank’s records.').waitFor()
    deepEqual([await page.inputValue('#saved_cvc'), await focused()], ['', 'saved_cvc'])
    const sent = opened.posts.map(({ body: { payment_method_type, cardId, cvv, cardData } }) => [
      ...[payment_method_type, cardId, cvv, cardData],
    ])
    deepEqual(sent, [
      ['saved_card', 'c2', '1234', undefined],
      ['saved_card', 'c2', '4321', undefined],
    ])
  })

  test('is asked for by a page that is older than the setting', async () => {
    const errors = { cvv: ['is required'] }
    const pay = [refused(422, 'validation_failed', { errors, charged: false }), declined('ND')]
    const opened = await open({ data, pay })
    equal(await page.locator('#saved_cvc').isVisible(), false)
    await page.click('#pay')
    await page.getByRole('link', { name: 'Enter the security code.' }).waitFor()
    equal(await focused(), 'saved_cvc')
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.getByText('2 attempts left.').waitFor()
    deepEqual(
      opened.posts.map(({ body }) => body.cvv),
      [undefined, '123'],
    )
  })

  test('is neither shown nor sent where it is not asked for, nor with a new card', async () => {
    const opened = await open({ data, pay: [declined('ND')] })
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('#saved_cvc')
      if (field) field.value = '123'
    })
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    equal('cvv' in (opened.posts[0]?.body ?? {}), false)
  })

  test('TDS-2: 3-D Secure is begun without it', async () => {
    const opened = await open({
      cvvRequired: true,
      data: { ...data, three_ds: THREE_DS, customer: ANA },
      init: [initNotRequired],
      pay: [declined('ND')],
    })
    await page.fill('#saved_cvc', '123')
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    deepEqual(
      [bodiesOf(opened, 'init'), bodiesOf(opened, 'pay')].map(([body]) => [body?.cardId, body?.cvv]),
      [
        ['c1', undefined],
        ['c1', '123'],
      ],
    )
  })

  test('a page that is left is emptied of it', async () => {
    await open({ cvvRequired: true, data })
    await page.fill('#saved_cvc', '123')
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
    equal(await page.inputValue('#saved_cvc'), '')
  })

  test('without JavaScript it is posted, and a refusal comes back to the card that was chosen', async () => {
    const bare = await newPage({ javaScriptEnabled: false })
    const refusal = { code: 'N7', errors: {}, attemptsLeft: 2, paymentMethod: 'saved:c2' }
    const view = (frame: ScenarioFrame) => ({ ...openView(frame, { cvvRequired: true, data }), refusal })
    const opened = fixture.open({ view: view as (frame: ScenarioFrame) => ReturnType<typeof openView> })
    await bare.goto(opened.url)
    match(await bare.innerText('#alert'), /security code does not match/)
    equal(await bare.isChecked('[value="saved:c2"]'), true)
    await bare.getByRole('textbox', { name: 'Security code', description: '4 digits on the front' }).fill('1234')
    await bare.click('#pay')
    await bare.waitForLoadState()
    const [posted] = opened.formPosts
    deepEqual([posted?.get('payment_method'), posted?.get('saved_cvc')], ['saved:c2', '1234'])
  })

  test('CAS-33 and PAG-4: on a phone nothing is cut off, axe finds nothing, and the modal keeps its height', async () => {
    const phone = await newPage({ viewport: { width: 360, height: 640 }, bypassCSP: true, reducedMotion: 'reduce' })
    const rapid = {
      view: (frame: ScenarioFrame) =>
        openView({ ...frame, surface: 'rapid' }, { cvvRequired: true, data: { saved_cards: [VISA] } }),
    }
    for (const locale of ['en', 'fr-CA', 'es'])
      for (const scenario of [{ cvvRequired: true, data }, rapid]) {
        await open(scenario, `?locale=${locale}`)
        if (scenario === rapid) {
          const height = await phone.evaluate(() => document.querySelector('.page')?.getBoundingClientRect().height)
          ok(Number(height) <= 520, `${locale}: ${height} px`)
        }
        await phone.click('#pay')
        for (const colorScheme of ['light', 'dark'] as const) {
          await phone.emulateMedia({ colorScheme })
          deepEqual(await accessibilityFaults(phone), [], `${locale}, ${colorScheme}`)
        }
        equal(await phone.evaluate(() => document.documentElement.scrollWidth), 360)
      }
  })
})

/** Creates a customer of the shop with a saved card. */
async function customerWithCard({ service, merchant, origin }: RealShop, email: string, number: string) {
  const urls = { success_url: `${origin()}/thanks`, cancel_url: `${origin()}/cart` }
  const token = await merchant.sessionToken({ ...urls, customer_email: email })
  const typed = payBody(number, { saveCard: true, address: { postalCode: 'H2X 1Y4' } })
  const { body } = await payerOf(service).pay(token, typed)
  const customer = await customerOf({ ...service, demo: merchant.demo }, email)
  if (body.ok !== true || !customer) throw new Error(`The card was not stored: ${JSON.stringify(body)}`)
  return { customer_id: customer.id, urls }
}

describeInShop('a shop that asks for the code of saved cards', ({ shops, browser }) => {
  const ask = (saved_card_cvv_required: boolean) =>
    setBusiness({ app: shops.service.app, demo: shops.merchant.demo }, { saved_card_cvv_required })
  const payWithout = async (form: Page | FrameLocator) => {
    await form.locator('#saved_cvc').waitFor()
    await form.locator('#pay').press('Enter')
    await form.getByText('Enter the security code.').first().waitFor()
  }
  const paidAs = async (id: unknown) => {
    const { payment_status, attempt_count } = (await shops.merchant.details(String(id))).body.checkout_session
    const sale = (await shops.service.simulator.rows()).filter(({ op }) => op === 'sale').at(-1)
    return [payment_status, attempt_count, sale?.cvvPresent]
  }
  const hostedPage = async (target: Browser, email: string, javaScriptEnabled: boolean) => {
    const { customer_id, urls } = await customerWithCard(shops, email, CARDS.visa)
    const { body } = await shops.merchant.createSession({ ...urls, customer_id, customer_email: undefined })
    const { checkout_url, id } = body.checkout_session
    const page = await (await target.newContext({ javaScriptEnabled })).newPage()
    await page.goto(checkout_url)
    return { page, id }
  }

  for (const script of ['rapid', 'rialto-checkout'] as const)
    test(`${script}: a wrong code is a decline, the right one pays`, async () => {
      await ask(true)
      const { customer_id, urls } = await customerWithCard(shops, `${script}.code@example.com`, CARDS.visa)
      const authToken = await shops.browserToken({ customer_id })
      const viewport = { width: 390, height: 844 }
      const shop = await shops.open(browser, { script, viewport, init: { authToken } })
      await shop.create(script === 'rapid' ? {} : urls)
      await payWithout(shop.inForm)
      for (const code of ['000', '123']) {
        await shop.inForm.locator('#pay').scrollIntoViewIfNeeded()
        await shop.inForm.locator('#saved_cvc').fill(code)
        await waitVisibleTime(shop.page)
        await shop.inForm.locator('#pay').click()
        if (code === '000') await shop.inForm.getByText('The security code does not match').waitFor()
      }
      const { session_id } = await shop.called('success')
      deepEqual(await paidAs(session_id), ['PAID', 1, true])
      await shop.end()
    })

  test('a page of its own, opened before the business asked', async () => {
    await ask(false)
    const { page, id } = await hostedPage(browser, 'hosted.code@example.com', true)
    await ask(true)
    await page.locator('#pay').click()
    await page.getByRole('link', { name: 'Enter the security code.' }).waitFor()
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/thanks/)
    deepEqual(await paidAs(id), ['PAID', 0, true])
    await page.context().close()
  })

  test('a page without JavaScript', async () => {
    await ask(true)
    const { page, id } = await hostedPage(browser, 'bare.code@example.com', false)
    await payWithout(page)
    await page.fill('#saved_cvc', '000')
    await page.click('#pay')
    await page.getByText('The security code does not match').waitFor()
    await page.fill('#saved_cvc', '123')
    await page.click('#pay')
    await page.getByText('approved').first().waitFor()
    deepEqual(await paidAs(id), ['PAID', 1, true])
    await page.context().close()
    await ask(false)
  })
})
