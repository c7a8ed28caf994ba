import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentPageView } from '../../contract/payment-page.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import { type Changes, openView, planOf } from '../support/payment-page-data.ts'
import { declined, fillCard, payByCard } from '../support/payment-page-steps.ts'

const ADDRESSES: Changes = {
  session: { billing_address_collection: 'required', shipping_address_collection: 'required' },
}
const PHONE = { viewport: { width: 320, height: 640 } }

describeInBrowser('the parts of the payment page', ({ page, newPage, open }) => {
  const scrollsSideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

  test('CAS-1: without JavaScript the amount, the items and the form are there, and the form posts', async () => {
    await newPage({ javaScriptEnabled: false })
    const { formPosts } = await open()
    assert.equal(await page.textContent('.total strong'), '$72.41')
    assert.deepEqual(await page.locator('tbody tr').allInnerTexts(), [
      'Sencha, first harvest, 100 g\n2 × $21.50\n\t$43.00',
      'Cast-iron kettle stand\n\t$25.00',
    ])
    await payByCard(page, { exp: '1/31' })
    await page.waitForLoadState()
    assert.deepEqual(Object.fromEntries(formPosts[0] ?? []), {
      amount: '72.41',
      cardnumber: CARDS.visa,
      exp: '1/31',
      cvc: '123',
      ccname: 'Ana Roy',
      country: 'CA',
      postal: 'H2X 1Y4',
    })
  })

  test('a post without JavaScript that was refused says why, at the field too, and shows no card', async () => {
    await newPage({ javaScriptEnabled: false })
    const refusal = { code: 'N7', attemptsLeft: 2, errors: { 'cardData.cvv': ['wrong'] } }
    await open({ view: (frame) => ({ ...openView(frame), refusal }) as PaymentPageView })
    assert.equal(
      await page.textContent('div#alert'),
      'The security code or postal code does not match your bank’s records. Check both and try again.2 attempts left.',
    )
    assert.equal(await page.textContent('#cvc-error'), 'Enter the security code.')
    assert.equal(await page.inputValue('#cardnumber'), '')
  })

  test('CAS-23: ten items with long names and broken images hold at 320 px, which is 400 % zoom', async () => {
    await newPage(PHONE)
    const name = 'Extraordinarilylongproductnamewithoutanyspaceatall and some more words after it'
    const item = { name, quantity: 12, unit_amount: 1.5, total: 18, image: 'https://127.0.0.1:1/none.png' }
    await open({ session: { line_items: Array.from({ length: 10 }, () => item) } })
    assert.equal(await page.textContent('.order summary b'), '$72.41')
    assert.ok(!(await page.isVisible('tbody tr')))
    await page.click('.order summary')
    assert.equal(await page.locator('tbody tr:visible').count(), 10)
    assert.ok(!(await scrollsSideways()))
  })

  test('CAS-24: subtotal, discount and tax have rows; what the session lacks has none', async () => {
    await open()
    const totals = () => page.locator('tfoot tr').allInnerTexts()
    assert.deepEqual(await totals(), ['Subtotal\t$68.00', 'Welcome\t−$5.00', 'Tax\t$9.41', 'Total\t$72.41'])
    await open({ session: { amount_tax: null, amount_discount: null, discounts: [], amount_subtotal: null } })
    assert.deepEqual(await totals(), ['Total\t$72.41'])
  })

  test('CAS-25: a surcharge that applies is in the total and on the button; one that may apply is announced', async () => {
    await open({ session: { surcharge: { rate: 2.4, amount: 1.74, applies: true } } })
    assert.equal(await page.textContent('#pay-label'), 'Pay $74.15')
    assert.match(await page.innerText('tfoot'), /Credit card surcharge \(2\.4%\)\s+\$1\.74\s+Total\s+\$74\.15/)
    await open({ session: { surcharge: { rate: 2.4, amount: 1.74, applies: null } } })
    assert.equal(await page.textContent('#pay-label'), 'Pay $72.41')
    assert.match(await page.innerText('tfoot'), /A surcharge of up to 2\.4% may apply to credit cards/)
  })

  test('PAG-28: the sentence about a plan follows the surcharge', async () => {
    const surcharge = { rate: 2.4, amount: 0.96, applies: null }
    await open({ session: { mode: 'subscription', amount_total: 40, surcharge, subscription: planOf() } })
    const shown = () => page.locator('.plan:visible').allTextContents()
    assert.match((await shown()).join(), /^\$40\.00 today, then \$40\.00 every month/)
    await open({
      session: {
        mode: 'subscription',
        amount_total: 40,
        surcharge: { ...surcharge, applies: true },
        subscription: planOf(),
      },
    })
    assert.match((await shown()).join(), /^\$40\.96 today, then \$40\.96 every month/)
  })

  test('CAS-27: terms that are not agreed to are asked for at their box', async () => {
    const session = { consent_collection: { terms_of_service: 'required', promotions: 'auto' } } as const
    const opened = await open({ session, pay: [declined('ND')] })
    assert.deepEqual([await page.isChecked('#terms'), await page.isChecked('#promotions')], [false, false])
    await payByCard(page)
    assert.equal(await page.textContent('#terms-error'), 'Agree to the terms of service to pay.')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'terms')
    assert.equal(opened.posts.length, 0)
    await page.check('#terms')
    assert.equal(await page.textContent('#terms-error'), '')
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    assert.deepEqual(opened.posts[0]?.body.consents, { terms_of_service: true, promotions: false })
  })

  test('CAS-30: saved cards come first, expired ones cannot be chosen, arrow keys move, and it pays', async () => {
    const card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: null, expired: false }
    const saved_cards = [
      { ...card, id: 'old', exp_year: 2020, expired: true },
      { ...card, id: 'good' },
      { ...card, id: 'other', brand: 'jcb' },
    ]
    const opened = await open({ data: { saved_cards }, pay: [declined('ND')] })
    assert.deepEqual(await page.locator('.choice').allInnerTexts(), [
      'Visa ending in 4242, expires 04/31',
      'Visa ending in 4242, expired 04/20',
      'New card',
    ])
    assert.ok(!(await page.isVisible('#cardnumber')))
    await page.focus('[value="saved:good"]')
    await page.keyboard.press('ArrowDown')
    assert.ok(await page.isVisible('#cardnumber'))
    await page.keyboard.press('ArrowUp')
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    assert.equal(opened.posts[0]?.body.cardId, 'good')
  })

  test('CAS-31: a full billing address has the regions of its country, and shipping is the same until told otherwise', async () => {
    const opened = await open({ ...ADDRESSES, pay: [declined('ND')] })
    assert.ok(!(await page.isVisible('#shipping_line1')))
    await page.selectOption('#country', 'US')
    assert.equal(await page.textContent('label[for=postal]'), 'ZIP code')
    assert.ok((await page.isVisible('#state_us')) && !(await page.isVisible('#state_ca')))
    const fields = page.locator('fieldset.address').locator('input, select').filter({ visible: true })
    const inOrder = await fields.evaluateAll((all) => all.map(({ id }) => id))
    assert.deepEqual(inOrder, ['country', 'line1', 'line2', 'city', 'state_us', 'postal'])
    await fillCard(page, { postal: '1000' })
    await page.fill('#line1', '1 Main St')
    await page.fill('#city', 'Troy')
    await page.click('#pay')
    assert.equal(await page.textContent('#postal-error'), 'A ZIP code has 5 digits. Example: 10001')
    assert.match((await page.textContent('#state_us-error')) ?? '', /^Choose or enter the state/)
    await page.fill('#postal', '12180')
    await page.selectOption('#state_us', 'NY')
    await page.click('#pay')
    await page.getByText('2 attempts left.').waitFor()
    const address = { line1: '1 Main St', city: 'Troy', state: 'NY', postal_code: '12180', country: 'US' }
    assert.deepEqual(opened.posts[0]?.body.billing_address, address)
    assert.deepEqual(opened.posts[0]?.body.shipping_address, address)
  })

  test('on paper is what is paid, and never a typed card', async () => {
    await open()
    await fillCard(page)
    await page.emulateMedia({ media: 'print' })
    assert.ok((await page.isVisible('.total')) && !(await page.isVisible('#cardnumber')))
    await page.emulateMedia({ media: null })
  })

  test('CAS-31: an optional shipping address is checked only once something of it is filled in', async () => {
    const opened = await open({ session: { shipping_address_collection: 'auto' }, pay: [declined('ND')] })
    await payByCard(page)
    await page.getByText('2 attempts left.').waitFor()
    assert.equal(opened.posts[0]?.body.shipping_address, undefined)
    await page.fill('#shipping_city', 'Laval')
    await page.fill('#cvc', '123')
    await page.click('#pay')
    assert.equal(await page.textContent('#shipping_line1-error'), 'Enter the address.')
  })

  test('CAS-37: language, money and dates follow the view, and the switch leads to the others', async () => {
    const totals = { en: 'US$1,234.56', 'fr-CA': '1\u00a0234,56\u00a0$\u00a0US', es: '$1,234.56' }
    for (const [locale, total] of Object.entries(totals)) {
      await open({ session: { currency: 'USD', amount_total: 1234.56 } }, `?locale=${locale}`)
      assert.equal(await page.textContent('.total strong'), total)
      assert.equal(await page.getAttribute('html', 'lang'), locale)
    }
    await page.click('.languages a[lang=fr-CA]')
    assert.equal(await page.textContent('label[for=exp]'), 'Date d’expiration (MM/AA)')
  })

  test('CAS-38: from right to left the page is mirrored and the card fields are not', async () => {
    await open()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0
    assert.ok((await left('.summary')) > (await left('.payment')))
    assert.ok(!(await scrollsSideways()))
    for (const id of ['cardnumber', 'exp', 'cvc'])
      assert.equal(await page.locator(`#${id}`).evaluate((input) => getComputedStyle(input).direction), 'ltr')
  })
})
