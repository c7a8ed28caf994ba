import { useCallback } from 'react'
import { useInvalidate } from '../../kit/read.ts'

/** Reads again whatever shows the subscription. */
export function useChanged(): () => Promise<void> {
  const invalidate = useInvalidate()
  return useCallback(
    () => invalidate('GET /subscriptions/{id}', 'GET /subscriptions', 'GET /bills/upcoming'),
    [invalidate],
  )
}
