import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import { CallError, type CallOptions, callIn } from './call.ts'
import { useBusiness } from './me.ts'

type ReadName = EndpointName & `GET ${string}`

export type ReadOptions<Name extends EndpointName> = Omit<CallOptions<Name>, 'key' | 'signal' | 'body'> & {
  enabled?: boolean
  /** In milliseconds: it is read again so often, and whenever its page opens. */
  every?: number
  /** What was shown stays while another page or filter is loaded. */
  keepPrevious?: boolean
}

type ReadArguments<Name extends EndpointName> =
  Record<never, never> extends ReadOptions<Name> ? [options?: ReadOptions<Name>] : [options: ReadOptions<Name>]

/** Reads, and keeps what was read until `invalidate` names it. */
export function useRead<Name extends ReadName>(
  name: Name,
  ...[given]: ReadArguments<Name>
): UseQueryResult<ResponseOf<Name>, CallError> {
  const { id } = useBusiness()
  const { enabled = true, every, keepPrevious = false, params = {}, query, background } = (given ?? {}) as AnyRead
  return useQuery<ResponseOf<Name>, CallError>({
    queryKey: [id, name, params, query ?? {}],
    queryFn: ({ signal }) => callIn(id, name, { params, query, background, signal }),
    enabled,
    ...(every && { refetchInterval: every, refetchOnMount: 'always' as const }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

interface AnyRead {
  enabled?: boolean
  every?: number
  keepPrevious?: boolean
  params?: Record<string, string>
  query?: Record<string, unknown>
  background?: boolean
}

/** `invalidate('GET /payments')`: whatever is on the page is read again, with any parameters. */
export function useInvalidate(): (...names: ReadName[]) => Promise<void> {
  const client = useQueryClient()
  const { id } = useBusiness()
  return useCallback(
    async (...names) => {
      await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [id, name] })))
    },
    [client, id],
  )
}

/** Whether reading again may help. */
export const mayRetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 500)
