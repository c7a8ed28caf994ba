import { AsyncLocalStorage } from 'node:async_hooks'

/** Calls that follow the commit of the open transaction. */
export const openTransaction = new AsyncLocalStorage<(() => void)[]>()

/** Calls `follow` when the open transaction has committed, never when it is rolled back; at once when none is open. */
export function afterCommit(follow: () => void): void {
  const committed = openTransaction.getStore()
  if (committed) committed.push(follow)
  else follow()
}
