import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { may, type Role } from '../../contract/permissions.ts'
import { AREAS } from '../../dashboard/areas.ts'
import { en } from '../../dashboard/frame/texts/en.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { lettersOf } from '../support/letters.ts'

describeDashboard('the team of a business', ({ open, openSignedOut, service }) => {
  /** Returns the link in the newest invitation's letter. */
  async function linkFor(email: string): Promise<string> {
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letter = (await lettersOf(service)).findLast(({ recipient }) => recipient === email)
    return /\/dashboard\/welcome#\S+/.exec(letter?.body_text ?? '')?.[0] ?? ''
  }

  /** Returns the texts of the navigation for a role. */
  const pagesOf = (role: Role) =>
    AREAS.flatMap(({ pages }) => pages)
      .flatMap(({ nav, permission }) => (nav && may(role, permission, 'staging') ? [en[`nav_${nav.label}`]] : []))
      .sort()

  test('JRN-5: an owner invites support, who joins, sees what support sees, and is demoted meanwhile', async () => {
    const email = 'sam@shop.example'
    const { page, client } = await open({ path: 'team', isSteppedUp: true })
    await page.getByRole('button', { name: 'Invite a person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill(email)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('row', { name: new RegExp(email) }).waitFor()

    const other = await openSignedOut(await linkFor(email))
    await other.getByText('Demo Shop').first().waitFor()
    await other.getByLabel('Your name').or(other.getByLabel('Name')).first().fill('Sam Support')
    await other.getByLabel('Password').first().fill('a sentence that only Sam knows')
    await other.getByRole('button', { name: 'Accept' }).click()
    await other.getByRole('button', { name: 'Later' }).click()
    const pages = other.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Team' }).waitFor()
    deepEqual((await pages.getByRole('link').allInnerTexts()).sort(), pagesOf('support'))
    await pages.getByRole('link', { name: 'Team' }).click()
    await other.getByRole('row', { name: /Sam Support/ }).waitFor()
    equal(await other.getByRole('button', { name: 'Invite a person' }).count(), 0)

    await page.reload()
    await page.getByRole('button', { name: `Actions for ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Analyst' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    await page.getByRole('row', { name: /Sam Support.*Analyst/ }).waitFor()
    await other.reload()
    await other.getByRole('row', { name: /Sam Support.*Analyst/ }).waitFor()
    deepEqual((await pages.getByRole('link').allInnerTexts()).sort(), pagesOf('analyst'))

    await page.getByRole('link', { name: 'What each role may do' }).click()
    await page.getByRole('heading', { name: 'Roles' }).waitFor()
    await takeScreenshots(page, 'roles')
    const entries = (await client.call('GET /audit', { query: { limit: 4 } })).body.data
    deepEqual(
      entries.map(({ action }: { action: string }) => action).filter((action: string) => action !== 'session.start'),
      ['member.change_role', 'invitation.accept', 'invitation.create'],
    )
  })
})
