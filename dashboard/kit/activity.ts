// Time of the person's last action. Calls that a page makes automatically do not keep the session alive (DSH-10).

const ACTIVE_MS = 60_000
let lastAt = Date.now()

const note = () => {
  lastAt = Date.now()
}

for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  addEventListener(event, note, { capture: true, passive: true })
}

export const isActive = (): boolean => Date.now() - lastAt < ACTIVE_MS
