import { useCallback } from 'react'
import { useInvalidate } from '../../kit/read.ts'

/** Returns a function that invalidates every read that shows the subscription. */
export function useChanged(): () => Promise<void> {
  const invalidate = useInvalidate()
  return useCallback(
    () => invalidate('GET /subscriptions/{id}', 'GET /subscriptions', 'GET /bills/upcoming'),
    [invalidate],
  )
}
