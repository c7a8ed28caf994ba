import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import { type CallError, type CallOptions, callIn } from './call.ts'
import { useBusiness } from './me.ts'

type PreviewName = EndpointName & `POST ${string}/preview`
type Options<Name extends EndpointName> = Omit<CallOptions<Name>, 'key' | 'signal' | 'background'> & {
  enabled: boolean
  /** What was shown stays while other figures are computed. */
  keepsPrevious?: boolean
}

/** What a change would do, as the server computes it now. Never from a cache. */
export function usePreview<Name extends PreviewName>(
  name: Name,
  given: Options<Name>,
): UseQueryResult<ResponseOf<Name>, CallError> {
  const { id } = useBusiness()
  const {
    params = {},
    body,
    enabled,
    keepsPrevious = false,
  } = given as Options<Name> & {
    params?: Record<string, string>
    body?: unknown
  }
  return useQuery<ResponseOf<Name>, CallError>({
    queryKey: [id, name, params, body ?? null],
    queryFn: ({ signal }) => callIn(id, name, { params, body, signal }),
    enabled,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  })
}
