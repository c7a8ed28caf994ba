import { deepEqual } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityFaults, type Part } from './accessibility.ts'
import { takeScreenshots, widerThanWindow } from './describe-dashboard.ts'
import { until } from './until.ts'

// A walk through states of the dashboard's pages, each of which is checked by axe in light and dark, and at 320 px.
// Journeys do not check how their pages look, because each check takes as long as a page load.

const PHONE_WIDTH = 320
const REPOSITION_WITHIN_MS = 2_000

export interface Gallery {
  page: Page
  /** Opens a path of the business, by default without loading the document again. */
  go(path: string, how?: 'anew'): Promise<void>
  /** Clicks the first button of this name. */
  press(name: string | RegExp): Promise<void>
  /** Clicks the first button of this name in the dialog. */
  confirm(name: string | RegExp): Promise<void>
  /** Waits until a text is shown. */
  sees(text: string | RegExp): Promise<void>
  /** Closes the dialog. */
  leave(): Promise<void>
  /** Chooses an option of a field. */
  choose(field: string | RegExp, option: string | RegExp): Promise<void>
  /** Checks what is shown now, without the frame, which is the same in all states of a page. */
  looks(state: string): Promise<void>
  /** Checks the frame too. */
  allLooks(state: string): Promise<void>
  /** Checks the open dialog alone, because the page behind it is a state of its own. */
  dialogLooks(state: string): Promise<void>
  /** Runs a part of the walk. If it fails, the next one begins all the same. */
  room(name: string, body: () => Promise<void>): Promise<void>
  /** Asserts that no state had a fault, and that no room failed. */
  isSound(): void
}

/** @param base the URL of the business's pages, which ends with `/` */
export function galleryOf(page: Page, base: string): Gallery {
  const faults: string[] = []
  const dialog = page.getByRole('dialog')
  async function note(state: string, part: Part) {
    faults.push(...(await faultsOf(page, part)).map((fault) => `${state}: ${fault}`))
    await takeScreenshots(page, state.replaceAll(/\W+/g, '-'))
  }
  const gallery: Gallery = {
    page,
    async go(path, how) {
      if (how === 'anew') return void (await page.goto(base + path))
      // Toasts of the previous page may lie over a button.
      await page.evaluate((url) => history.pushState(null, '', url), base + path)
      await page.waitForURL((url) => url.href.startsWith(base + path))
    },
    press: (name) => page.getByRole('button', { name, exact: true }).first().click(),
    confirm: (name) => dialog.getByRole('button', { name, exact: true }).first().click(),
    sees: (text) => page.getByText(text).first().waitFor(),
    async leave() {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
    async choose(field, option) {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option }).first().click()
    },
    looks: (state) => note(state, { exclude: ['.shell > .top', '.side'] }),
    allLooks: (state) => note(state, ':root'),
    dialogLooks: (state) => note(state, '[role="dialog"]'),
    async room(name, body) {
      try {
        await body()
      } catch (error) {
        faults.push(`${name} failed at ${page.url()}: ${(error as Error).stack}`)
      }
    },
    isSound: () => deepEqual(faults, []),
  }
  return gallery
}

/** Makes the first response of each preview outdated by the time it is confirmed. */
export async function staleOnce(page: Page, preview: RegExp, changed: (shown: Shown) => Shown): Promise<void> {
  const seen = new Set<string>()
  await page.route(preview, async (route) => {
    const asked = route.request().url() + route.request().postData()
    if (seen.has(asked)) return route.continue()
    seen.add(asked)
    const response = await route.fetch()
    const shown = (await response.json()) as Shown
    return route.fulfill({ response, json: { ...shown, ...changed(shown), preview_hash: '0'.repeat(64) } })
  })
}

type Shown = Record<string, unknown>

/** Returns what is wrong with the page as it is shown now. It then has the other colour scheme. */
async function faultsOf(page: Page, part: Part): Promise<string[]> {
  await isRead(page)
  const faults = await accessibilityFaults(page, 'everything', part)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark', reducedMotion: 'reduce' })
  faults.push(...(await accessibilityFaults(page, 'colors', part)))
  const size = page.viewportSize()
  await page.setViewportSize({ width: PHONE_WIDTH, height: 800 })
  faults.push(...(await misfitsOf(page)))
  if (size) await page.setViewportSize(size)
  return faults
}

/** Waits for what is being read: meanwhile rows are dimmed, and outlines are shown. */
async function isRead(page: Page): Promise<void> {
  const waiting = page.locator('[aria-busy="true"], .mantine-Skeleton-root')
  await until('the page has been read', async () => (await waiting.count()) === 0)
}

/** Returns what is wider than the page. A list of options follows its field a moment after the window has changed. */
async function misfitsOf(page: Page): Promise<string[]> {
  let misfits = await page.evaluate(widerThanWindow)
  const deadline = Date.now() + REPOSITION_WITHIN_MS
  while (misfits.length > 0 && Date.now() < deadline) misfits = await page.evaluate(widerThanWindow)
  return misfits
}
