import type { Locator, Page } from 'playwright-core'

const PRESSES_MAX = 60

type TabKey = 'Tab' | 'Shift+Tab'

/** Moves the focus with the Tab key until the target has it, like a person without a pointer. */
export async function tabTo(page: Page, target: Locator, key: TabKey = 'Tab'): Promise<void> {
  await target.first().waitFor()
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach ${target}`)
}

/** Reaches a field with the keyboard and types into it. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Reaches a button or a link with the keyboard and presses it. */
export async function pressOn(page: Page, target: Locator, key?: TabKey): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

export async function isFocused(target: Locator): Promise<boolean> {
  if ((await target.count()) === 0) return false
  return target.first().evaluate((element) => element === document.activeElement)
}
