import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { AREAS } from '../../dashboard/areas.ts'
import { createSetUpCode } from '../../server/access/sign-in/set-up.ts'
import { composeDue, composeDueOfAll } from '../../server/emails/compose/compose-due.ts'
import { describeDashboard } from '../support/describe-dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { type Gallery, galleryOf } from '../support/gallery.ts'
import { fillWithPayloads } from '../support/hostile-texts.ts'
import { lettersOf } from '../support/letters.ts'
import { movableClock } from '../support/movable-clock.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { addPasskeyLater, addPerson, enter, newPerson, totpCode, visitor } from '../support/visitor.ts'
import { XSS_PAYLOADS } from '../support/xss-payloads.ts'

// DSH-21, DSH-23: every page of the routes, and the pages before and around a business. Their dialogs, and what they
// show in other states, are in the other files of the gallery.

const clock = movableClock()

describeDashboard(
  'the pages of the dashboard, as they look',
  ({ service, open, openSignedOut }) => {
    const dashboard = () => `${service.formUrl}/dashboard/`

    test('every page opens without a violation, shows hostile text as text, fits 320 px, and axe finds nothing (DSH-21, DSH-23, DEF-12, DEF-13)', async () => {
      const { business_id: businessId } = (await secondMerchant(service)).demo
      const { page, client } = await open({ businessId, isSteppedUp: true })
      const ids = await furnish(service, client, businessId)
      await composeDue(service.app.services, { businessId })
      const welcome = await invitationTo(service)
      await fillWithPayloads(service, businessId)
      await composeDue(service.app.services, { businessId })
      const asked = requestsOf(page)
      const gallery = galleryOf(page, dashboard())
      equal(new Set(XSS_PAYLOADS).size, 50)
      const paths = AREAS.flatMap(({ pages }) => pages).map(({ path }) => `b/${businessId}/${pathWith(path, ids)}`)
      for (const path of [...paths, ...personPages(false), welcome]) {
        await gallery.go(path, 'anew')
        const heading = page.getByRole('heading', { level: 1 })
        await heading.waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        await until(`${path} has been read`, async () => (await page.locator('.mantine-Skeleton-root').count()) === 0)
        deepEqual([await heading.count(), (await heading.textContent()) === 'Page not found'], [1, false], path)
        for (const frame of page.frames()) equal(await frame.evaluate(hasPayload), false, path)
        if (SHOWS_PAYLOADS.some((one) => path.split('/').at(-1) === one)) {
          const shown = textIn(await page.locator('body').innerText())
          for (const payload of XSS_PAYLOADS) ok(shown.includes(textIn(payload)), `${path} ${payload}`)
        }
        await gallery.looks(path)
      }
      gallery.isSound()
      deepEqual(
        asked.filter((url) => url.includes('pwned')),
        [],
      )
      // Only the scroll positions of pages.
      const kept = await page.evaluate(async () => ({
        storages: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
        readable: [document.cookie, ...(await caches.keys()), ...(await indexedDB.databases())],
      }))
      deepEqual(kept, { storages: ['tsr-scroll-restoration-v1_3'], readable: [''] })
    })

    test('the account, its dialogs, and what lies over every page', async () => {
      const person = await newPerson(service)
      const browser = await enter(service, person)
      const { page } = await open({ as: { ...(await open()).client, cookie: browser.cookie } })
      const gallery = galleryOf(page, dashboard())
      await gallery.room('account', () => accountRoom(service, gallery))
      await gallery.room('session', () => sessionRoom(service, gallery, person))
      gallery.isSound()
    })

    test('the pages before a business: sign-in, a forgotten password, an invitation, the first steps', async () => {
      const known = await addPerson(service.app.services, (await secondMerchant(service)).demo.business_id)
      const { client } = await open({ isSteppedUp: true })
      equal(
        (await client.call('POST /team/invitations', { body: { email: known.email, role: 'support' } })).status,
        201,
      )
      await composeDue(service.app.services, { businessId: service.demo.business_id })
      const gallery = galleryOf(await openSignedOut('/dashboard/sign-in'), dashboard())
      const opened = new Set(['sign-in'])
      gallery.page.on('framenavigated', (frame) => opened.add(frame.url().replace(dashboard(), '').replace(/#.*/, '')))
      await gallery.room('sign-in', () => signInRoom(gallery))
      await gallery.room('invitation', async () => invitationRoom(gallery, await invitationTo(service)))
      await sql`truncate auth_user cascade`.execute(service.app.services.db)
      const code = await createSetUpCode(service.app.services)
      await gallery.room('set-up', () => setUpRoom(service, gallery, code ?? ''))
      gallery.isSound()
      deepEqual(
        personPages(true).filter((path) => !opened.has(path)),
        [],
        'public pages that are not in the gallery',
      )
    })
  },
  { clock },
)

async function accountRoom(service: TestService, gallery: Gallery) {
  const { page, go, press, confirm, sees, looks, dialogLooks } = gallery
  await go('account', 'anew')
  await press('Set up an authenticator app')
  const secret = page.getByRole('dialog').locator('.copy-id code')
  await secret.waitFor()
  await dialogLooks('an authenticator app is added')
  clock.advance(60)
  await page.keyboard.type(await totpCode(service, (await secret.innerText()).trim()))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await looks('recovery codes over the account')
  await page.getByLabel('I have stored it').check()
  await confirm('Done')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Each factor that is added changes the session, and with it the cookie.
  const [cookie] = await page.context().cookies()
  const browser = visitor(service, { cookie: `${cookie?.name}=${cookie?.value}` })
  await addPasskeyLater(service, browser)
  const [name = '', value = ''] = browser.cookie.split('=')
  await page.context().addCookies([{ name, value, url: service.formUrl, httpOnly: true, sameSite: 'Strict' }])
  await page.reload()
  await sees('Laptop')
  await looks('an account with a passkey')
  await press('Change the password')
  await page.getByRole('dialog').getByLabel('New password').waitFor()
  await dialogLooks('the password is changed')
  await page.keyboard.press('Escape')
}

async function sessionRoom(service: TestService, { page, press, sees, looks }: Gallery, person: { userId: string }) {
  await page.getByLabel('Name', { exact: true }).fill('Another name')
  await press('Save')
  await sees('Saved')
  await looks('an account that has been saved')
  await page.getByLabel('Name', { exact: true }).fill('A third name')
  await service.app.services.db.deleteFrom('auth_session').where('user_id', '=', person.userId).execute()
  await press('Save')
  await page.getByRole('dialog', { name: 'Sign in to go on' }).waitFor()
  await looks('sign-in over a page')
}

async function signInRoom({ page, go, press, sees, looks }: Gallery) {
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await looks('sign-in')
  await go('forgotten')
  await page.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor()
  await looks('a forgotten password')
  await page.getByLabel('E-mail', { exact: true }).fill('somebody@shop.example')
  await press('Send the link')
  await sees(/the link is on its way/)
  await looks('a forgotten password, after the letter')
  await go('reset#a-code', 'anew')
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
  await looks('a new password')
  await go('nonsense', 'anew')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await looks('an unknown page, for nobody')
}

async function invitationRoom({ page, go, press, sees, looks }: Gallery, welcome: string) {
  await go(welcome, 'anew')
  await sees('You have an account already. Sign in with it to accept.')
  await press('Accept')
  await page.getByRole('dialog', { name: 'Sign in' }).getByLabel('Password').fill('a password')
  await looks('sign-in over an invitation')
}

async function setUpRoom(service: TestService, { page, go, press, looks }: Gallery, code: string) {
  await go(`set-up#${code}`, 'anew')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('Name').fill('Ada Roy')
  await field('E-mail').fill('ada@shop.example')
  await field('Password').fill('a sentence of four words')
  await looks('the first person')
  await press('Create the account')
  await press('Set up an authenticator app')
  const secret = page.locator('.copy-id code')
  await secret.waitFor()
  await looks('the second factor of the first person')
  await field('Code from your authenticator app').fill(await totpCode(service, (await secret.innerText()).trim()))
  await page.keyboard.press('Enter')
  await field('I have stored it').waitFor()
  await looks('the recovery codes of the first person')
  await field('I have stored it').check()
  await press('Done')
  await page.getByRole('heading', { level: 1, name: 'Your business' }).waitFor()
  await looks('the first business')
  await field('Name of the business').fill('Ada Books')
  await press('Create the business')
  await press('Test the connection')
  await page
    .getByText(/^Reached in \d+ ms$/)
    .last()
    .waitFor()
  await press('Create the payment page')
  await page.getByRole('link', { name: 'Open the payment page' }).waitFor()
  await looks('the first steps')
  await page.getByRole('link', { name: 'To the home page' }).click()
  await page.waitForURL('**/home')
  await page.getByText('Ada Books').first().waitFor()
  await looks('the home page of the first business')
}

const personPages = (isPublic: boolean): string[] =>
  AREAS.flatMap(({ personPages: pages = [] }) => pages)
    .filter((page) => page.isPublic === isPublic)
    .map(({ path }) => path)

/** Returns the path of the newest invitation, with its code. */
async function invitationTo(service: TestService): Promise<string> {
  await composeDueOfAll(service.app.services)
  const invitation = (await lettersOf(service)).findLast(({ kind }) => kind === 'invitation')
  const [, welcome = ''] = /\/dashboard\/(welcome#\S+)/.exec(invitation?.body_text ?? '') ?? []
  return welcome
}

/** Collects the URLs that a page requests, and dialogs that a script opens. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  page.on('dialog', async (dialog) => {
    asked.push(`pwned: ${dialog.message()}`)
    await dialog.dismiss()
  })
  return asked
}

/** Whether a hostile text has become a script or an element. Runs in the page. */
const hasPayload = () => 'pwned' in window || document.querySelector('#x, marquee, xss') !== null

/** Pages on which each of the payloads is a name. */
const SHOWS_PAYLOADS = ['customers', 'products', 'contracts', 'account']

/** Kinds of objects whose pages and calls have different names. */
const KINDS: Record<string, string> = {
  sessions: 'checkout_sessions',
  webhooks: 'webhook_endpoints',
  'test/mailbox': 'mailbox',
}

const pathWith = (path: string, ids: Furnished) =>
  path
    .replace('$customer', ids.customers ?? '')
    .replace(/(.+)\/\$id$/, (_whole, kind: string) => `${kind}/${ids[KINDS[kind] ?? kind]}`)

/** Returns the text without spaces and direction marks, which depend on the browser. */
const textIn = (text: string) => text.replace(/[\s\u202a-\u202e]+/g, ' ')
