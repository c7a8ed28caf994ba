import { equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { TEXTS } from '../../dashboard/areas/subscriptions/texts/texts.ts'
import { describeDashboard, expectFits, takeScreenshots } from '../support/describe-dashboard.ts'
import { pressOn, tabTo, typeInto } from '../support/keyboard.ts'
import { expectNoEnglish } from '../support/no-english.ts'
import { makeSubscriber, type Subscriber } from '../support/subscriber.ts'

const DAY = 86_400

describeDashboard('the schedule of a subscription in the dashboard', ({ open, service }) => {
  let ana: Subscriber
  before(async () => {
    ana = await makeSubscriber(service)
  })
  const advance = async (seconds: number) => equal((await ana.api.post('/test_clock/advance', { seconds })).status, 200)
  const subscribed = async (): Promise<string> => {
    const { customer, payment_method, price } = ana
    return (await ana.api.made('/subscriptions', { customer, payment_method, price })).id
  }
  const read = async (id: string) => (await ana.api.get(`/subscriptions/${id}`)).body
  const status = (page: Page, word: string) => page.getByText(word, { exact: true }).first().waitFor()

  test('JRN-28: by keyboard: cancel at the period end, undo it, cancel now', async () => {
    const id = await subscribed()
    const { page } = await open({ path: `subscriptions/${id}` })
    const dialog = page.getByRole('dialog')
    const press = (name: string, within: Page | typeof dialog = page) =>
      pressOn(page, within.getByRole('button', { name, exact: true }))
    await press('Cancel subscription')
    await dialog.getByText('Service and attempts go on until').waitFor()
    await typeInto(page, dialog.getByLabel('Comment'), 'moved away')
    await page.keyboard.press('Enter')
    await page.getByText(/This subscription ends on/).waitFor()
    equal((await read(id)).cancellation_details.comment, 'moved away')
    await press('Undo the cancellation')
    await page.getByText(/This subscription ends on/).waitFor({ state: 'detached' })
    await press('Cancel subscription')
    await tabTo(page, dialog.getByRole('radio', { name: 'At the end of the period' }))
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('No further bill is charged. Nothing is refunded.').waitFor()
    await press('Cancel subscription', dialog)
    await status(page, 'CANCELLED')
    equal((await read(id)).status, 'canceled')
  })

  for (const locale of ['fr-CA', 'es'] as const)
    test(`JRN-38: a pause, its resume and the calendar in ${locale}: no English is left, nothing is cut at 320 px`, async () => {
      const id = await subscribed()
      await advance(10 * DAY)
      const context = { locale, viewport: { width: 320, height: 900 } }
      const t = await TEXTS.load(locale)
      const { page, client } = await open({ path: `subscriptions/${id}`, context })
      const dialog = page.getByRole('dialog')
      const button = (name: string, within: Page | typeof dialog = page) =>
        within.getByRole('button', { name, exact: true })
      const check = async (shown = page) => {
        await expectNoEnglish(shown, locale)
        await expectFits(shown)
      }
      await button(t.pause).waitFor()
      await check()
      await takeScreenshots(page, `subscription-${locale}`)
      await button(t.pause).click()
      await dialog.getByRole('radio', { name: t.keepTime }).check()
      await check()
      await button(t.pause, dialog).click()
      await dialog.waitFor({ state: 'detached' })
      await advance(40 * DAY)
      await button(t.resume).click()
      await dialog.getByRole('radio', { name: t.resumeNow }).check()
      await check()
      await dialog.locator('button[type=submit]').click()
      await dialog.waitFor({ state: 'detached' })
      equal((await read(id)).status, 'active')
      for (const [path, there] of [
        ['calendar', 'h1'],
        [`subscriptions/new?customer=${ana.customer}`, '[type=radio]'],
      ] as const) {
        const other = await open({ as: client, path, context })
        await other.page.locator(there).first().waitFor()
        await check(other.page)
        await takeScreenshots(other.page, `${path.split('?')[0]?.replace('/', '-')}-${locale}`)
      }
    })
})
