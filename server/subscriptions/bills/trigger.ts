import type { Bill } from '../bill.ts'

/**
 * Why a bill was charged, as far as its row shows: an attempt before the planned time was asked for by the merchant.
 *
 * @param bill with the attempt as its last one
 * @see SUB-34
 */
export function triggerOf({ failedAttempts, nextAttemptAt, lastAttemptAt }: Bill): 'scheduled' | 'retry' | 'manual' {
  if (lastAttemptAt !== null && nextAttemptAt !== null && lastAttemptAt < nextAttemptAt) return 'manual'
  return failedAttempts === 0 ? 'scheduled' : 'retry'
}
