import type { Bill } from '../bill.ts'

/**
 * Returns why a bill was charged, as far as its row shows: if the attempt came before the planned time, the merchant
 * asked for it.
 *
 * @param bill the bill, with the attempt in question as its last one
 * @see SUB-34
 */
export function triggerOf({ failedAttempts, nextAttemptAt, lastAttemptAt }: Bill): 'scheduled' | 'retry' | 'manual' {
  if (lastAttemptAt !== null && nextAttemptAt !== null && lastAttemptAt < nextAttemptAt) return 'manual'
  return failedAttempts === 0 ? 'scheduled' : 'retry'
}
