import type { Page } from 'playwright-core'

type Received = { type: string } & Record<string, unknown>

/** Records every message that the page receives from now on. */
export function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const received: unknown[] = []
    Object.assign(window, { received })
    addEventListener('message', ({ data }) => received.push(data))
  })
}

export function receivedBy(page: Page): Promise<Received[]> {
  return page.evaluate('received')
}
