import { deepEqual, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessibilityFaults } from '../support/accessibility.ts'
import { launchBrowser } from '../support/browser.ts'
import { letterSamples } from '../support/letter-samples.ts'

/** Rules about pages: a letter is an article inside the page of a mail program, which has the landmarks. */
const OF_PAGES = /^(?:landmark-one-main|region):/
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrik'.repeat(2)

describe('every letter in every language, in a browser', () => {
  test('has no accessibility faults, in light and dark, and fits a narrow phone', async () => {
    const browser = await launchBrowser()
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport: { width: 320, height: 700 }, colorScheme })
        const page = await context.newPage()
        const samples = await letterSamples()
        // The colours are the same in every language.
        const shown = samples.filter(({ locale }) => colorScheme === 'light' || locale === 'en')
        for (const { name, locale, html } of shown) {
          await page.setContent(html)
          const faults = (await accessibilityFaults(page)).filter((fault) => !OF_PAGES.test(fault))
          deepEqual(faults, [], `${locale} ${name} ${colorScheme}`)
          ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, `${locale} ${name} is too wide`)
        }
        for (const { name, html } of await letterSamples({
          business: LONG,
          customer: LONG,
          email: LONG,
          description: LONG,
        })) {
          await page.setContent(html)
          ok(
            (await page.evaluate(() => document.documentElement.scrollWidth)) <= 320,
            `${name} with long names is too wide`,
          )
        }
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })
})
