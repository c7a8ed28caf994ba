// When the person last did something. What a page reads by itself keeps nobody signed in (DSH-10).

const ACTIVE_MS = 60_000
let lastAt = Date.now()

const note = () => {
  lastAt = Date.now()
}

for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  addEventListener(event, note, { capture: true, passive: true })
}

export const isActive = (): boolean => Date.now() - lastAt < ACTIVE_MS
