import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listRecipientKeys } from '../../server/google-pay/recipient-key-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { XSS_PAYLOADS } from '../support/xss-payloads.ts'

// Settings of the dashboard: how payers authenticate, their wallets, and the look of their page.

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

const NO_GOOGLE_PAY = { google_pay_enabled: false, google_pay_merchant_id: null, google_pay_cryptogram_only: false }

const settings = async () => (await owner.call('GET /settings')).body
const lastEntry = () =>
  service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow()

describe('The settings', () => {
  test('of 3-D Secure and Google Pay change as given, and are audited', async () => {
    const { version } = await settings()
    const change = {
      three_ds_above: 10_000,
      google_pay_enabled: true,
      google_pay_merchant_id: 'BCR2DN4TXXXXXXXX',
      google_pay_cryptogram_only: true,
    }
    const changed = await owner.call('PATCH /settings', { body: { version, ...change } })
    equal(changed.status, 200, JSON.stringify(changed.body))
    const { before: old, after: next } = await lastEntry()
    deepEqual([old, next], [{ ...NO_GOOGLE_PAY, three_ds_above: null }, change])
    const { business_id: businessId } = service.demo
    const keys = await listRecipientKeys(service.app.services.db, { businessId, environment: 'staging' })
    equal(keys.length, 1, 'GPY-10: the first key is made')
    const asBefore = { ...NO_GOOGLE_PAY, three_ds_above: null }
    const back = await owner.call('PATCH /settings', { body: { version: changed.body.version, ...asBefore } })
    equal(back.body.version, version)
    const analyst = await signIn(service, { role: 'analyst' })
    const refused = await analyst.call('PATCH /settings', { body: { version, ...change } })
    equal(refused.body.error.code, 'permission_denied')
  })

  test('that break a rule are refused by name, and nothing changes', async () => {
    const found = await settings()
    for (const [change, param] of [
      [{ three_ds_enabled: 'yes' }, 'three_ds_enabled'],
      [{ three_ds_above: -1 }, 'three_ds_above'],
      [{ three_ds_above: 12.5 }, 'three_ds_above'],
      [{ three_ds_above: 100_000_000 }, 'three_ds_above'],
      [{ google_pay_enabled: null }, 'google_pay_enabled'],
      [{ google_pay_merchant_id: 'merchant:1' }, 'google_pay_merchant_id'],
      [{ google_pay_merchant_id: 'A'.repeat(65) }, 'google_pay_merchant_id'],
    ] as const) {
      const { status, body } = await owner.call('PATCH /settings', { body: { version: found.version, ...change } })
      deepEqual([status, body.error.param], [422, param], JSON.stringify(body))
    }
    deepEqual(await settings(), found)
  })
})

describe('The keys of Google Pay (GPY-10)', () => {
  const keys = async () => (await owner.call('GET /google_pay_keys')).body.data

  test('are added and retired with a fresh proof, two at most; their private parts are never shown', async () => {
    const plain = await signIn(service)
    const asked = await plain.call('POST /google_pay_keys')
    deepEqual([asked.status, asked.body.error.code], [403, 'step_up_required'])
    const withoutKey = await owner.call('POST /google_pay_keys', { key: 'short' })
    deepEqual([withoutKey.status, withoutKey.body.error.param], [422, 'Idempotency-Key'])
    for (let count = (await keys()).length; count < 2; count++) {
      const key = newId()
      const [one, again] = [
        await owner.call('POST /google_pay_keys', { key }),
        await owner.call('POST /google_pay_keys', { key }),
      ]
      deepEqual([one.status, again.status, again.body], [201, 201, one.body])
      equal((await keys()).length, count + 1)
    }
    const { action, object_id, after: shown } = await lastEntry()
    const [newest, oldest] = await keys()
    deepEqual([action, object_id], ['google_pay_key.create', newest.id])
    deepEqual((shown as { public_key: string }).public_key, newest.public_key)
    equal(Buffer.from(newest.public_key, 'base64').length, 65)
    deepEqual(Object.keys(newest).sort(), ['created', 'id', 'object', 'public_key', 'retired_at', 'status'])
    equal((await owner.call('POST /google_pay_keys')).body.error.code, 'conflict')
    const retired = await owner.call(`POST /google_pay_keys/${oldest.id}/retire`)
    deepEqual([retired.status, retired.body.status, retired.body.id], [200, 'retired', oldest.id])
    equal((await lastEntry()).action, 'google_pay_key.retire')
    equal((await owner.call(`POST /google_pay_keys/${oldest.id}/retire`)).status, 404)
    equal((await owner.call(`POST /google_pay_keys/${newest.id}/retire`)).body.error.code, 'conflict')
    equal((await owner.call('POST /google_pay_keys/x/retire')).status, 404)
  })

  test('belong to one business, and are changed by owners and admins', async () => {
    const [{ id }] = await keys()
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
    deepEqual((await stranger.call('GET /google_pay_keys')).body.data, [])
    equal((await stranger.call(`POST /google_pay_keys/${id}/retire`)).status, 404)
    const developer = await signIn(service, { role: 'developer', isSteppedUp: true })
    equal((await developer.call('GET /google_pay_keys')).body.data[0].id, id)
    equal((await developer.call('POST /google_pay_keys')).body.error.code, 'permission_denied')
  })
})

