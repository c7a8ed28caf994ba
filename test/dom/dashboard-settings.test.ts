import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { isFocused } from '../support/keyboard.ts'
import { until } from '../support/until.ts'

describeDashboardInDom('the settings of a business', ({ open }) => {
  test('a surcharge is confirmed first; terminals are tested; an analyst changes nothing', async () => {
    const { page, client } = await open({ path: 'settings/payments' })
    await page.getByLabel('Rate in percent').fill('2,4')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    match(
      await dialog.innerText(),
      /next bills of running subscriptions are unchanged[\s\S]*Rate in percent: empty → 2,4/,
    )
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByLabel('Tax of new subscriptions in percent').fill('14,975')
    await page.getByLabel('Only payments above').fill('100')
    await page.getByRole('switch', { name: 'Offer Google Pay' }).click({ force: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('also of links that are open').waitFor()
    match(
      await dialog.innerText(),
      /also of links that are open[\s\S]*Only payments above: empty → 100[\s\S]*Offer Google Pay: No → Yes/,
    )
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { three_ds_above, google_pay_enabled, default_tax_rate } = (await client.call('GET /settings')).body
    deepEqual([three_ds_above, google_pay_enabled, default_tax_rate], [10_000, true, 14.975])
    await page.getByRole('button', { name: 'Test connection' }).first().click()
    await page.getByText(/^Reached in \d+ ms$/).waitFor()
    const { page: analyst } = await open({ path: 'settings/payments', role: 'analyst' })
    await analyst.getByText('Only owners and admins can change these settings.').waitFor()
    ok(await analyst.getByLabel('Rate in percent').isDisabled())
    equal(await analyst.getByRole('button', { name: 'Save' }).count(), 0)
  })

  test('a stricter policy of card checks is confirmed first, a laxer one is not; the preview has the address', async () => {
    const { page, client } = await open({ path: 'settings/payments' })
    const choose = async (label: RegExp, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).click()
    }
    const policies = async () => {
      const { cvv_policy, avs_policy } = (await client.call('GET /settings')).body
      return [cvv_policy, avs_policy]
    }
    const save = page.getByRole('button', { name: 'Save' })
    const dialog = page.getByRole('dialog')
    await choose(/^Security code/, 'Decline when the code does not match')
    await save.click()
    match(
      await dialog.innerText(),
      /More payments will be declined[\s\S]*Accept every result → Decline when the code does not match/,
    )
    equal(await dialog.getByText('must be loaded again').count(), 0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await choose(/^Billing address/, 'Decline unless street and postal code match')
    await save.click()
    match(await dialog.innerText(), /must be loaded again[\s\S]*banks that do not compare addresses/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    deepEqual(await policies(), ['decline_mismatch', 'require_match'])
    const code = page.getByRole('switch', { name: 'Ask for the security code with saved cards' })
    for (const isAsked of [true, false]) {
      await code.click({ force: true })
      await save.click()
      if (isAsked) {
        match(
          await dialog.innerText(),
          /type its security code from now on, also on links that are open[\s\S]*No → Yes/,
        )
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'hidden' })
      }
      await until('the setting is saved, and switched off without a dialog', async () => {
        const { saved_card_cvv_required } = (await client.call('GET /settings')).body
        return saved_card_cvv_required === isAsked
      })
    }
    await choose(/^Security code/, 'Accept every result')
    await choose(/^Billing address/, 'Decline when the street or postal code does not match')
    await save.click()
    await page.getByText('Saved').first().waitFor()
    await until('the laxer policies are saved without a dialog', async () => (await policies())[0] === 'accept')
    equal(await dialog.count(), 0)
    deepEqual(await policies(), ['accept', 'decline_any_mismatch'])
    await page.goto(page.url().replace('/payments', '/branding'))
    const preview = await page.locator('iframe').getAttribute('src')
    match((await client.call(`GET ${preview}`)).body, /Billing address/)
  })

  test('when bills are charged, what follows the last try, and how many missed ones are charged', async () => {
    const { page, client } = await open({ path: 'settings/billing' })
    await page.getByText('On its day, and when it is declined again 3, 6, and 9 days later.').waitFor()
    await page.getByRole('combobox', { name: 'First charge of a subscription that starts later' }).click()
    await page.getByRole('option', { name: /created/ }).click()
    await page.getByRole('combobox', { name: 'After the last try of a bill' }).click()
    await page.getByRole('option', { name: /^Pause/ }).click()
    await page.getByLabel('Missed bills that are charged without asking you').fill('13')
    await page.getByRole('button', { name: 'Save' }).click()
    const summary = page.getByRole('group').filter({ hasText: 'Check these fields' })
    await until('the summary has the focus', () => isFocused(summary))
    await page.locator('#announce-assertive', { hasText: 'Check these fields' }).waitFor({ state: 'attached' })
    await page.getByLabel('Missed bills that are charged without asking you').fill('5')
    await page.getByLabel('Time of charges').fill('06:30')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    match(await dialog.innerText(), /bills of days that have not begun yet[\s\S]*Time of charges: 00:00 → 06:30/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const saved = (await client.call('GET /settings')).body
    deepEqual(
      [saved.first_charge, saved.after_last_retry, saved.billing_run_local_time, saved.missed_dates_max],
      ['at_create', 'pause', '06:30', 5],
    )
  })
})
