import { afterCommit } from './after-commit.ts'

// The table `event` is the outbox: the statement that records an event also writes the deliveries and notifications
// that the event causes. Workers poll for them. To save them the wait for a poll, a commit wakes the workers of its own
// process.

/** What was committed. */
export interface OutboxCommit {
  businessId: string
  /** Whether the commit may have caused notifications; most events cause none. */
  notifies: boolean
}

const listeners = new Set<(commit: OutboxCommit) => void>()

/** Wakes the workers of this process once the open transaction has committed; at once when none is open. */
export function wakeOutbox(commit: OutboxCommit): void {
  if (listeners.size === 0) return
  afterCommit(() => {
    for (const listener of listeners) listener(commit)
  })
}

/** @returns a function that removes the listener */
export function onOutbox(listener: (commit: OutboxCommit) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
