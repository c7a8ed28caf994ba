import { equal } from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { DashboardState } from '../../server/dashboard/document.ts'
import { expectAccessible } from '../support/describe-dashboard.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { openService } from '../support/service.ts'

const SHOWS_FRAGMENT = Buffer.from('document.getElementById("root").textContent = "opened " + location.hash')
const BUILT: DashboardState = {
  begin: 'begin.js',
  script: 'main.js',
  preloads: [],
  styles: [],
  pages: {},
  files: new Map([
    ['main.js', { type: 'text/javascript', plain: SHOWS_FRAGMENT, gzip: SHOWS_FRAGMENT, brotli: SHOWS_FRAGMENT }],
  ]),
}
let state: DashboardState

describeWithBrowser(
  'a dashboard that is being built',
  () => openService({ dashboard: () => state }),
  ({ browser, world: service }) => {
    beforeEach(() => {
      state = 'building'
    })

    // A start prints such a link, and a new user may open it before the first build is finished.
    test('opens by itself when it is there, with the code of the link that was opened (DSH-24)', async () => {
      const page = await browser.newPage({ extraHTTPHeaders: { 'accept-encoding': 'identity' } })
      await page.goto(`${service.formUrl}/dashboard/set-up#code-of-the-link`)
      await page.getByText('The dashboard is being prepared.').waitFor()
      state = BUILT
      await page.getByText('opened #code-of-the-link').waitFor()
      equal(await page.evaluate(() => location.pathname), '/dashboard/set-up')
      await page.close()
    })

    test('is accessible', async () => {
      const page = await browser.newPage()
      // It would reload itself while it is being read.
      await page.route('**/*.js', (route) => route.abort())
      await page.goto(`${service.formUrl}/dashboard/set-up`)
      await page.getByText('The dashboard is being prepared.').waitFor()
      await expectAccessible(page)
      await page.close()
    })
  },
)
