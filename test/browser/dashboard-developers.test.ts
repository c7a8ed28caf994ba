import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { merchantOf } from '../support/merchant.ts'

/** Returns the secret of the open dialog, and closes it. */
async function takeSecret(page: Page): Promise<string> {
  const secret = (await page.locator('code.secret').first().textContent()) ?? ''
  await page.getByRole('checkbox', { name: /stored/i }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('code.secret').first().waitFor({ state: 'detached' })
  return secret
}

/** Asserts that from now on neither the page nor its storage nor any response contains the secret. */
function watchSecret(page: Page, secret: string) {
  const later: Promise<string>[] = []
  page.on('response', (response) => void later.push(response.text().catch(() => '')))
  return async (shown: string) => {
    const bodies = (await Promise.all(later)).join()
    ok(bodies.includes(shown) && !bodies.includes(secret), 'no later call shows it')
    const kept = await page.evaluate(
      () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }),
    )
    equal(kept.includes(secret), false)
  }
}

describeDashboard(
  'Developers in the dashboard',
  ({ service, open }) => {
    test("JRN-34: a client's origin is changed: the old shop can no longer frame the payment page (DEF-10)", async () => {
      const merchant = merchantOf(service)
      const embedded = async (origin: string) => {
        const urls = { success_url: `${origin}/thanks`, cancel_url: `${origin}/cart` }
        return (await merchant.createSession({ ui_mode: 'embedded', ...urls })).body.checkout_session.checkout_url
      }
      // The client may do more than a developer may grant.
      const { page, client } = await open({ role: 'owner', isSteppedUp: true, path: 'clients' })
      await using shop = await openFramingShop(await page.context().newPage())
      const { data } = (await client.call('GET /oauth_clients')).body
      const { id, version } = data.find(({ name }: { name: string }) => name.startsWith('Demo Shop server'))
      const body = { version, redirect_url: `${shop.origin}/pay` }
      equal((await client.call(`PATCH /oauth_clients/${id}`, { body })).status, 200)
      await page.reload()
      equal(await shop.frames(await embedded(shop.origin)), true)
      const row = page.getByRole('region', { name: /^Demo Shop server/ })
      await row.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('textbox', { name: 'Redirect URL' }).fill('https://new.example/pay')
      await page.getByText(`Pages of ${shop.origin} can no longer`).waitFor()
      await takeScreenshots(page, 'client-origin')
      await page.getByRole('button', { name: 'Save' }).click()
      await row.getByText('https://new.example', { exact: true }).waitFor()
      await takeScreenshots(page, 'clients')
      await row.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
      const secret = await takeSecret(page)
      const isForgotten = watchSecret(page, secret)
      await page.reload()
      await row.getByText('https://new.example', { exact: true }).waitFor()
      await isForgotten('new.example')
      const refused = await merchant.createSession()
      deepEqual([refused.status, refused.body.code], [422, 'origin_mismatch'])
      const form = await embedded('https://new.example')
      const policy = (await fetch(form)).headers.get('content-security-policy') ?? ''
      match(policy, /frame-ancestors https:\/\/new\.example(;|$)/)
      equal(await shop.frames(form), false)
    })
  },
  { timeScale: 1 },
)

/** Opens a shop on a different origin, whose page frames a payment form. */
async function openFramingShop(page: Page) {
  const server = createServer(({ url }, response) => {
    const form = new URL(url ?? '', 'http://localhost').searchParams.get('form')
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Shop</title><iframe src="${form}"></iframe>`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** Returns whether the browser shows the form. */
    async frames(form: string): Promise<boolean> {
      await page.goto(`${origin}/?form=${encodeURIComponent(form)}`)
      const [, frame] = page.frames()
      return frame !== undefined && (await frame.locator('#pay').count()) > 0
    },
    async [Symbol.asyncDispose]() {
      await page.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
