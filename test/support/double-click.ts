import { test } from 'node:test'
import type { Frame, Locator, Page } from 'playwright-core'
import { inCase } from './cases.ts'

// A payer who double-clicks: a real pointer that does not move, whatever the page renders under it.

/** Milliseconds between two clicks. Operating systems treat up to 500 as a double-click. */
export const GAPS = [0, 30, 80, 150, 300, 500] as const

export const SIZES = {
  'a small phone': { width: 360, height: 640 },
  'a phone': { width: 390, height: 844 },
  'a tablet': { width: 768, height: 1024 },
  'a desk': { width: 1280, height: 800 },
} as const

/** The longest gap that the page may have seen, a little below the one after which it treats a click as a new one. */
const LATEST_MS = 620
const TRIES = 10

class TooLate extends Error {}

/** Defines a test with {@link clickTwice}, which is repeated if the machine was too busy to click twice in time. */
export function doubleClickTest(name: string, run: () => Promise<void>): void {
  test(name, () => retried(run))
}

/**
 * Runs cases with {@link clickTwice} one after another in what `open` returns. If the machine was too busy to click
 * twice in time, that case and the following run in a new one, which `open` returns for them.
 */
export async function eachDoubleClick<Case, Opened extends AsyncDisposable>(
  cases: Case[],
  given: {
    name(one: Case): string
    open(left: Case[]): Promise<Opened>
    run(opened: Opened, one: Case): Promise<void>
  },
): Promise<void> {
  let left = cases
  await retried(async () => {
    await using opened = await given.open(left)
    for (const one of left) {
      await inCase(given.name(one), () => given.run(opened, one))
      left = left.slice(1)
    }
  })
}

async function retried(run: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await run()
    } catch (error) {
      const isTooLate = error instanceof TooLate || (error instanceof Error && error.cause instanceof TooLate)
      if (!isTooLate || tried === TRIES) throw error
    }
  }
}

/**
 * Scrolls to the target, and clicks twice on its centre.
 *
 * @throws to be repeated, if the second click came later than a double click's
 */
export async function clickTwice(page: Page, target: Locator, gap: number): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const pressedAt = await watchPresses(target)
  const box = await target.boundingBox()
  if (!box) throw new Error('Nothing to click on')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const began = performance.now()
  await page.mouse.click(x, y)
  // Measured from press to press: on a busy machine a click takes a while.
  await page.waitForTimeout(Math.max(0, gap - (performance.now() - began)))
  await page.mouse.click(x, y)
  const longest = performance.now() - began
  const [first, second] = await pressedAt()
  const seen = first === undefined || second === undefined ? longest : second - first
  if (seen > LATEST_MS) throw new TooLate(`The second click came ${seen} ms after the first`)
}

/** Returns when the document of the target was pressed, by its own clock; empty once the document is gone. */
async function watchPresses(target: Locator): Promise<() => Promise<number[]>> {
  const presses = await target.evaluateHandle(() => {
    const pressedAt: number[] = []
    window.addEventListener('pointerdown', () => pressedAt.push(performance.now()), { capture: true })
    return pressedAt
  })
  return () => presses.jsonValue().catch(() => [])
}

/** Records every position of Pay and Cancel from the next press until the result is shown. */
export function watchPlaces(form: Page | Frame): Promise<void> {
  return form.evaluate(() => {
    const places = new Set<string>()
    Object.assign(window, { places })
    const note = () => {
      const boxes = ['pay', 'cancel'].map((id) => document.getElementById(id)?.getBoundingClientRect())
      places.add(boxes.map((box) => box && [box.x, box.y, box.width, box.height].map(Math.round).join()).join(' '))
    }
    const follow = () => {
      // The next case records its own.
      if ((window as unknown as { places: Set<string> }).places !== places) return
      if (document.getElementById('columns')?.dataset.phase === 'submitting') note()
      requestAnimationFrame(follow)
    }
    const start = () => {
      note()
      follow()
    }
    document.addEventListener('pointerdown', start, { capture: true, once: true })
  })
}

/** Returns the positions of Pay and Cancel from the press to the result: one if nothing moved. */
export function placesOf(form: Page | Frame): Promise<string[]> {
  return form.evaluate(() => [...(window as unknown as { places: Set<string> }).places])
}

/** Returns the state that a click could change: checkboxes, radio buttons, lists and open sections. */
export function choicesOf(form: Page | Frame): Promise<string> {
  return form.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input, select, details')]
      .map((one) => `${one.id}:${one.checked ?? ''}${one.matches('select') ? one.value : ''}${one.matches('[open]')}`)
      .join(' '),
  )
}
