import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { describeDashboard, expectAccessible, takeScreenshots } from '../support/describe-dashboard.ts'

describeDashboard('the frame of the dashboard', ({ open }) => {
  test('opens a page of the business', async () => {
    const { page } = await open({ path: 'payments' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    equal(await page.getByRole('navigation').count(), 1)
    await expectAccessible(page)
    await takeScreenshots(page, 'frame')
  })
})
