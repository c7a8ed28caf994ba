import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { lettersOf, setLetters } from '../support/letters.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { storeCard } from '../support/stored-card.ts'

// LTR-13: everything that merchants and customers write arrives as text, and never in a header.

const MARKUP = `<img src=x onerror=alert(1)>"'&{{subject}}</td><a href="https://evil.example">`
const HEADER = 'Eve, <a@b.example>, "x" Bcc: victim@example.com'

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

test('names of product, customer and business are text in the HTML, and one line everywhere', async () => {
  const api = merchantApiOf(service)
  // The API refuses line breaks in names; rows that are older than that rule, or written directly, do no harm either.
  await setLetters(service, {
    name: `Shop\r\nBcc: victim@example.com ${MARKUP}`,
    sender_name: `Shop\r\nX: y`,
    notified_emails: ['o@shop.example'],
  })
  const { customerId: customer, cardId: payment_method } = await storeCard(service, 'eve@example.com')
  equal((await api.patch(`/customers/${customer}`, { name: HEADER })).status, 200)
  const { id: product } = await api.made('/products', { name: MARKUP })
  const { id: price } = await api.made('/prices', { product, unit_amount: 1234, recurring: { interval: 'month' } })
  const { latest_payment: payment } = await api.made('/subscriptions', { customer, payment_method, price })
  await api.made('/refunds', { payment })
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  const letters = await lettersOf(service)
  deepEqual(
    letters.map(({ kind, recipient }) => `${kind} ${recipient}`),
    [
      'subscription_created eve@example.com',
      'payment_succeeded eve@example.com',
      'payment_succeeded o@shop.example',
      'refund eve@example.com',
    ],
  )
  for (const { kind, subject, sender_name, html, body_text } of letters) {
    doesNotMatch(`${subject}${sender_name}`, /[\p{Cc}\p{Zl}\p{Zp}]/u, kind)
    doesNotMatch(html, /<img src=x|<a href="https:\/\/evil/, kind)
    match(html, /&lt;img src&#x3D;x onerror&#x3D;alert\(1\)&gt;/, kind)
    doesNotMatch(body_text, /^Bcc|\r/m, kind)
    match(body_text, /\{\{subject\}\}/, kind)
  }
  match(letters[2]?.html ?? '', /Eve, &lt;a@b\.example&gt;/)
  equal(letters[0]?.sender_name, 'Shop X: y')
})
