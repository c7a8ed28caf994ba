import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { authenticated, requireThreeDs } from '../support/authentication.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'

describeDashboardInDom('3-D Secure and Google Pay in the dashboard', ({ open, service }) => {
  test('a payment says how its payer was authenticated, and its session what was tried', async () => {
    await requireThreeDs(service)
    const token = await merchantOf(service).sessionToken()
    await authenticated(service, { token, row: { state: 'FAILED', trans_status: 'N', eci: '07' } })
    const { dsTransactionId } = await authenticated(service, { token, row: { challenged_at: new Date() } })
    equal((await payerOf(service).pay(token)).body.ok, true)
    const { page, client } = await open({ path: 'payments' })
    const [{ id, session }] = (await client.call('GET /payments')).body.data
    const businessPath = new URL(page.url()).pathname.replace(/\/payments.*/, '')
    await page.goto(new URL(`${businessPath}/payments/${id}`, page.url()).href)
    const card = page.getByRole('region', { name: '3-D Secure' })
    await card.getByText('Authenticated (Y)').waitFor()
    const shown = await card.innerText()
    match(shown, /Liability for fraud\s+With the issuer[\s\S]*Challenge\s+Yes[\s\S]*ECI\s+05[\s\S]*Version\s+2\.2\.0/)
    match(shown, new RegExp(dsTransactionId))
    await page.getByText('3-D Secure with a challenge: Authenticated').waitFor()
    await page.goto(new URL(`${businessPath}/sessions/${session}`, page.url()).href)
    const tried = page.getByRole('table', { name: '3-D Secure' })
    match(await tried.innerText(), /Not authenticated \(N\)[\s\S]*Authenticated \(Y\)/)
  })

  test('the keys of Google Pay are added and retired by hand', async () => {
    const { page, client } = await open({ path: 'settings/payments' })
    const { version } = (await client.call('GET /settings')).body
    const on = { google_pay_enabled: true, google_pay_merchant_id: 'BCR2DN4T' }
    equal((await client.call('PATCH /settings', { body: { version, ...on } })).status, 200)
    await page.reload()
    const keys = page.getByRole('region', { name: 'Keys of Google Pay' })
    await keys.getByRole('button', { name: 'Add a key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add a key' }).click()
    await keys.getByText('Active').first().waitFor()
  })
})
