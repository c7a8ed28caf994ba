import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { BUSINESS, openView } from '../test/support/payment-page-data.ts'
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
