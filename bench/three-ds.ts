// What 3-D Secure adds between the click on Pay and the result, in a real Chromium: the same card without it, frictionless, and
// with the issuer's method. The three take turns, so that a busy machine is busy for all of them. Playwright stops each frame
// of another site until it has attached to it, which counts for the method.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { threeDsTestCard } from '../server/three-d-secure/simulator/test-cards.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { fillForm } from '../test/support/payment-page-steps.ts'
import type { Target } from './processes.ts'
import { median, table } from './report.ts'

/** The settings of a business are kept for a second. */
const SETTINGS_MS = 1_100
const PATHS = {
  'without 3-D Secure': { card: threeDsTestCard('visa', '2100'), enabled: false },
  frictionless: { card: threeDsTestCard('visa', '2100'), enabled: true },
  'with the method': { card: threeDsTestCard('visa', '2000'), enabled: true },
}
type Path = keyof typeof PATHS

export async function measureThreeDs(target: Target, databaseUrl: string, rounds: number): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const browser = await launchBrowser()
  const times: Record<Path, number[]> = { 'without 3-D Secure': [], frictionless: [], 'with the method': [] }
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [path, { card, enabled }] of Object.entries(PATHS) as [Path, (typeof PATHS)[Path]][]) {
        await database.query('update business set three_ds_enabled = $1', [enabled])
        await sleep(SETTINGS_MS)
        const ms = await payMs(browser, target, card)
        // The first round warms everything up.
        if (round >= 0) times[path].push(ms)
      }
    }
  } finally {
    await browser.close()
    await database.end()
  }
  const base = median(times['without 3-D Secure'])
  console.log(`\n3-D Secure: from the click on Pay to the result, medians of ${rounds}`)
  console.log(
    table(
      ['path', 'ms (low to high)', 'added'],
      Object.entries(times).map(([path, all]) => {
        const middle = median(all)
        const range = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
        return [
          path,
          `${middle.toFixed(1)} (${range})`,
          `${(middle - base).toFixed(1)} (× ${(middle / base).toFixed(2)})`,
        ]
      }),
    ),
  )
}

/** Ends when the page shows that the payment is approved. */
async function payMs(browser: Browser, { url, createPath, headers }: Target, cardnumber: string): Promise<number> {
  const response = await fetch(url + createPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount_total: 25.99,
      customer_email: 'buyer@example.com',
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    }),
  })
  const { checkout_session: session } = (await response.json()) as { checkout_session?: { checkout_url: string } }
  if (!session) throw new Error(`A session was refused: ${response.status}`)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const shown = new Promise<number>((resolve) => void page.exposeFunction('shown', resolve))
    await page.addInitScript(watch)
    await page.goto(session.checkout_url)
    await fillForm(page, { cardnumber, postal: '10001' })
    await page.locator('#pay').click()
    return await Promise.race([shown, sleep(20_000).then(() => Promise.reject(new Error('no result')))])
  } finally {
    await context.close()
  }
}

/** In the page. */
function watch(): void {
  let clickedAt = 0
  addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('#pay')) clickedAt ||= performance.now()
    },
    true,
  )
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.closed [data-fill=receipt]')?.textContent) return
    observer.disconnect()
    ;(window as never as { shown(ms: number): void }).shown(performance.now() - clickedAt)
  }).observe(document, { subtree: true, childList: true })
}
