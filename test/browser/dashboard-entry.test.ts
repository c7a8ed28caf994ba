import { equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { mailboxLink } from '../../server/access/shared/mailbox-key.ts'
import { createSetUpCode } from '../../server/access/sign-in/set-up.ts'
import { composeDueOfAll } from '../../server/emails/compose/compose-due.ts'
import { prepareEntry } from '../../server/serve/prepare-entry.ts'
import { startText } from '../../server/serve/print-start.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { pressOn, tabTo, typeInto } from '../support/keyboard.ts'
import { lettersOf } from '../support/letters.ts'
import { movableClock } from '../support/movable-clock.ts'
import { until } from '../support/until.ts'
import { addTotp, enter, newPerson, type TestPerson, totpCode } from '../support/visitor.ts'

// DSH-9, DSH-10, DSH-13: how people sign in.

const PLACES = {
  environment: 'staging',
  baseUrl: '',
  dashboardUrl: '',
  operationsHost: '',
  operationsPort: 0,
  demoFile: '',
} as const
const PASSWORD = 'a sentence of four words'
const clock = movableClock()

describeDashboard(
  'entry to the dashboard',
  ({ service, openSignedOut }) => {
    let person: TestPerson
    let recoveryCodes: string[]
    before(async () => {
      person = await newPerson(service)
      ;({ recoveryCodes } = await addTotp(service, await enter(service, person)))
      clock.advance(60)
    })

    const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

    async function fillPassword(page: Page, password = person.password) {
      await typeInto(page, field(page, 'E-mail'), person.email)
      await typeInto(page, field(page, 'Password'), password)
      await pressOn(page, button(page, 'Sign in').last())
    }

    test('JRN-3: by keyboard: wrong passwords, the right one, a wrong code, a recovery code', async () => {
      const wanted = `/b/${service.demo.business_id}/customers?search=Ana+Roy`
      const page = await openSignedOut(`/dashboard${wanted}`)
      await heading(page, 'Sign in').waitFor()
      await takeScreenshots(page, 'sign-in')
      for (const wrong of ['wrong one', 'wrong two', 'wrong three']) {
        await fillPassword(page, wrong)
        await page
          .getByText(/E-mail, password or code is wrong/)
          .first()
          .waitFor()
      }
      await fillPassword(page)
      await typeInto(page, field(page, 'Code from your authenticator app'), '000000')
      await page.keyboard.press('Enter')
      await page
        .getByText(/E-mail, password or code is wrong/)
        .first()
        .waitFor()
      await takeScreenshots(page, 'second-factor')
      await pressOn(page, button(page, 'Use a recovery code'))
      await typeInto(page, field(page, 'Recovery code'), recoveryCodes[0] ?? '')
      await page.keyboard.press('Enter')
      // The requested page with its filter, not the start page.
      await page.waitForURL((url) => url.href.endsWith(wanted))
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    })

    const signOut = async (page: Page) => {
      await button(page, /^Account of/).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await heading(page, 'Sign in').waitFor()
    }

    test('JRN-2: by a passkey, which counts as both factors; after signing out the way back shows nothing', async () => {
      const passkeyPerson = await newPerson(service)
      const page = await openSignedOut('/dashboard')
      // This authenticator accepts the offer in the field at once, before the button can be pressed.
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = async () => false
      })
      await addAuthenticator(page)
      await field(page, 'E-mail').fill(passkeyPerson.email)
      await field(page, 'Password').fill(passkeyPerson.password)
      await button(page, 'Sign in').last().click()
      await page.waitForURL('**/home')
      await page.goto(`${service.formUrl}/dashboard/account`)
      await button(page, 'Add a passkey').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name of the passkey').fill('Test key')
      await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      await dialog.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      const codes = (await dialog.locator('code').innerText()).trim().split(/\s+/)
      equal(codes.length, 10)
      await dialog.getByLabel('I have stored it').check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByText('Test key').waitFor()
      ok(!(await page.content()).includes(codes[0] ?? ''), 'the codes are shown once')
      await takeScreenshots(page, 'account')
      await signOut(page)
      await button(page, 'Sign in with a passkey').click()
      await page.waitForURL('**/home')
      equal(await page.getByText('Your account has no second factor yet.').count(), 0)
      await page.getByRole('link', { name: 'Customers' }).click()
      await page.waitForURL('**/customers')
      await signOut(page)
      await page.goBack()
      await heading(page, 'Sign in').waitFor()
      equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0)
      // Whatever the browser still has in memory, the service refuses the cookie.
      equal(await page.evaluate(() => fetch('/dashboard/api/me').then(({ status }) => status)), 401)
    })

    test('JRN-4: a forgotten password: the link of the letter, a new password, every session ended', async () => {
      const forgetful = await newPerson(service)
      const elsewhere = await enter(service, forgetful)
      const page = await openSignedOut('/dashboard/sign-in')
      await page.getByRole('link', { name: 'Forgotten password' }).click()
      await field(page, 'E-mail').fill(forgetful.email)
      await button(page, 'Send the link').click()
      await page.getByText(/the link is on its way/).waitFor()
      const link = await linkInMailbox(page, forgetful.email)
      const [reset] = await Promise.all([page.waitForEvent('popup'), link.click()])
      await heading(reset, 'Choose a new password').waitFor()
      equal(await field(reset, 'New password').getAttribute('autocomplete'), 'new-password')
      await field(reset, 'New password').fill(PASSWORD)
      await button(reset, 'Change the password').click()
      await reset.getByText(/The password was changed/).waitFor()
      equal((await elsewhere.call('GET /dashboard/api/me')).status, 401)
      await page.goto((await link.getAttribute('href')) ?? '')
      await page.reload()
      await field(page, 'New password').fill(PASSWORD)
      await button(page, 'Change the password').click()
      await page.getByText('This link has expired, was used already or is incomplete.').waitFor()
      await page.getByRole('link', { name: 'Send a new link' }).click()
      await heading(page, 'Forgotten password').waitFor()
    })

    test('JRN-1: the first person, by keyboard: account, second factor, recovery codes, business', async () => {
      await withoutPeople()
      const page = await openSignedOut(await printedLink())
      await heading(page, 'Set up Rialto').waitFor()
      await typeInto(page, field(page, 'Name'), 'Ada Roy')
      await typeInto(page, field(page, 'E-mail'), 'ada@shop.example')
      await typeInto(page, field(page, 'Password'), PASSWORD)
      await pressOn(page, button(page, 'Create the account'))
      await pressOn(page, button(page, 'Set up an authenticator app'))
      const shown = page.locator('.copy-id code')
      await shown.waitFor()
      const code6 = await totpCode(service, (await shown.innerText()).trim())
      await typeInto(page, field(page, 'Code from your authenticator app'), code6)
      await page.keyboard.press('Enter')
      await page.getByText('This is shown only once. Store it now.').waitFor()
      const box = page.getByLabel('I have stored it')
      await pressOn(page, box)
      await page.keyboard.press('Space')
      await pressOn(page, button(page, 'Done'))
      await heading(page, 'Your business').waitFor()
      await takeScreenshots(page, 'set-up-business')
      await typeInto(page, field(page, 'Name of the business'), 'Ada Books')
      const currency = page.getByRole('combobox', { name: 'Currency' })
      equal(await currency.inputValue(), 'CAD', 'that of the country')
      await tabTo(page, currency)
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
      await until('another currency', async () => (await currency.inputValue()) === 'USD')
      await pressOn(page, button(page, 'Create the business'))
      await heading(page, 'Rialto is ready').waitFor()
      await pressOn(page, button(page, 'Test the connection'))
      await page
        .getByText(/^Reached in \d+ ms$/)
        .last()
        .waitFor()
      await pressOn(page, button(page, 'Create the payment page'))
      const link = page.getByRole('link', { name: 'Open the payment page' })
      await link.waitFor()
      await takeScreenshots(page, 'set-up-first-steps')
      const payment = await openSignedOut(new URL((await link.getAttribute('href')) ?? '').pathname)
      await payment.getByRole('button', { name: /^Pay .*20\.00/ }).waitFor()
      await pressOn(page, page.getByRole('link', { name: 'To the home page' }))
      await page.waitForURL('**/home')
      await page.getByText('Ada Books').first().waitFor()
      equal(await createSetUpCode(service.app.services), null)
      equal(await currencyOf('Ada Books'), 'USD')
    })

    async function currencyOf(business: string) {
      const { db } = service.app.services
      const row = await db.selectFrom('business').select('currency').where('name', '=', business).executeTakeFirst()
      return row?.currency
    }

    /** Returns a link as a start prints it. */
    async function printedLink(): Promise<string> {
      const { services } = service.app
      const entry = await prepareEntry(services, { user: null })
      const text = startText({ ...PLACES, ...services, entry, demo: null, isTerminal: true, mailboxLink: '' })
      const [link = ''] = /https?:\/\/\S+\/set-up#\S+/.exec(text) ?? []
      return link.replace(service.formUrl, '')
    }

    async function withoutPeople() {
      const { db } = service.app.services
      await sql`truncate auth_user cascade`.execute(db)
    }

    /** Returns the link of somebody's letter in the mailbox of staging. */
    async function linkInMailbox(page: Page, email: string): Promise<Locator> {
      await until('the letter is written', async () => {
        await composeDueOfAll(service.app.services)
        return (await lettersOf(service)).some(({ recipient }) => recipient === email)
      })
      await page.goto(mailboxLink(service.app.services.keyring, service.formUrl))
      await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
      return page.frameLocator('iframe').locator('a[href*="/dashboard/reset#"]').first()
    }
  },
  { clock },
)

/** Chromium's own authenticator, which verifies its user. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
