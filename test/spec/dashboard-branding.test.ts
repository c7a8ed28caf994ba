import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { pngOf } from '../support/images.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

const settings = async () => (await owner.call('GET /settings')).body
const previewOf = (query: object) =>
  fetch(
    `${service.formUrl}/dashboard/api/b/${service.demo.business_id}/branding/preview?${new URLSearchParams({
      ...{ locale: 'en', state: 'open', surface: 'hosted' },
      ...query,
    })}`,
    { headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' } },
  )
const lastEntry = () =>
  service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow()

describe('The look of the payment page', () => {
  const PNG = Buffer.concat([pngOf({ width: 400, height: 160 }), Buffer.alloc(50_000)])

  test('changes its logo, shape and colours, of which a pale one is refused with the nearest that can be seen', async () => {
    const { version } = await settings()
    const pale = await owner.call('PATCH /branding', { body: { version, brand_color: '#ffff00' } })
    deepEqual([pale.status, pale.body.error.param], [422, 'brand_color'])
    match(pale.body.error.message, /#[0-9a-f]{6} is the nearest/)
    for (const [wrong, param] of [
      [{ corner_radius: 17 }, 'corner_radius'],
      [{ corner_radius: 2.5 }, 'corner_radius'],
      [{ font_stack: 'Papyrus' }, 'font_stack'],
    ] as const) {
      const refused = await owner.call('PATCH /branding', { body: { version, ...wrong } })
      deepEqual([refused.status, refused.body.error.param], [422, param])
    }
    const look = { brand_color: '#0f5c4d', color_scheme: 'dark', corner_radius: 4, font_stack: 'humanist' }
    const change = { ...look, logo: PNG.toString('base64') }
    const { status, body } = await owner.call('PATCH /branding', { body: { version, ...change } })
    equal(status, 200, JSON.stringify(body))
    for (const [member, value] of Object.entries(look)) equal(body[member], value)
    deepEqual(Object.keys((await lastEntry()).after as object).sort(), [...Object.keys(look), 'logo'].sort())
    match(body.logo_url, /\/logos\/.+\?v=[0-9a-f]{16}$/)
    deepEqual(Buffer.from(await (await fetch(body.logo_url)).arrayBuffer()), PNG)
  })

  test('refuses a logo of another kind, and one that is too large, as a draft too', async () => {
    const { version } = await settings()
    const files = {
      'must be a PNG or JPEG image': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9"/></svg>'),
      'must be 64 KiB at most': Buffer.concat([PNG, Buffer.alloc(16_000)]),
      'must be at most 2,000 pixels wide and high': pngOf({ width: 5_000, height: 5_000, color: 0, depth: 1 }),
      'must be the file in base64': 'not base64',
    }
    for (const [text, file] of Object.entries(files)) {
      const logo = typeof file === 'string' ? file : file.toString('base64')
      for (const refused of [
        await owner.call('PATCH /branding', { body: { version, logo } }),
        await owner.call('POST /branding/drafts', { body: { logo } }),
      ]) {
        deepEqual([refused.status, refused.body.error.param], [422, 'logo'])
        match(refused.body.error.message, new RegExp(text))
      }
    }
    const draft = await owner.call('POST /branding/drafts', { body: { logo: PNG.toString('base64') } })
    ok((await (await previewOf({ draft: draft.body.id })).text()).includes('data:image/png;base64,'))
  })

  test('is previewed by the renderer of the page itself, without a script, for the person alone', async () => {
    const draft = { brand_color: '#7a1fa2', color_scheme: 'light', corner_radius: 0, font_stack: 'serif', logo: null }
    const made = await owner.call('POST /branding/drafts', { body: draft })
    equal(made.status, 200, JSON.stringify(made.body))
    const { id, color } = made.body
    deepEqual([color.is_accepted, color.nearest, color.text_color], [true, '#7a1fa2', '#ffffff'])
    const preview = (query: object) => previewOf({ draft: id, ...query })
    const words = { en: /Sample item/, 'fr-CA': /Article d’exemple/, es: /Artículo de ejemplo/ }
    for (const [locale, word] of Object.entries(words)) {
      for (const surface of ['hosted', 'rapid']) {
        const response = await preview({ locale, surface })
        const page = await response.text()
        equal(response.status, 200)
        ok(surface === 'rapid' || word.test(page), `${locale} ${surface}`)
        ok(page.includes(`<html lang="${locale}"`) && page.includes('--brand:#7a1fa2'))
        ok(page.includes('--radius:0px;--font:Charter,'))
        equal(/<script(?! type="application\/json")/.test(page), false)
        const policy = response.headers.get('content-security-policy') ?? ''
        match(policy, /default-src 'none'; style-src 'nonce-[^']+'.*frame-ancestors 'self'; sandbox$/)
        equal(policy.includes('script-src'), false)
      }
    }
    for (const state of ['paid', 'expired', 'failed']) {
      ok((await (await preview({ state })).text()).includes(`data-state="${state}"`))
    }
    const declines = { en: /declined/, 'fr-CA': /refusé/, es: /rechaz/ }
    for (const [locale, word] of Object.entries(declines)) {
      const page = await (await preview({ locale, state: 'declined' })).text()
      const [, alert = ''] = /<div id="alert"[^>]*>(.*?)<\/div>/s.exec(page) ?? []
      match(alert, word)
      match(alert, /id="attempts-left">[^<]*2/)
      ok(page.includes('data-state="open"'))
    }
    equal(/<div id="alert"[^>]*><\/div>/.test(await (await preview({})).text()), true)
    equal((await preview({ draft: newId() })).status, 404)
    const admin = await signIn(service, { role: 'admin' })
    const foreign = await admin.call('GET /branding/preview', {
      query: { draft: id, locale: 'en', state: 'open', surface: 'hosted' },
    })
    equal(foreign.status, 404)
    const pale = await owner.call('POST /branding/drafts', { body: { brand_color: '#ffff00' } })
    deepEqual([pale.status, pale.body.color.is_accepted], [200, false])
    equal((await owner.call('POST /branding/drafts', { body: { brand_color: 'red' } })).status, 422)
  })
})
