import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { account } from '../support/secret-key.ts'
import { until } from '../support/until.ts'
import { enter, newPerson } from '../support/visitor.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

const DEVELOPER = { role: 'developer', isSteppedUp: true } as const

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

async function stepUp(page: Page, password: string): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
}

describeDashboardInDom(
  'Developers in the dashboard',
  ({ service, open }) => {
    /** Opens a page of a person whose last step-up was more than an hour ago. */
    async function openLater(path: string) {
      const person = await newPerson(service)
      const { cookie } = await enter(service, person)
      const earlier = { stepped_up_at: null, created_at: new Date(Date.now() - 3_600_000), last_seen_at: new Date() }
      const sessions = service.app.services.db.updateTable('auth_session').set(earlier)
      await sessions.where('user_id', '=', person.userId).execute()
      const opened = await open({ as: { ...(await signIn(service)), cookie }, path })
      return { ...opened, password: person.password }
    }

    test('JRN-32: an endpoint is added after a step-up; its failure is seen, what it missed is redelivered (DEF-10)', async () => {
      await service.app.startWorker()
      await using receiver = await openReceiver((response) => {
        response.statusCode = 410
        response.end('Closed for <b>repairs</b>')
      })
      const { page, client, password } = await openLater('webhooks')
      await page.getByText('No endpoints yet').waitFor()
      await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
      await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
      await page.getByRole('button', { name: 'Add the endpoint' }).click()
      await stepUp(page, password)
      const secret = await takeSecret(page)
      match(secret, /^whsec_/)
      const isForgotten = watchSecret(page, secret)
      await page.getByRole('link', { name: receiver.url }).click()
      await page.getByText('No deliveries yet').waitFor()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('cell', { name: '410' }).waitFor({ timeout: 20_000 })
      await page.reload()
      await page.getByText('Disabled because it responded 410').waitFor()
      await page.getByRole('link', { name: 'ping' }).click()
      await page.getByText('Closed for <b>repairs</b>').waitFor()
      equal(await page.getByRole('heading', { name: 'Request body' }).count(), 1)
      await page.locator('pre').getByText('"type":"ping"').first().waitFor()
      receiver.respond = (response) => response.end('ok')
      await page.getByRole('link', { name: receiver.url }).click()
      await page.getByRole('button', { name: 'Enable' }).click()
      await page.getByRole('button', { name: 'Redeliver what failed' }).click()
      await page.getByText(/deliver(y|ies) will be sent again/).waitFor()
      await page.getByRole('button', { name: 'Redeliver', exact: true }).click()
      await page.getByText('Delivered').first().waitFor({ timeout: 20_000 })
      const { data } = (await client.call('GET /webhook_endpoints')).body
      equal(data[0].status, 'enabled')
      await page.getByRole('link', { name: 'Events', exact: true }).click()
      await page
        .getByRole('cell', { name: /delivered/ })
        .first()
        .waitFor()
      await isForgotten(receiver.url)
    })

    test('JRN-33: a key is made with two addresses, a wrong address is seen; it is rotated and revoked (DEF-10)', async () => {
      const { page, client } = await open({ ...DEVELOPER, path: 'keys' })
      await page.getByRole('button', { name: 'New key' }).first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Billing')
      await page.getByRole('button', { name: /Use the address of this computer/ }).click()
      await page.getByRole('textbox', { name: 'Second address' }).fill('203.0.113.7')
      const all = page.getByRole('checkbox', { name: 'All of these' })
      await all.uncheck()
      equal(await page.getByRole('button', { name: 'Create the key' }).isDisabled(), true)
      await page.getByRole('checkbox', { name: 'Events: read' }).check()
      equal(await all.evaluate((input: HTMLInputElement) => input.indeterminate), true)
      await all.check()
      await page.getByRole('button', { name: 'Create the key' }).click()
      const key = await takeSecret(page)
      const isForgotten = watchSecret(page, key)
      equal((await account(service, key)).status, 200)

      const demo = page.getByRole('definition').filter({ hasText: /^Everything$/ })
      equal(await demo.count(), 1, 'the key that was made by the command')
      const row = page.getByRole('region', { name: /^Billing/ })
      await row.getByRole('button', { name: 'Rotate' }).click()
      await page.getByRole('textbox', { name: 'Address of the server' }).fill('192.0.2.1')
      await page.getByRole('textbox', { name: 'Second address' }).fill('')
      await page.getByRole('radio', { name: 'One hour more' }).check()
      await page.getByRole('button', { name: 'Rotate the key' }).click()
      const next = await takeSecret(page)
      equal((await account(service, key)).status, 200)
      equal((await account(service, next)).status, 403)
      await page.getByText(/Rotated: works until/).waitFor()
      await until('the use is recorded', async () =>
        (await client.call('GET /api_keys')).body.data.some((one: { last_used_at: number }) => one.last_used_at),
      )
      await page.reload()
      await page.getByText(/Rotated: works until/).waitFor()
      const old = page.getByRole('region', { name: /^Billing/ }).filter({ hasText: 'Rotated: works until' })
      await old.getByRole('button', { name: 'Revoke' }).click()
      equal(await page.getByRole('button', { name: 'Revoke the key' }).isDisabled(), true)
      await page.getByRole('textbox', { name: /Type its name/ }).fill('Billing')
      await page.getByRole('button', { name: 'Revoke the key' }).click()
      await page.getByRole('cell', { name: 'Revoked' }).waitFor()
      await until('the key has ended', async () => (await account(service, key)).status === 401)

      await until('the refusal is written', async () => (await client.call('GET /refusals')).body.data.length > 0)
      await page.getByRole('link', { name: 'Refused requests' }).click()
      await page.getByRole('cell', { name: 'GET /api/v1/account' }).first().waitFor()
      await page.getByRole('cell', { name: 'Key: Billing' }).first().waitFor()
      await isForgotten('Billing')
    })

    test('a dialog knows its call by what it is about, not by its title (DSH-30)', async () => {
      const { page, client } = await open({ ...DEVELOPER, path: 'clients' })
      const body = { name: 'Twin', redirect_url: 'https://twin.example' }
      for (const _twin of [1, 2]) await client.call('POST /oauth_clients', { body })
      await page.reload()
      const released = Promise.withResolvers<void>()
      await page.route(/\/end_tokens$/, async (route) => {
        await released.promise
        await route.continue()
      })
      const end = (index: number) =>
        page.getByRole('region', { name: /^Twin/ }).nth(index).getByRole('button', { name: 'End all tokens' }).click()
      const dialog = page.getByRole('dialog')
      const verb = dialog.getByRole('button', { name: 'End the tokens' })
      await end(0)
      await verb.waitFor()
      await page.clock.install()
      await verb.click()
      await page.clock.runFor(16_000)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await page.clock.runFor(1_000)
      await dialog.waitFor({ state: 'detached' })
      await end(1)
      await page.clock.runFor(1_000)
      await verb.waitFor()
      equal(await verb.isEnabled(), true)
      // The routed call ends before the page does.
      await Promise.all([page.waitForResponse(/\/end_tokens$/), released.resolve()])
      await page.clock.resume()
    })

    test('addresses are added and removed', async () => {
      const { page } = await open({ ...DEVELOPER, path: 'addresses' })
      await page.getByRole('button', { name: 'Add an address' }).first().click()
      await page.getByRole('textbox', { name: 'Address' }).fill('198.51.100.4')
      await page.getByRole('button', { name: 'Allow the address' }).click()
      await page.getByRole('cell', { name: '198.51.100.4' }).first().waitFor()
      await page.getByRole('button', { name: 'Remove 198.51.100.4' }).click()
      await page.getByRole('button', { name: 'Remove the address' }).click()
      await page.getByText('198.51.100.4 is removed.').first().waitFor()
    })
  },
  { timeScale: 1 },
)
