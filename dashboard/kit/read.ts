import {
  keepPreviousData,
  type Query,
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import type { FirstRead } from './area.ts'
import { CallError, type CallOptions, callIn } from './call.ts'
import { useBusiness } from './me.ts'

type ReadName = EndpointName & `GET ${string}`

export type ReadOptions<Name extends EndpointName> = Omit<CallOptions<Name>, 'key' | 'signal' | 'body'> & {
  enabled?: boolean
  /** Interval in milliseconds at which it is read again; it is also read whenever its page opens. */
  every?: number
  /** Whether the previous data stay visible while another page or filter is loading. */
  keepPrevious?: boolean
}

type ReadArguments<Name extends EndpointName> =
  Record<never, never> extends ReadOptions<Name> ? [options?: ReadOptions<Name>] : [options: ReadOptions<Name>]

/** Reads data, and caches them until `invalidate` names the call. */
export function useRead<Name extends ReadName>(
  name: Name,
  ...[given]: ReadArguments<Name>
): UseQueryResult<ResponseOf<Name>, CallError> {
  const { id } = useBusiness()
  const { enabled = true, every, keepPrevious = false, ...sent } = (given ?? {}) as AnyRead
  return useQuery<ResponseOf<Name>, CallError>({
    ...readQuery<Name>(id, name, sent),
    enabled,
    ...(every && { refetchInterval: every, refetchOnMount: unlessJustRead }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

interface SentRead {
  params?: Record<string, string>
  query?: Record<string, unknown>
  background?: boolean
}

interface AnyRead extends SentRead {
  enabled?: boolean
  every?: number
  keepPrevious?: boolean
}

const readQuery = <Name extends ReadName>(
  businessId: string,
  name: Name,
  { params = {}, query, background }: SentRead,
) =>
  queryOptions<ResponseOf<Name>, CallError>({
    queryKey: [businessId, name, params, query ?? {}],
    queryFn: ({ signal }) => callIn(businessId, name, { params, query, background, signal }),
  })

const JUST_MS = 1_000

/** Avoids a second read of what was already begun for the opening page. */
const unlessJustRead = <Data>({ state }: Query<Data, CallError>) =>
  Date.now() - state.dataUpdatedAt > JUST_MS && ('always' as const)

/** Begins the reads of a page that is about to open, before the page is loaded. */
export function beginReads(client: QueryClient, businessId: string, reads: FirstRead[]): void {
  for (const { name, always, ...sent } of reads)
    void client.prefetchQuery({ ...readQuery(businessId, name, sent), ...(always && { staleTime: 0 }) })
}

/** `invalidate('GET /payments')` reads again everything on the page that this call returned, with any parameters. */
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

/** Whether a second read may succeed. */
export const mayRetry = (count: number, error: unknown): boolean =>
  count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 500)
