import { afterCommit } from './after-commit.ts'

// The table `event` is the outbox: the deliveries and notifications that an event makes are rows of its statement. Workers
// poll for them. So that they need not wait for a poll, a commit wakes the workers of its own process.

const listeners = new Set<(businessId: string) => void>()

/** Wakes the workers of this process once the open transaction has committed; at once when none is open. */
export function wakeOutbox(businessId: string): void {
  if (listeners.size === 0) return
  afterCommit(() => {
    for (const listener of listeners) listener(businessId)
  })
}

/** @returns a function that removes the listener */
export function onOutbox(listener: (businessId: string) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
