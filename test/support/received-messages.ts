import type { Page } from 'playwright-core'

type Heard = { type: string } & Record<string, unknown>

/** Keeps every message that the page gets from now on. */
export function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    addEventListener('message', ({ data }) => heard.push(data))
  })
}

export function heardBy(page: Page): Promise<Heard[]> {
  return page.evaluate('heard')
}
