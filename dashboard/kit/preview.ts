import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import { CallError, type CallOptions, callIn } from './call.ts'
import { useBusiness } from './me.ts'

type PreviewName = EndpointName & `POST ${string}/preview`
type Options<Name extends EndpointName> = Omit<CallOptions<Name>, 'key' | 'signal' | 'background'> & {
  enabled: boolean
  /** Whether the previous figures stay visible while new ones are computed. */
  keepsPrevious?: boolean
}

/** Reads the effect of a change as the server computes it now, never from a cache. */
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

interface Agreement<Preview> {
  /** The figures that the person agreed to, once the service has refused them because they changed. */
  former: Preview | null
  /** Commits the figures that are shown. If they are outdated, the new preview is read, and the refusal is rethrown. */
  commit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Figures that a person has agreed to, and the new figures after a 409 (DSH-5). */
export function useAgreement<Preview>({ data, refetch }: UseQueryResult<Preview, CallError>): Agreement<Preview> {
  const [former, setFormer] = useState<Preview | null>(null)
  async function commit<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CallError && STALE.has(error.code)) {
        setFormer(data ?? null)
        await refetch()
      }
      throw error
    }
  }
  return { former, commit }
}

/** For `refusalOf` of a dialog that shows the changes: no further text is needed. */
export const quietWhenStale = ({ code }: CallError) => (code === 'quote_stale' ? '' : null)

const STALE: ReadonlySet<string> = new Set(['quote_stale', 'conflict'])
