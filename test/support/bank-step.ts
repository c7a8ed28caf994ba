import type { Frame, Page } from 'playwright-core'

/** Hints that the card page received, and whether they came from the frame of the step. */
export interface Hint {
  origin: string
  isFromFrame: boolean
  data: { type: string; id: string }
}

/** Frames a step in the card page, as its script does, and listens for hints. */
export async function frameStep(card: Page | Frame, url: string): Promise<{ hints(): Promise<Hint[]> }> {
  await card.evaluate((src) => {
    const frame = Object.assign(document.createElement('iframe'), { src, width: '390', height: '400' })
    const received: unknown[] = []
    Object.assign(window, { received })
    addEventListener('message', ({ origin, source, data }) => {
      if (data?.type === 'rc:ddd') received.push({ origin, isFromFrame: source === frame.contentWindow, data })
    })
    document.body.append(frame)
  }, url)
  return { hints: () => card.evaluate(() => Reflect.get(window, 'received')) }
}

/** The frame that shows this URL; waits for it. */
export async function frameAt(page: Page, url: string): Promise<Frame> {
  const found = () => page.frames().find((frame) => frame.url() === url)
  for (let frame = found(); ; frame = found()) {
    if (frame) return frame
    await page.waitForEvent('framenavigated')
  }
}
