import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { EndpointName, ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import { type CallError, callIn } from '../../kit/call.ts'
import { useBusiness } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'

/** What a refund or a void would do, as the server computes it now. Never from a cache. */
export function usePreview<Name extends EndpointName & `POST ${string}/preview`>(
  name: Name,
  { id, body, enabled }: { id: string; body?: unknown; enabled: boolean },
): UseQueryResult<ResponseOf<Name>, CallError> {
  const { id: businessId } = useBusiness()
  return useQuery<ResponseOf<Name>, CallError>({
    queryKey: [businessId, name, id, body ?? null],
    queryFn: ({ signal }) => callIn(businessId, name, { params: { id }, body, signal }),
    enabled,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })
}

/** Reads again whatever shows the payment. */
export function useChanged(): () => Promise<void> {
  const invalidate = useInvalidate()
  return useCallback(
    () => invalidate('GET /payments/{id}', 'GET /payments/{id}/timeline', 'GET /payments', 'GET /operations'),
    [invalidate],
  )
}
