import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

export type Part = string | { exclude: string[] }

/** Rules whose result depends on the colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Runs axe in a page or frame. The context must bypass the CSP, because axe is injected as a foreign script.
 *
 * @param only `colors` for a page whose other rules have already been checked, in another colour scheme
 * @param part a selector, or those to leave out, for a page whose other parts have already been checked
 */
export async function accessibilityFaults(
  page: Page | Frame,
  only: 'colors' | 'everything' = 'everything',
  part: Part = ':root',
) {
  // Once per document: parsing it again takes half as long as a run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const runOnly = only === 'colors' ? { type: 'rule', values: COLOR_RULES } : { type: 'tag', values: TAGS }
  return page.evaluate(
    async ({ runOnly, part }) => {
      // The options of a list of countries are alike, and would take half of the time.
      const lists = [...document.querySelectorAll('select')].filter((list) => list.childElementCount > 20)
      const whole = lists.map((list) => ({ list, children: [...list.children], index: list.selectedIndex }))
      for (const { list, children, index } of whole) list.replaceChildren(...children.slice(index, index + 3))
      const checker = (window as unknown as { axe: { run: (part: Part, options: object) => Promise<AxeResult> } }).axe
      const { violations: found } = await checker.run(part, { runOnly, resultTypes: ['violations'] })
      for (const { list, children, index } of whole) {
        list.replaceChildren(...children)
        list.selectedIndex = index
      }
      return found.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      )
    },
    { runOnly, part },
  )
}

/** Runs axe in light, and in dark for what depends on colours. Returns the faults with their colour scheme. */
export async function faultsInLightAndDark(page: Page, where: Page | Frame = page): Promise<string[]> {
  const faults: string[] = []
  for (const [colorScheme, only] of [
    ['light', 'everything'],
    ['dark', 'colors'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    faults.push(...(await accessibilityFaults(where, only)).map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}
