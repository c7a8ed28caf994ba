import { deepEqual, equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { pressOn, typeInto } from '../support/keyboard.ts'
import { movableClock } from '../support/movable-clock.ts'
import { addTotp, enter, newPerson, type TestPerson, totpCode } from '../support/visitor.ts'

// DSH-9, DSH-10, DSH-13: how people sign in.

const clock = movableClock()

describeDashboardInDom(
  'entry to the dashboard',
  ({ service, openSignedOut }) => {
    let person: TestPerson
    let secret: string
    before(async () => {
      person = await newPerson(service)
      ;({ secret } = await addTotp(service, await enter(service, person)))
      clock.advance(60)
    })

    const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
    async function fillPassword(page: Page, password = person.password) {
      await typeInto(page, field(page, 'E-mail'), person.email)
      await typeInto(page, field(page, 'Password'), password)
      await pressOn(page, button(page, 'Sign in').last())
    }

    test('by a code of the app, to a page of the dashboard alone', async () => {
      const page = await openSignedOut('/dashboard/sign-in?next=//evil.example/dashboard/')
      const filledIn = (name: string) => field(page, name).getAttribute('autocomplete')
      deepEqual([await filledIn('E-mail'), await filledIn('Password')], ['username webauthn', 'current-password'])
      await fillPassword(page)
      equal(await filledIn('Code from your authenticator app'), 'one-time-code')
      await field(page, 'Code from your authenticator app').fill(await totpCode(service, secret))
      await button(page, 'Confirm').click()
      await page.waitForURL('**/home')
    })

    test('an authenticator app that is added in the account shows its recovery codes until they are stored', async () => {
      const careful = await newPerson(service)
      const { cookie } = await enter(service, careful)
      const [name = '', value = ''] = cookie.split('=')
      const page = await openSignedOut('/dashboard/sign-in')
      await page.context().addCookies([{ name, value, url: service.formUrl }])
      await page.goto(`${service.formUrl}/dashboard/account`)
      await pressOn(page, button(page, 'Set up an authenticator app'))
      const dialog = page.getByRole('dialog')
      const shown = dialog.locator('.copy-id code')
      await shown.waitFor()
      // The field has the focus: the code can be typed at once.
      await page.keyboard.type(await totpCode(service, (await shown.innerText()).trim()))
      await page.keyboard.press('Enter')
      await dialog.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      // Behind the dialog, the page has meanwhile been updated about the app.
      await page.getByRole('button', { name: 'Remove the authenticator app', includeHidden: true }).waitFor()
      const lines = (await dialog.locator('code').innerText()).trim().split('\n')
      equal(lines.filter((line) => /^\w{4}-\w{4}-\w{4}$/.test(line)).length, 10, 'one on each line')
      await dialog.getByLabel('I have stored it').check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'detached' })
      await button(page, 'Remove the authenticator app').click()
      await dialog.getByText('Sign-in no longer asks for its codes.').waitFor()
    })
  },
  { clock },
)
