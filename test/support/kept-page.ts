import type { Browser, Page } from 'playwright-core'

// A page of a browser that tests use one after another. A new context starts a new process for its first page, which
// takes three times as long as another document in the page that is there.

/** Members of a page whose effect stays. A page of which one was used is not used again. */
const LASTING: ReadonlySet<string | symbol> = new Set([
  'addInitScript',
  'clock',
  'close',
  'context',
  'exposeBinding',
  'exposeFunction',
  'setExtraHTTPHeaders',
])
const VIEWPORT = { width: 1280, height: 720 }

export interface TakenPage {
  page: Page
  /** Ends the use of the page: nothing of it is left for the next one who takes it. */
  leave(): Promise<void>
}

export interface KeptPages {
  /** Returns the page that is kept, without cookies, storage, routes and listeners; a new one if it is in use. */
  take(): Promise<TakenPage>
}

/**
 * Returns pages in contexts with the usual options.
 *
 * @param blankUrl a document of the same site without a script, on which the page waits for its next use
 */
export function keptPages(browser: Browser, blankUrl: () => string): KeptPages {
  let free: Page | null = null
  return {
    async take() {
      const page = free ?? (await (await browser.newContext({ viewport: VIEWPORT })).newPage())
      free = null
      let isSpent = false
      const watched = new Proxy(page, {
        get(target, name) {
          if (LASTING.has(name)) isSpent = true
          const member = Reflect.get(target, name)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
      return {
        page: watched,
        async leave() {
          if (isSpent || free !== null || page.isClosed()) return page.context().close()
          await clean(page, blankUrl())
          free = page
        },
      }
    },
  }
}

async function clean(page: Page, blankUrl: string): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const context = page.context()
  await Promise.all(context.pages().map((other) => (other === page ? null : other.close())))
  const goBlank = () => page.goto(blankUrl)
  // A document that goes elsewhere by itself may interrupt the first attempt.
  await goBlank().catch(goBlank)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await context.clearCookies()
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null })
  await page.setViewportSize(VIEWPORT)
}
