import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'

// The page of a session that may need 3-D Secure.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  // Before the first call, so that no caller is remembered without it.
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
