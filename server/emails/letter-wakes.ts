import { afterCommit } from '../db/after-commit.ts'

// Letters wake the workers of their own process only. `onOutbox` would wake them for every event, most of which make
// none.

const listeners = new Set<() => void>()

/** Once the open transaction has committed. */
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
