import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { isFocused } from '../support/keyboard.ts'
import { lettersOf } from '../support/letters.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { until } from '../support/until.ts'
import { addPerson } from '../support/visitor.ts'

describeDashboardInDom('the team of a business', ({ open, openSignedOut, service }) => {
  /** Returns the link in the newest invitation's letter. */
  async function linkFor(email: string): Promise<string> {
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letter = (await lettersOf(service)).findLast(({ recipient }) => recipient === email)
    return /\/dashboard\/welcome#\S+/.exec(letter?.body_text ?? '')?.[0] ?? ''
  }

  test('somebody who has an account accepts with it, and is then in both businesses', async () => {
    const { demo: other } = await secondMerchant(service)
    const known = await addPerson(service.app.services, other.business_id)
    const { page } = await open({ path: 'team', isSteppedUp: true })
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('dialog').getByLabel('E-mail').fill(known.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('row', { name: new RegExp(known.email) }).waitFor()

    const theirs = await openSignedOut(await linkFor(known.email))
    await theirs.getByText('You have an account already. Sign in with it to accept.').waitFor()
    equal(await theirs.getByLabel('Password').count(), 0)
    await theirs.getByRole('button', { name: 'Accept' }).click()
    const dialog = theirs.getByRole('dialog', { name: 'Sign in' })
    const password = dialog.getByLabel('Password')
    await until('the password has the focus', () => isFocused(password))
    equal(await dialog.getByLabel('E-mail').inputValue(), known.email, 'DSH-32')
    await password.fill(known.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.waitForURL((url) => !url.pathname.includes('welcome'))
    await theirs.getByText('Demo Shop').first().waitFor()
    await theirs.goto(`${service.formUrl}/dashboard`)
    for (const name of ['Demo Shop', 'Other Shop']) await theirs.getByRole('link', { name }).first().waitFor()
  })
})
