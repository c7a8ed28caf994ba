import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { transaction } from '../../server/db/transaction.ts'
import { issueInvoices } from '../../server/emails/invoices/invoice-queries.ts'
import type { NewLetter } from '../../server/emails/letter.ts'
import { insertLetters } from '../../server/emails/letter-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { faultsInLightAndDark } from '../support/accessibility.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { exampleInvoiceData } from '../support/example-invoice.ts'
import { openLife } from '../support/life.ts'
import { send } from '../support/merchant.ts'
import { newLetter } from '../support/new-letter.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const PICTURES = process.env.RIALTO_PICTURES

/** HTML of a letter that tries everything that a mail client must not allow. */
const HOSTILE = `<!doctype html><html><head><style>h1{color:rgb(1,2,3)}</style>
<script>parent.document.title='taken'</script><meta http-equiv="refresh" content="0;url=https://evil.example/"></head>
<body onload="parent.document.title='taken'"><h1>Payment received</h1><img src="https://evil.example/p.gif" alt="">
<img src="x" onerror="top.location='https://evil.example/'" alt=""><form action="https://evil.example/"><input name="a"></form>
<a href="https://shop.example/plan">Your plan</a></body></html>`

describeWithBrowser('The mailbox (LTR-15)', openWithLetters, ({ browser, world }) => {
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const asked: Request[] = []
    const complaints: string[] = []
    page.on('request', (one) => void asked.push(one))
    page.on('pageerror', (error) => void complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const response = await page.goto(world.formUrl + path)
    return { page, asked, complaints, response, [Symbol.asyncDispose]: () => context.close() }
  }
  test('fits a desk and a phone, light and dark, and axe finds nothing', async () => {
    for (const [name, path] of [
      ['list', '/mailbox'],
      ['letter', `/mailbox/${world.paid.id}`],
    ] as const) {
      await using opened = await open(path, { bypassCSP: true })
      for (const [device, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
        await opened.page.setViewportSize(viewport)
        equal(await opened.page.evaluate('document.documentElement.scrollWidth'), viewport.width, `${name}, ${device}`)
        deepEqual(await faultsInLightAndDark(opened.page), [], `${name}, ${device}`)
        await picture(opened.page, `mailbox-${name}-${device}`)
      }
    }
  })

  test('lists letters, newest first, in pages, with recipient, business, kind, status and the time of the business; by keyboard to a letter and back', async () => {
    await using opened = await open('/mailbox')
    const { page, complaints } = opened
    const first = page.getByRole('listitem').first()
    match(
      await first.innerText(),
      /Payment received[\s\S]*Kept[\s\S]*To ana@customer\.example[\s\S]*Nov 22, 2026, 10:00 AM[\s\S]*Demo Shop · payment succeeded, to the customer/,
    )
    equal(await page.getByRole('listitem').count(), 25)
    await page.getByRole('link', { name: 'Older letters' }).click()
    equal(await page.getByRole('listitem').count(), 6)
    equal(await page.getByRole('link', { name: 'Older letters' }).count(), 0)
    await page.getByRole('link', { name: 'Newest letters' }).click()
    equal(await page.getByRole('listitem').count(), 25)
    await page.goto(`${world.formUrl}/mailbox`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor()
    await page.keyboard.press('Tab')
    equal(await page.evaluate('document.activeElement.textContent'), 'All letters')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
    deepEqual(complaints, [])
  })

  test('shows a letter as HTML and as text, without its scripts, pictures of others, forms or redirects; its link opens another tab', async () => {
    await using opened = await open(`/mailbox/${world.hostile.id}`)
    const { page, asked } = opened
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Payment received' }).waitFor()
    equal(await frame.getByRole('heading').evaluate((heading) => getComputedStyle(heading).color), 'rgb(1, 2, 3)')
    await page.waitForTimeout(300)
    match(await page.title(), /^<b>Payment/)
    equal(page.url(), `${world.formUrl}/mailbox/${world.hostile.id}`)
    deepEqual(
      asked.filter((one) => !one.url().startsWith(world.formUrl)).map((one) => one.failure()?.errorText),
      ['csp'],
    )
    match(await page.locator('pre').innerText(), /<script>alert\(1\)<\/script>/)
    equal(await page.locator('script, pre b, h1 b').count(), 0)
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Your plan' }).click(),
    ])
    ok(popup)
    equal(page.url(), `${world.formUrl}/mailbox/${world.hostile.id}`)
  })

  test('shows the invoice of a letter', async () => {
    const { body } = await send(`${world.formUrl}/mailbox/${world.paid.id}`)
    const [, href] = /<a [^>]*href="([^"]+)"[^>]*>Invoice \(PDF\)/.exec(String(body)) ?? []
    const response = await fetch(world.formUrl + href)
    equal(response.headers.get('content-type'), 'application/pdf')
    match(response.headers.get('content-disposition') ?? '', /^inline; filename="INV-\d+\.pdf"$/)
    match(Buffer.from(await response.arrayBuffer()).toString('latin1'), /^%PDF-/)
    equal((await fetch(`${world.formUrl}/mailbox/${world.hostile.id}/invoice.pdf`)).status, 404)
  })

  test('has policies that let no script run, and nothing frame it', async () => {
    const { headers } = await send(`${world.formUrl}/mailbox`)
    match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'nonce-[\w+/=]+'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    equal(headers.get('cache-control'), 'no-store')
    const letter = await send(`${world.formUrl}/mailbox/${world.paid.id}/html`)
    const policy = letter.headers.get('content-security-policy') ?? ''
    match(policy, /^sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none';/)
    ok(!policy.includes('allow-scripts'))
  })

  test('says so when there is no such letter', async () => {
    for (const path of [
      `/mailbox/${newId()}`,
      '/mailbox/x',
      `/mailbox/${newId()}/html`,
      `/mailbox/${newId()}/invoice.pdf`,
    ])
      equal((await send(world.formUrl + path)).status, 404, path)
  })

  test('is for this machine alone: not for a rebound name, nor through a proxy that is not known', async () => {
    const paths = ['/mailbox', `/mailbox/${world.paid.id}`, `/mailbox/${world.paid.id}/html`]
    for (const path of [...paths, `/mailbox/${world.paid.id}/invoice.pdf`]) {
      equal(await statusOf(path, { host: 'evil.example' }), 404, path)
      equal(await statusOf(path, { 'x-forwarded-for': '203.0.113.7' }), 404, path)
      equal(await statusOf(path, { 'x-real-ip': '127.0.0.1' }), 404, path)
      equal(await statusOf(path, { host: 'localhost:9000' }), 200, path)
    }
  })

  test('does not exist in production, nor where letters of staging were', async () => {
    await using production = await openService({ beside: world.service, config: { environment: 'production' } })
    for (const path of ['/mailbox', `/mailbox/${world.paid.id}`])
      equal((await send(production.formUrl + path)).status, 404, path)
  })

  test('behind a known proxy is shown to callers from this machine only', async () => {
    const config = { trustedProxies: ['127.0.0.1'], dashboardUrl: 'https://form.staging.example' }
    await using behind = await openService({ beside: world.service, config })
    const { port } = behind.app.form.server.address() as AddressInfo
    const asked = (headers: Record<string, string>) => statusOf('/mailbox', headers, `http://127.0.0.1:${port}`)
    equal(await asked({ host: 'form.staging.example', 'x-forwarded-for': '203.0.113.7' }), 404)
    equal(await asked({ host: 'form.staging.example', 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }), 404)
    equal(await asked({ host: 'form.staging.example', 'x-forwarded-for': '127.0.0.1' }), 200)
  })

  /** Returns the status of a request with a custom Host header, which `fetch` does not send. */
  function statusOf(path: string, headers: Record<string, string>, base = world.formUrl): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(base + path, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject).end()
    })
  }
})

