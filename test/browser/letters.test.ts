import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityFaults, faultsInLightAndDark } from '../support/accessibility.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { letterSamples } from '../support/letter-samples.ts'

/** Rules about pages: a letter is an article inside the page of a mail program, which has the landmarks. */
const OF_PAGES = /^(?:light: )?(?:landmark-one-main|region):/
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrik'.repeat(2)

const noWorld = async () => ({ close: async () => {} })

describeWithBrowser('every letter in every language, in a browser', noWorld, ({ browser }) => {
  test('has no accessibility faults, in light and dark, and fits a narrow phone', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > 320)
    for (const { name, locale, html } of await letterSamples()) {
      await page.setContent(html)
      // The colours are the same in every language.
      const found = locale === 'en' ? await faultsInLightAndDark(page) : await accessibilityFaults(page)
      const faults = found.filter((fault) => !OF_PAGES.test(fault))
      deepEqual(faults, [], `${locale} ${name}`)
      ok(!(await isWide()), `${locale} ${name} is too wide`)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    const names = { business: LONG, customer: LONG, email: LONG, description: LONG }
    for (const { name, html } of await letterSamples(names)) {
      await page.setContent(html)
      ok(!(await isWide()), `${name} with long names is too wide`)
    }
    await page.close()
  })
})
