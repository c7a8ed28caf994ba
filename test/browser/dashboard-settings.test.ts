import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { signIn } from '../support/dashboard.ts'
import { describeDashboard, takeScreenshots } from '../support/describe-dashboard.ts'
import { until } from '../support/until.ts'

/** Returns how many lines the text of an element takes. */
const linesOf = (element: Locator): Promise<number> =>
  element.evaluate((shown) => {
    const range = document.createRange()
    range.selectNodeContents(shown)
    const boxes = [...range.getClientRects()].sort((one, other) => one.top - other.top)
    // A box that begins below the previous one is on the next line.
    return boxes.filter(({ top }, index) => index === 0 || top >= (boxes[index - 1]?.bottom ?? 0) - 1).length
  })

const SHAPE = ['--radius', '--font']

/** Runs in the page. */
const propertiesOf = (shown: Element, names: string[]): string =>
  names.map((name) => getComputedStyle(shown).getPropertyValue(name)).join(' ')

/** Waits until custom properties of the branding's preview begin with `text`, and returns them: `16px Charter,…`. */
const drawn = (page: Page, names: string[], text: string): Promise<string> =>
  until(`the preview has ${text}`, async () => {
    // A changed preview is a new document, and reads of the old one then fail.
    const values = await page
      .frameLocator('iframe')
      .locator('html')
      .evaluate(propertiesOf, names)
      .catch(() => '')
    return values.startsWith(text) && values
  })

describeDashboard('the settings of a business', ({ open, openSignedOut, service }) => {
  test('JRN-35: branding changes with its preview, the payment page shows the same; a pale colour is refused', async () => {
    const { page } = await open({ path: 'settings/branding' })
    const frame = page.frameLocator('iframe')
    await frame.getByText('Demo Shop').first().waitFor()
    const color = page.getByLabel('Colour', { exact: true })
    await color.fill('#ffff00')
    await page.getByText(/is too low: at least 3 to 1/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText(/too pale for the page/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: /^Use #/ }).click()
    await page.getByText(/^Contrast with the page: 3/).waitFor()
    equal(await page.getByText(/too pale for the page/).count(), 0)
    await color.fill('#7a1fa2')
    await page.getByText(/^Contrast with the page: [67]/).waitFor()
    await page.waitForFunction(() => document.querySelector('iframe')?.src.includes('draft='))
    await drawn(page, ['--brand'], '#7a1fa2')
    await page.getByText('Declined once').click()
    await frame.locator('#attempts-left').waitFor()
    await takeScreenshots(page, 'branding-declined')
    await page.getByText('Declined three times').click()
    await frame.locator('[data-state="failed"]').waitFor()
    await page.getByText('Español', { exact: true }).click()
    await frame.locator('html[lang="es"]').waitFor()
    await page.getByText('To be paid', { exact: true }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    const total = frame.locator('.order summary b')
    await total.waitFor()
    equal(await linesOf(total), 1, 'an amount stays on one line, also with its currency')
    await page.setViewportSize({ width: 1280, height: 900 })
    const radius = page.getByRole('slider', { name: 'Corners of fields and buttons' })
    await radius.focus()
    await page.keyboard.press('End')
    equal(await radius.getAttribute('aria-valuetext'), '16 px')
    await page.getByRole('combobox', { name: 'Fonts' }).click()
    await page.getByRole('option', { name: /^With serifs/ }).click()
    const shape = await drawn(page, SHAPE, '16px Charter')
    await page.getByText('Modal', { exact: true }).click()
    await frame.locator('[data-surface="rapid"]').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()

    const owner = await signIn(service)
    const link = await owner.call('POST /checkout_sessions', {
      body: { amount_total: 2_000, customer_email: 'payer@example.com' },
    })
    const { checkout_url: url } = link.body
    const payment = await openSignedOut(new URL(url).pathname)
    equal(
      await payment.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand')),
      '#7a1fa2',
    )
    const pay = payment.getByRole('button', { name: /^Pay/ })
    equal(await pay.evaluate(propertiesOf, SHAPE), shape)
    equal(await pay.evaluate((button) => getComputedStyle(button).borderTopLeftRadius), '16px')
    match(await pay.evaluate((button) => getComputedStyle(button).fontFamily), /^Charter/)
  })

  test('what someone else changed meanwhile is shown, and what was typed stays', async () => {
    const { page, client } = await open({ path: 'settings' })
    const name = page.getByLabel('Name', { exact: false }).first()
    await name.fill('My name')
    const { version } = (await client.call('GET /settings')).body
    await client.call('PATCH /settings', { body: { version, support_phone: '+1 514 555 0123' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'Support phone: now +1 514 555 0123' }).waitFor()
    equal(await name.inputValue(), 'My name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    const now = (await client.call('GET /settings')).body
    equal(now.name, 'My name')
    equal(now.support_phone, '+1 514 555 0123')
  })

  test('the country is changed after a dialog that says what it decides', async () => {
    const { page, client } = await open({ path: 'settings' })
    const before = (await client.call('GET /settings')).body
    await page.getByRole('combobox', { name: 'Country' }).click()
    await page.getByRole('option', { name: 'Canada' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    match(await dialog.innerText(), /none at all in Quebec itself[\s\S]*Country: United States → Canada/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    equal((await client.call('GET /settings')).body.country, 'US')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { country, currency, time_zone } = (await client.call('GET /settings')).body
    deepEqual([country, currency, time_zone], ['CA', before.currency, before.time_zone])
  })

  test('letters are switched off, previewed in French and sent to the person', async () => {
    const { page, client } = await open({ path: 'settings/letters' })
    await page.getByRole('switch', { name: 'Bill paid' }).click({ force: true })
    while ((await client.call('GET /settings')).body.letters_off.length === 0) await page.waitForTimeout(50)
    await page.getByText('Français', { exact: true }).click()
    const views = page.locator('.letter-views')
    await views.locator('.letter-text', { hasText: /paiement/i }).waitFor()
    await views
      .frameLocator('iframe')
      .locator('html[lang="fr-CA"]')
      .getByText(/paiement/i)
      .first()
      .waitFor()
    equal(await views.locator('iframe').getAttribute('sandbox'), '')
    await takeScreenshots(page, 'letter-preview')
    await page.getByRole('button', { name: 'Send me a test' }).click()
    await page.getByText(`Sent to ${client.email}`).first().waitFor()
  })
})
