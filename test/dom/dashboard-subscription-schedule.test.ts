import { deepEqual, equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { billingDay } from '../../server/subscriptions/plan/calendar.ts'
import { describeDashboardInDom } from '../support/dom/describe-dashboard-in-dom.ts'
import { makeSubscriber, type Subscriber } from '../support/subscriber.ts'

const DAY = 86_400

describeDashboardInDom('the schedule of a subscription in the dashboard', ({ open, service }) => {
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

  test('JRN-24: pause now: no default for the time left; later both previews of a resume, and one of them charged', async () => {
    const id = await subscribed()
    await advance(10 * DAY)
    const { page } = await open({ path: `subscriptions/${id}` })
    await page.getByRole('button', { name: 'Pause' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/days are left, worth \$/).waitFor()
    const pause = dialog.getByRole('button', { name: 'Pause', exact: true })
    deepEqual([await dialog.getByRole('radio', { checked: true }).count(), await pause.isDisabled()], [1, true])
    await dialog.getByRole('radio', { name: 'Keep the remaining time for later' }).check()
    await pause.click()
    await status(page, 'PAUSED')
    await advance(40 * DAY)
    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByText('Start today').waitFor()
    await dialog.getByText('Keep the schedule').waitFor()
    const resume = dialog.getByRole('button', { name: 'Resume', exact: true })
    equal(await resume.isDisabled(), true)
    await dialog.getByRole('radio', { name: 'Start today' }).check()
    await resume.click()
    await status(page, 'ACTIVE')
    deepEqual([(await read(id)).status, (await read(id)).installments_billed], ['active', 1])
  })

  test('JRN-25, JRN-27: an external refund needs tick and reference; a quote of yesterday is struck through, then charged', async () => {
    const id = await subscribed()
    const { page } = await open({ path: `subscriptions/${id}` })
    await page.getByRole('button', { name: 'Pause' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'I give the money back myself' }).check()
    await dialog.getByRole('link', { name: 'Refund the payment first' }).waitFor()
    const pause = dialog.getByRole('button', { name: 'Pause', exact: true })
    const [reference, box] = [dialog.getByLabel('Reference of your refund'), dialog.getByRole('checkbox')]
    await reference.fill('RF-12')
    equal(await pause.isDisabled(), true, 'without the box')
    await box.check()
    await reference.fill('')
    equal(await pause.isDisabled(), true, 'without a reference')
    await reference.fill('RF-12')
    await pause.click()
    await status(page, 'PAUSED')
    await page.getByText('Given back (RF-12)').waitFor()

    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('radio', { name: 'Start today' }).check()
    await advance(DAY)
    const charge = dialog.getByRole('button', { name: 'Resume and charge $25.00' })
    await charge.click()
    await dialog.getByText('This has changed since you looked at it.').first().waitFor()
    await dialog.locator('s').first().waitFor()
    equal((await read(id)).status, 'paused')
    await charge.click()
    await status(page, 'ACTIVE')
    equal((await read(id)).installments_billed, 2)
  })

  test('JRN-26: a pause at the period end, undone, again, and its boundary', async () => {
    const id = await subscribed()
    const { page } = await open({ path: `subscriptions/${id}` })
    const dialog = page.getByRole('dialog')
    const pauseAtEnd = async () => {
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await dialog.getByRole('radio', { name: 'At the end of the paid period' }).check()
      await dialog.getByText('The pause begins on').waitFor()
      await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByText(/This subscription pauses on/).waitFor()
    }
    await pauseAtEnd()
    await page.getByRole('button', { name: 'Undo the pause' }).click()
    await page.getByText(/This subscription pauses on/).waitFor({ state: 'detached' })
    await pauseAtEnd()
    await advance(32 * DAY)
    await page.reload()
    await status(page, 'PAUSED')
  })

  test('DSH-4: an edit of what somebody else has changed says so, and is saved when it is sent again', async () => {
    const id = await subscribed()
    const { page, client } = await open({ path: `subscriptions/${id}` })
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reference').fill('B-2')
    const { version } = (await client.call(`GET /subscriptions/${id}`)).body
    await client.call(`PATCH /subscriptions/${id}`, { body: { version, reference: 'A-1' } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Now it says: A-1').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    equal((await read(id)).metadata.reference, 'B-2')
  })

  test('JRN-29: the calendar has the dates of the engine, also of bills that are anchored on 31 January', async () => {
    const now = (await ana.api.get('/test_clock')).body.now
    const year = new Date(now * 1000).getUTCFullYear() + 1
    await ana.api.post('/test_clock/advance', { to: Date.parse(`${year}-01-31T15:00:00Z`) / 1000 })
    const id = await subscribed()
    const { billing_cycle_anchor: anchor } = await read(id)
    const days = [1, 2, 3].map((k) => billingDay(anchor, { interval: 'month', count: 1 }, k))
    match(days.join(), /-02-2[89],\d+-03-31,\d+-04-30$/)
    const [first = anchor] = days
    const { page } = await open({ path: `calendar?month=${year}-02` })
    const day = page.getByRole('button', { name: new RegExp(`Open ${longDay(first)}`) })
    await day.waitFor()
    await day.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Gold plan' }).first().waitFor()
    const hrefs = await dialog.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    equal(hrefs.filter((href) => href?.endsWith(id)).length, 1)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('List', { exact: true }).click()
    for (const [month, due] of days.entries()) {
      if (month > 0) await page.getByRole('button', { name: 'Next month' }).click()
      await page.getByRole('row').locator(`time[datetime="${due}"]`).waitFor()
    }
    // The engine charges the first of them on that day, and none before.
    const paid = async () => (await read(id)).installments_billed
    await ana.api.post('/test_clock/advance', { to: Date.parse(`${first}T00:00:00Z`) / 1000 })
    equal(await paid(), 1)
    await advance(DAY)
    equal(await paid(), 2)
  })
})

/** Returns a day as `February 28, 2028`. */
const longDay = (day: string) => new Date(day).toLocaleDateString('en-CA', { dateStyle: 'long', timeZone: 'UTC' })
