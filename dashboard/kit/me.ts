import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext } from 'react'
import type { EntryApi } from '../../contract/dashboard/entry-api.ts'
import type { Permission } from '../../contract/permissions.ts'
import { personCall } from './person-call.ts'

export type Me = EntryApi['GET /dashboard/api/me']['response']
export type Business = Me['businesses'][number]

/** Reads the session; if there is none, it throws a refusal and does not open a dialog. */
export const freshMe = (): Promise<Me> => personCall('GET /dashboard/api/me', { isEntry: true })

const STALE_MS = 60_000

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: (): Promise<Me> => personCall('GET /dashboard/api/me'),
  staleTime: STALE_MS,
})

/** Returns a function that reads the session again, after a change that concerns the person. */
export function useRefreshMe(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => void client.setQueryData(meQuery.queryKey, await freshMe()), [client])
}

export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe is used outside the signed-in pages')
  return data
}

const BusinessContext = createContext<Business | null>(null)
export const BusinessProvider = BusinessContext.Provider

/** Returns the business of the page's path. */
export function useBusiness(): Business {
  const business = useContext(BusinessContext)
  if (!business) throw new Error('useBusiness is used outside the pages of a business')
  return business
}

/** Returns the business of the page's path; `null` on the pages of a person. */
export const useMaybeBusiness = (): Business | null => useContext(BusinessContext)

export function useMay(permission: Permission): boolean {
  return useBusiness().permissions.includes(permission)
}
