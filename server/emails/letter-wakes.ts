import { afterCommit } from '../db/after-commit.ts'

// Letters wake only the workers of their own process. `onOutbox` would wake them for every event, most of which cause
// no letters.

const listeners = new Set<() => void>()

/** Wakes the workers once the open transaction has committed. */
export function wakeLetterWorkers(): void {
  afterCommit(() => {
    for (const listener of listeners) listener()
  })
}

/** @returns a function that removes the listener */
export function onNewLetters(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
