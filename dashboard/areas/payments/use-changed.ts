import { useCallback } from 'react'
import { useInvalidate } from '../../kit/read.ts'

/** Returns a function that invalidates every read that shows the payment. */
export function useChanged(): () => Promise<void> {
  const invalidate = useInvalidate()
  return useCallback(
    () => invalidate('GET /payments/{id}', 'GET /payments/{id}/timeline', 'GET /payments', 'GET /operations'),
    [invalidate],
  )
}