describeWithBrowser('The letters of a subscription', openWithSubscription, ({ browser, world }) => {
  test('are seen in the mailbox on a desk and a phone, with the invoice', async () => {
    const page = await browser.newPage({ viewport: DESK })
    await page.goto(`${world.formUrl}/mailbox`)
    await picture(page, 'mailbox-subscription')
    await page.getByRole('link', { name: 'Your subscription with Demo Shop' }).click()
    await page.frameLocator('iframe').getByRole('heading').first().waitFor()
    for (const [device, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
      await page.setViewportSize(viewport)
      equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, device)
      await picture(page, `mailbox-created-${device}`)
    }
    match(await page.locator('pre').innerText(), /\$25\.00/)
    const href = await page.getByRole('link', { name: 'Invoice (PDF)' }).getAttribute('href')
    equal((await fetch(world.formUrl + href)).headers.get('content-type'), 'application/pdf')
    await page.close()
  })
})

async function openWithSubscription() {
  const life = await openLife('2027-01-31T15:00:00Z')
  await life.subscribe('Ana', { amount: 2_500, interval: 'month' })
  await life.until('2027-02-01')
  return { formUrl: life.service.formUrl, close: async () => life[Symbol.asyncDispose]() }
}

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
}

async function openWithLetters() {
  const service = await openService()
  const { db } = service.app.services
  await service.app.startWorker()
  const businessId = service.demo.business_id
  await db.updateTable('business').set({ time_zone: 'America/Toronto' }).where('id', '=', businessId).execute()
  const write = (change: Partial<NewLetter>) =>
    transaction(db, async (tx) => {
      const letter = newLetter({ businessId, ...change })
      await insertLetters(tx, [letter])
      return letter
    })
  for (let n = 1; n <= 29; n++) await write({ subject: `Your plan renews on December ${n}`, kind: 'upcoming_renewal' })
  const hostile = await write({
    html: HOSTILE,
    text: '<script>alert(1)</script> <b>bold</b>',
    subject: '<b>Payment</b> received',
  })
  const [invoice] = await transaction(db, (tx) =>
    issueInvoices(tx, businessId, [
      {
        subscriptionId: newId(),
        paymentId: newId(),
        data: exampleInvoiceData(),
        logo: null,
        issuedAt: new Date('2026-11-22T15:00:00Z'),
      },
    ]),
  )
  const paid = await write({
    subject: 'Payment received',
    html: '<!doctype html><html><head></head><body><h1>Payment received</h1><p>You paid $25.50.</p></body></html>',
    invoiceId: invoice?.id ?? null,
    replyTo: 'help@shop.example',
  })
  await until('the letters are kept', async () => {
    const { pending } = await db
      .selectFrom('letter')
      .select(({ fn }) => fn.countAll<number>().as('pending'))
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    return Number(pending) === 0
  })
  return { service, formUrl: service.formUrl, hostile, paid, close: () => service.close() }
}