describe('3-D Secure without a server for it', () => {
  test('is not switched on: the refusal names the variable', async () => {
    await using production = await openService({ config: { environment: 'production' } })
    const client = await signIn(production)
    const { version, view } = (await client.call('GET /settings')).body
    equal(view.has_three_ds_server, false)
    const { status, body } = await client.call('PATCH /settings', { body: { version, three_ds_enabled: true } })
    deepEqual([status, body.error.param], [422, 'three_ds_enabled'])
    match(body.error.message, /THREE_DS_SERVER_URL/)
    equal((await client.call('GET /settings')).body.three_ds_enabled, false)
    const off = await client.call('PATCH /settings', { body: { version, three_ds_enabled: false } })
    equal(off.status, 200)
  })
})

describe('The look of the payment page', () => {
  test('takes no colour, logo or address that is more than that', async () => {
    const { version } = await settings()
    const colors = [
      '#fff;}',
      '#7a1fa2;x:1',
      'red',
      'url(x)',
      '#7a1fa',
      '</style>',
      'javascript:alert(1)',
      `#${'1'.repeat(9_000)}`,
    ]
    const logos = [
      'data:image/png;base64,iVBORw0KGgo=',
      'https://evil.example/x.png',
      'javascript:alert(1)',
      '</style>',
      '"onload="',
      'A'.repeat(96_001),
    ]
    const looks = [
      ...colors.map((brand_color) => ({ brand_color })),
      ...logos.map((logo) => ({ logo })),
      { color_scheme: 'dark</style>' },
    ]
    for (const look of looks) {
      const [field] = Object.keys(look)
      for (const [name, body] of [
        ['POST /branding/drafts', look],
        ['PATCH /branding', { version, ...look }],
      ] as const) {
        const refused = await owner.call(name, { body })
        deepEqual([refused.status, refused.body.error?.param], [422, field], JSON.stringify(look).slice(0, 100))
      }
    }
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'JaVaScRiPt:alert(1)',
      'vbscript:x',
      '//evil.example',
      ' javascript:alert(1)',
    ])
      for (const field of ['terms_url', 'privacy_url']) {
        const refused = await owner.call('PATCH /settings', { body: { version, [field]: url } })
        deepEqual([refused.status, refused.body.error?.param], [422, field], url)
      }
    equal((await settings()).version, version)
  })

  test('is previewed with hostile names, numbers and addresses of the business as text (DSH-21)', async () => {
    const { db } = service.app.services
    const { id } = (await owner.call('POST /branding/drafts', { body: {} })).body
    const given = await db
      .selectFrom('business')
      .selectAll()
      .where('id', '=', service.demo.business_id)
      .executeTakeFirstOrThrow()
    const preview = (state: string) =>
      owner.call('GET /branding/preview', { query: { draft: id, locale: 'en', state, surface: 'hosted' } })
    const fill = (text: string) =>
      db
        .updateTable('business')
        .set({ name: text, support_phone: text, support_email: text, terms_url: text, privacy_url: text })
        .where('id', '=', given.id)
        .execute()
    await fill('https://shop.example')
    const plain = { open: tagsOf((await preview('open')).body), failed: tagsOf((await preview('failed')).body) }
    for (const payload of [
      ...XSS_PAYLOADS,
      '</style><style>*{display:none}</style>',
      '\u202Eevil\u2066',
      'W'.repeat(255),
    ]) {
      await fill(payload)
      for (const state of ['open', 'failed'] as const) {
        const { status, body } = await preview(state)
        equal(status, 200)
        deepEqual(tagsOf(body), plain[state], payload)
      }
    }
    const { name, support_phone, support_email, terms_url, privacy_url } = given
    await db.updateTable('business').set({ name, support_phone, support_email, terms_url, privacy_url }).execute()
  })
})

/** Returns the start tags, in order. */
const tagsOf = (page: string) => page.match(/<[a-z!/][^\s>]*/gi)
