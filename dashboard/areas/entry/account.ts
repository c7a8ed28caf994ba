import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { useRefreshMe } from '../../kit/me.ts'
import { personCall } from '../../kit/person-call.ts'

export type Account = EntryApi['GET /dashboard/auth/account']['response']

const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => personCall('GET /dashboard/auth/account'),
})

export const useAccount = () => useQuery(accountQuery)

/** Reads the account and the session again, after a change of either. */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient()
  const refreshMe = useRefreshMe()
  return useCallback(async () => {
    await Promise.all([refreshMe(), client.invalidateQueries({ queryKey: accountQuery.queryKey })])
  }, [client, refreshMe])
}
