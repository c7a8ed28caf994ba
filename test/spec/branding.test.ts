import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { businessCommand } from '../../server/businesses/business-command.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// PAG-33: payers see what a business sets, and the logo comes from the form's own origin.

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let service: TestService
let merchant: Merchant
let folder: string
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  folder = mkdtempSync(join(tmpdir(), 'rialto-branding-'))
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

/** Runs the command beside the service, whose payers see the change within a second. */
async function set(...args: string[]): Promise<string> {
  const said = await businessCommand(service.app.services, ['set', '--business', service.demo.business_id, ...args])
  service.app.services.merchants.forget()
  return said
}

async function page(token: string) {
  const response = await fetch(`${service.formUrl}/customer/checkout/${token}`, {
    headers: { 'accept-language': 'de' },
    signal: AbortSignal.timeout(10_000),
  })
  return { html: await response.text(), policy: response.headers.get('content-security-policy') ?? '' }
}

async function logoOf(token: string): Promise<string> {
  return (await payerOf(service).data(token)).body.business.logo_url
}

function setLogo(bytes: Buffer): Promise<string> {
  const file = join(folder, 'logo.png')
  writeFileSync(file, bytes)
  return set('--logo', file)
}

test('the logo is on the page and in the data, from our own origin, and no picture of others is allowed', async () => {
  await setLogo(PNG)
  const token = await merchant.sessionToken()
  const url = await logoOf(token)
  match(url, new RegExp(`^${service.formUrl}/logos/${service.demo.business_id}\\?v=[0-9a-f]{16}$`))
  const { html, policy } = await page(token)
  equal(html.includes(`src="${url.replace('=', '&#61;')}"`), true)
  match(policy, /img-src 'self' data:;/)
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  deepEqual([response.status, Buffer.from(await response.arrayBuffer()).equals(PNG)], [200, true])
  const header = (name: string) => response.headers.get(name)
  deepEqual(
    [
      header('content-type'),
      header('cache-control'),
      header('x-content-type-options'),
      header('content-security-policy'),
    ],
    ['image/png', 'public, max-age=31536000, immutable', 'nosniff', "default-src 'none'"],
  )
})

test('another logo has another URL; under the old one nothing is kept for ever', async () => {
  await setLogo(PNG)
  const token = await merchant.sessionToken()
  const url = await logoOf(token)
  await setLogo(Buffer.concat([PNG, Buffer.from([0])]))
  const newer = await logoOf(token)
  equal(newer === url, false)
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-cache'])
  await response.arrayBuffer()
  await set('--logo', '')
  equal(await logoOf(token), null)
  const gone = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  equal(gone.status, 404)
  await gone.arrayBuffer()
})

test('a business that sets one colour scheme gets it on every device', async () => {
  const token = await merchant.sessionToken()
  for (const [scheme, meta, condition] of [
    ['light', 'light', 'not all'],
    ['dark', 'dark', 'all'],
    ['auto', 'light dark', '(prefers-color-scheme: dark)'],
  ] as const) {
    await set('--color-scheme', scheme)
    const { html } = await page(token)
    equal(html.includes(`<meta name="color-scheme" content="${meta}">`), true, scheme)
    equal(html.includes(`color-scheme: ${meta};`), true, scheme)
    equal(html.includes(`@media ${condition}`), true, scheme)
    equal(html.includes('prefers-color-scheme'), scheme === 'auto', scheme)
  }
})

test('corners and fonts are those that were set, and nothing is loaded for them', async () => {
  const token = await merchant.sessionToken()
  const { policy: before } = await page(token)
  for (const [radius, font, list] of [
    [0, 'serif', 'Charter,'],
    [16, 'geometric', 'Avenir,'],
    [10, 'system', 'system-ui,'],
  ] as const) {
    await set('--corner-radius', String(radius), '--font-stack', font)
    const { html, policy } = await page(token)
    equal(html.includes(`--radius:${radius}px;--font:${list}`), true, font)
    equal(policy.replace(/nonce-[^']+/g, ''), before.replace(/nonce-[^']+/g, ''))
    const { business } = (await payerOf(service).data(token)).body
    deepEqual([business.corner_radius, business.font_stack], [radius, font])
  }
})

test('brand colour, name, links and language are those that were set', async () => {
  await set('--name', 'Kiosk', '--brand-color', '#7a1f5c', '--locale', 'es', '--support-email', 'help@kiosk.example')
  await set('--privacy-url', 'https://kiosk.example/privacy')
  const { html } = await page(await merchant.sessionToken())
  for (const text of [
    '--brand:#7a1f5c',
    '<html lang="es"',
    'Pagar a Kiosk',
    'help@kiosk.example',
    'https://kiosk.example/privacy',
  ])
    equal(html.includes(text), true, text)
})
