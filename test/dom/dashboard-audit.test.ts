import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { TEAM_TEXTS } from '../../dashboard/areas/team/texts/texts.ts'
import { AUDIT_NAMES } from '../../dashboard/kit/audit-names/audit-names.ts'
import { KIT_TEXTS } from '../../dashboard/kit/kit-texts.ts'
import { recordAudit } from '../../server/audit/audit-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('the audit log of a business', ({ open, service }) => {
  /** Adds entries about no object, the oldest first. */
  async function didOften({ userId, email }: DashboardClient, times: number): Promise<void> {
    const actor = { kind: 'person', id: userId, name: email, ip: null, userAgent: null, requestId: null } as const
    const { business_id: businessId } = service.demo
    const entry = { businessId, actor, action: 'limits.change', object: null, before: null, outcome: 'done' } as const
    for (let number = 1; number <= times; number++)
      await transaction(service.app.services.db, (tx) => recordAudit(tx, { ...entry, after: { number } }, new Date()))
  }

  test('the audit log is filtered, and an entry shows what was before and after', async () => {
    const { page, client } = await open({ path: 'audit?action=settings' })
    await page.getByText('Nothing matches').or(page.getByText('No entry matches')).first().waitFor()
    const { version } = (await client.call('GET /settings')).body
    await client.call('PATCH /settings', { body: { version, support_phone: '+1 514 555 0199' } })
    await page.reload()
    await page.getByRole('row', { name: /Change settings Business/ }).waitFor()
    await page.getByText('Settings', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Person' }).click()
    await page.getByRole('combobox', { name: 'Person' }).click()
    await page.getByRole('option', { name: new RegExp(client.email) }).click()
    await page.waitForURL((url) => url.searchParams.get('actor') === client.userId)
    await page.getByRole('row', { name: /Change settings/ }).waitFor()
    await page.locator('table tbody a').first().click()
    await page.getByRole('row', { name: /support_phone.*514 555 0199/ }).waitFor()
    match(await page.getByRole('heading', { level: 1 }).innerText(), /^Entry \d+$/)
    ok(page.url().includes('/audit/'))
  })

  test('all that one person did is a filter, also after they have left (DSH-15)', async () => {
    const gone = await signIn(service, { role: 'support' })
    await didOften(gone, 2)
    await service.app.services.db.deleteFrom('business_member').where('user_id', '=', gone.userId).execute()
    const { page } = await open({ path: 'audit' })
    await page
      .getByRole('row', { name: new RegExp(gone.email) })
      .first()
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('link', { name: 'All that they did' }).click()
    await page.waitForURL((url) => url.searchParams.get('actor') === gone.userId)
    await until('both are listed', async () => (await page.locator('table.rows tbody tr').count()) === 2)
    await until('the filter names them', async () => {
      return (await page.getByRole('combobox', { name: 'Person' }).inputValue()) === gone.email
    })
  })

  test('its columns can be shown: address, browser, request and number', async () => {
    const { page, client } = await open({ path: 'audit?action=limits' })
    const { version } = (await client.call('GET /settings/limits')).body
    const headers = { 'user-agent': 'Curious/1.0' }
    equal(
      (await client.call('PATCH /settings/limits', { body: { version, customer_export_rows: 7_000 }, headers })).status,
      403,
    )
    const { data } = (await client.call('GET /audit', { query: { action: 'limits' } })).body
    await page.reload()
    await page
      .getByRole('row', { name: /Change limits/ })
      .first()
      .waitFor()
    const heads = () => page.getByRole('columnheader').allInnerTexts()
    deepEqual(await heads(), ['Time', 'Who', 'What', 'About', 'Outcome'])
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Address', 'Browser', 'Request ID', 'Number'])
      await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
    deepEqual((await heads()).slice(5), ['Address', 'Browser', 'Request ID', 'Number'])
    const cells = await page
      .getByRole('row', { name: /Change limits/ })
      .first()
      .getByRole('cell')
      .allInnerTexts()
    deepEqual(cells.slice(-4), [data[0].ip, 'Curious/1.0', data[0].request_id, String(data[0].number)])
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`says in ${locale} what was done, and exports to support what support did (DSH-15)`, async () => {
      const [names, t, team] = await Promise.all([
        AUDIT_NAMES.load(locale),
        KIT_TEXTS.load(locale),
        TEAM_TEXTS.load(locale),
      ])
      const { page, client } = await open({ role: 'support', path: 'audit', context: { locale } })
      const order = { body: { currency: 'CAD', expected_net_amount: 0 } }
      equal((await client.call('POST /batches/current/settle', order)).status, 403)
      await didOften(client, 60)
      await page.reload()
      const rows = page.locator('table.rows tbody tr')
      await rows.filter({ hasText: names['limits.change'] }).first().waitFor()
      equal(await rows.count(), 50)
      await page.getByRole('button', { name: t.older }).click()
      await rows.filter({ hasText: names['batches.settle'] }).waitFor()
      equal(await rows.count(), 11)
      await expectNoEnglish(page, locale)
      await page.getByRole('button', { name: t.addFilter }).click()
      await page.getByRole('menuitem', { name: team.what }).click()
      await page.getByRole('combobox', { name: team.what }).click()
      await page.getByRole('option', { name: names.api_key, exact: true }).waitFor()
      const options = await page.locator('[role=option]').allInnerTexts()
      deepEqual(
        options,
        options.toSorted((one, other) => one.localeCompare(other, locale)),
      )
      await page.getByRole('option', { name: names.limits, exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('action') === 'limits')
      await page.getByRole('button', { name: t.export }).click()
      const saved = page.waitForEvent('download')
      await page.getByRole('dialog').getByRole('button', { name: t.exportNow }).click()
      const lines = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n')
      equal(lines.length, 61)
      match(lines[1] ?? '', new RegExp(`[,;]person[,;]${client.email}[,;]limits.change[,;]`))
    })

  test('pages what the person did, in the account, with the way to each business and its file', async () => {
    const { page, client } = await open({ role: 'analyst', path: '/dashboard/account' })
    await didOften(client, 45)
    await page.reload()
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'What you did' }) })
    const rows = card.locator('tbody tr')
    const numbers = () => card.getByRole('link', { name: 'Change limits' }).evaluateAll((all) => all.length)
    await rows.first().waitFor()
    equal(await numbers(), 20)
    equal(await card.getByRole('button', { name: 'Newer' }).isDisabled(), true)
    const first = await card.getByRole('link', { name: 'Change limits' }).first().getAttribute('href')
    for (const shown of [20, 5]) {
      await card.getByRole('button', { name: 'Older' }).click()
      const isShown = async () =>
        (await numbers()) === shown && (await card.locator('[aria-busy="true"]').count()) === 0
      await until('the older page is shown', isShown)
    }
    equal(await card.getByRole('button', { name: 'Older' }).isDisabled(), true)
    for (let back = 0; back < 2; back++) await card.getByRole('button', { name: 'Newer' }).click()
    await card.locator(`a[href="${first}"]`).click()
    await page.getByRole('heading', { level: 1, name: /^Entry \d+$/ }).waitFor()
    await page.getByRole('heading', { name: 'Change limits' }).waitFor()
    await page.goBack()
    await card.getByRole('link', { name: 'Demo Shop' }).first().click()
    await page.getByText('You see what you did yourself.').waitFor()
    await page.getByRole('button', { name: 'Export' }).waitFor()
  })
})
