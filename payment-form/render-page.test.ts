import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LOCALES, type PaymentPageView } from '../contract/payment-page.ts'
import { BUSINESS, type Changes, openView, planOf } from '../test/support/payment-page-data.ts'
import type { ScenarioFrame } from '../test/support/payment-page-fixture.ts'
import { renderPaymentPage } from './render-page.ts'

const FRAME: ScenarioFrame = {
  locale: 'en',
  surface: 'hosted',
  nonce: 'bm9uY2U',
  script: { url: 'https://pay.example/assets/form.1.js', integrity: 'sha384-x' },
  languageLinks: [],
  parent: null,
  token: 'a'.repeat(64),
  apiBaseUrl: 'https://api.example/',
  shopUrl: (path) => `https://shop.example/${path}`,
}

test('texts of the merchant and of the payer are escaped', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'`
  const item = { name: evil, quantity: 1, unit_amount: 1, total: 1, image: evil }
  const html = renderPaymentPage(
    openView(FRAME, {
      session: {
        description: evil,
        line_items: [item],
        discounts: [{ name: evil, code: null, amount: 1, percent_off: null }],
      },
      business: { name: evil, logo_url: evil, support_email: evil, terms_url: evil, brand_color: evil },
    }),
  )
  assert.doesNotMatch(html, /<script>|<img src=x/)
  assert.equal(html.match(/<\/script>/g)?.length, 2)
})

test('nothing in the page needs a style attribute or an inline handler, which the policy forbids', () => {
  const html = renderPaymentPage(openView(FRAME))
  assert.doesNotMatch(html, /\sstyle=|\son\w+=/)
  assert.equal(html.match(/<style /g)?.length, 1)
})

test('the same view gives the same page', () => {
  const view = openView(FRAME)
  assert.equal(renderPaymentPage(view), renderPaymentPage(view))
})

test('a payer without JavaScript returns to the shop after an approval', () => {
  const returnUrl = 'https://shop.example/thanks?a=1'
  const html = renderPaymentPage({
    ...FRAME,
    state: 'approved',
    business: BUSINESS,
    receiptId: 'R',
    amount: '$1',
    returnUrl,
  })
  assert.match(
    html,
    /<noscript><meta http-equiv="refresh" content="2;url&#61;https:\/\/shop\.example\/thanks\?a&#61;1">/,
  )
})

test('a page that takes no payment has no script', () => {
  const html = renderPaymentPage({ ...FRAME, script: null, state: 'not_found' })
  assert.doesNotMatch(html, /<script/)
})

test('the page is far below 60 KB with all it needs', () => {
  const session = { billing_address_collection: 'required', shipping_address_collection: 'required' } as const
  assert.ok(gzipSync(renderPaymentPage(openView(FRAME, { session }))).byteLength < 30 * 1024)
})

/** Returns the texts of elements that the browser shows, by the beginning of their tag. */
function textsOf(html: string, tag: string): string[] {
  const found = html.matchAll(new RegExp(`<(${tag}[^>]*)>([\\s\\S]*?)</${tag.split(' ')[0]}>`, 'g'))
  return [...found]
    .filter(([, opening = '']) => !/ hidden(?: |$)/.test(opening))
    .map(([, , content = '']) => content.replace(/<[^>]*>/g, ''))
}

const closed = (state: 'paid' | 'expired' | 'cancelled' | 'failed') =>
  renderPaymentPage({ ...FRAME, state, business: BUSINESS, returnUrl: null } as PaymentPageView)

test('CAS-20: a closed session has a page of its own, and tells nothing of the payment', () => {
  for (const [state, title, text] of [
    ['paid', 'Payment complete', 'This payment is complete. You do not need to do anything.'],
    ['expired', 'Link expired', 'This payment link has expired. Ask Northwind Tea for a new one.'],
    ['cancelled', 'Request cancelled', 'Northwind Tea cancelled this payment request.'],
    ['failed', 'Payment closed', 'This payment was declined 3 times and is now closed. You have not been charged.'],
  ] as const) {
    const html = closed(state)
    assert.deepEqual(textsOf(html, 'h1'), [title])
    const [panel = ''] = html.match(/<section class="panel closed[\s\S]*?<\/section>/) ?? []
    assert.deepEqual(textsOf(panel, 'p'), [text])
    assert.doesNotMatch(html, /72\.41|Sencha|page-data/)
  }
})

test('CAS-20: an unknown link names no business', () => {
  const html = renderPaymentPage({ ...FRAME, state: 'not_found' })
  assert.deepEqual(textsOf(html, 'h1'), ['Page not found'])
  assert.doesNotMatch(html, /Northwind/)
})

/** Renders the page of a plan of 40. */
const planPage = (subscription: Parameters<typeof planOf>[0] = {}, frame = FRAME, session: Changes['session'] = {}) =>
  renderPaymentPage(
    openView(frame, {
      session: { mode: 'subscription', amount_total: 40, ...session, subscription: planOf(subscription) },
    }),
  )
const sentenceOf = (html: string) => textsOf(html, 'p class="agreement')[0]

test('CAS-26: a plan says what is charged today and from when on, in each language', () => {
  const sentences = {
    en: '$40.00 today, then $40.00 every month from January 1, 2027, until cancelled.',
    'fr-CA':
      '40,00\u00a0$ aujourd’hui, puis 40,00\u00a0$ chaque mois à partir du 1 janvier 2027, jusqu’à l’annulation.',
    es: 'CAD\u00a040.00 hoy y luego CAD\u00a040.00 cada mes a partir del 1 de enero de 2027, hasta que se cancele.',
  }
  const times = { server_time: '2026-12-01T12:00:00Z', expires_at: '2026-12-02T12:00:00Z' }
  for (const locale of LOCALES) assert.equal(sentenceOf(planPage({}, { ...FRAME, locale }, times)), sentences[locale])
})

test('PAG-28: a plan that begins later says that nothing is charged today', () => {
  const html = planPage({ first_charge: 0 })
  assert.equal(sentenceOf(html), 'Nothing today. $40.00 every month from December 1, 2026, until cancelled.')
  assert.equal(textsOf(html, 'strong')[0], '$0.00')
  assert.deepEqual(textsOf(html, 'span id="pay-label"'), ['Start plan'])
})

test('PAG-28: a plan with installments says how many payments there are', () => {
  assert.equal(
    sentenceOf(planPage({ installments: 12 })),
    '$40.00 today, then $40.00 every month from January 1, 2027, 12 payments in all.',
  )
  assert.equal(sentenceOf(planPage({ installments: 1, next_charge_date: null })), '$40.00 today, once.')
})

test('CHK-51: a plan always keeps the card, and says so', () => {
  const html = planPage()
  assert.doesNotMatch(html, /id="save_card"/)
  assert.match(textsOf(html, 'form').join(), /Your card will be saved and charged for this plan as shown/)
})
