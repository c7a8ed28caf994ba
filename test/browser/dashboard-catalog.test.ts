import { test } from 'node:test'
import { describeDashboard } from '../support/describe-dashboard.ts'

describeDashboard('products and prices', ({ open }) => {
  test('asks for the script of a page together with the session', async () => {
    const { page } = await open()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/dashboard/api/me', async (route) => {
      await held
      await route.continue()
    })
    const script = page.waitForRequest(/\/assets\/products-page-/, { timeout: 10_000 })
    await page.goto(page.url().replace(/\/[^/]*$/, '/products'), { waitUntil: 'commit' })
    await script
    release()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  })
})
