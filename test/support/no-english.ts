import { deepEqual } from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { TEST_CARD_TEXTS } from '../../contract/dashboard/test-card-texts.ts'
import type { Locale } from '../../dashboard/kit/texts.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Returns every complete text of the dashboard's catalogues in a language. */
async function textsIn(locale: Locale): Promise<Set<string>> {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  for await (const file of glob(`dashboard/**/{texts,*-texts,*-names}/${locale}.ts`, { cwd: ROOT }))
    collect(await import(`${ROOT}${file}`).then((module) => Object.values(module)[0]))
  // Their English texts are also in docs/reference/test-cards.md.
  if (locale === 'en') collect(TEST_CARD_TEXTS)
  return found
}

/** Expects that no text, name or hint of the page is an English text that is different in the page's language. */
export async function expectNoEnglish(page: Page, locale: Exclude<Locale, 'en'>): Promise<void> {
  const [english, other] = await Promise.all([textsIn('en'), textsIn(locale)])
  const shown = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node.textContent ?? '')
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '')
    return [document.title, ...texts].map((text) => text.trim())
  })
  deepEqual(
    shown.filter((text) => english.has(text) && !other.has(text)),
    [],
    locale,
  )
}
