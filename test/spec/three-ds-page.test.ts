import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { type Merchant, merchantOf, send } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// The page of a session that may need 3-D Secure.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  // Before the first call, so that no caller is cached without it.
  await setBusiness(service, { surcharge_rate_bp: 240 })
  merchant = merchantOf(service)
})
after(() => service.close())

const framesOf = async (session: Record<string, unknown> = {}) => {
  const token = await merchant.sessionToken(session)
  const { headers } = await fetch(`${service.formUrl}/customer/checkout/${token}`)
  const rules = (headers.get('content-security-policy') ?? '').split('; ')
  return rules.filter((rule) => rule.startsWith('frame-src'))
}

describe('the policy of the payment page (TDS-5)', () => {
  test('frames its own origin where 3-D Secure may run, and nothing elsewhere', async () => {
    deepEqual(await framesOf(), [])
    await setBusiness(service, { three_ds_enabled: true })
    for (const ui_mode of ['hosted', 'embedded']) deepEqual(await framesOf({ ui_mode }), ["frame-src 'self'"], ui_mode)
  })

  test('frames nothing for an amount that needs no authentication, not even with the surcharge', async () => {
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: 2_600 })
    deepEqual(await framesOf({ amount_total: 25.5 }), [])
    deepEqual(await framesOf({ amount_total: 26 }), [])
    deepEqual(await framesOf({ amount_total: 26.01 }), ["frame-src 'self'"])
    deepEqual(await framesOf({ amount_total: 25.5, surcharge: true }), ["frame-src 'self'"])
  })

  test('of a closed session frames nothing', async () => {
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: null })
    const token = await merchant.sessionToken()
    await merchant.cancel(token)
    const page = await fetch(`${service.formUrl}/customer/checkout/${token}`)
    equal(page.status, 200)
    equal((page.headers.get('content-security-policy') ?? '').includes('frame-src'), false)
    match(await page.text(), /data-state="cancelled"/)
  })
})

const FIELDS = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001', country: 'US' }
const TEXTS = {
  en: 'Your bank’s security check needs JavaScript.',
  'fr-CA': 'La vérification de sécurité de votre banque exige JavaScript.',
  es: 'La verificación de seguridad de su banco necesita JavaScript.',
}

describe('a browser without JavaScript (TDS-5, PAG-1)', () => {
  const textsIn = (html: string) => Object.values(TEXTS).filter((text) => html.includes(text))
  const open = async (token: string, init: RequestInit = {}, query = '') =>
    String((await send(`${service.formUrl}/customer/checkout/${token}${query}`, init)).body)
  const post = (token: string, fields: Record<string, string>) =>
    open(token, { method: 'POST', body: new URLSearchParams(fields) })

  test('shows that JavaScript is needed, in the page’s language, only where 3-D Secure may run', async () => {
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: 2_600 })
    const token = await merchant.sessionToken({ amount_total: 26.01 })
    for (const [locale, text] of Object.entries(TEXTS))
      deepEqual(textsIn(await open(token, {}, `?locale=${locale}`)), [text], locale)
    deepEqual(textsIn(await open(await merchant.sessionToken({ amount_total: 26 }))), [])
  })

  test('cannot post such a payment: nothing is sent, nothing is kept, no attempt is counted', async () => {
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: null })
    for (const fields of [FIELDS, { ...FIELDS, email: 'ana@example.com' }, { cardnumber: 'x' }, {}]) {
      const token = await merchant.sessionToken()
      const html = await post(token, fields)
      match(html, /<div id="alert" class="alert" role="alert" tabindex="-1"><p>Your bank’s security check needs/)
      equal(html.split(TEXTS.en).length, 2, 'once')
      equal(html.includes(CARDS.visa), false)
      const { session_status, attempt_count, customer_id } = (await merchant.details(token)).body.checkout_session
      deepEqual([session_status, attempt_count, customer_id], ['PENDING', 0, null])
    }
    deepEqual(await service.simulator.rows(), [])
  })

  test('posts to a closed session and sees that it is closed', async () => {
    const token = await merchant.sessionToken()
    await merchant.cancel(token)
    match(await post(token, FIELDS), /data-state="cancelled"/)
  })

  test('pays as before where no authentication is needed', async () => {
    await setBusiness(service, { three_ds_enabled: true, three_ds_above: 2_600 })
    match(await post(await merchant.sessionToken({ amount_total: 26 }), FIELDS), /data-state="approved"/)
    equal((await service.simulator.rows()).length, 1)
  })
})
