import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Permission, Role } from '../../contract/permissions.ts'
import { send, setCsrfToken } from './transport.ts'

/** `GET /dashboard/api/me` */
export interface Me {
  object: 'me'
  user: { id: string; email: string; name: string; locale: string | null; second_factor: boolean }
  session: { id: string; expires_at: number; stepped_up_until: number | null }
  csrf_token: string
  environment: 'staging' | 'production'
  businesses: Business[]
}

export interface Business {
  id: string
  name: string
  role: Role
  currency: string
  country: 'US' | 'CA'
  time_zone: string
  /** How far the test clock is ahead. */
  clock_offset_seconds: number
  permissions: Permission[]
}

const readMe = async (isEntry: boolean): Promise<Me> => {
  const me = (await send('GET', '/dashboard/api/me', { isEntry })) as Me
  setCsrfToken(me.csrf_token)
  return me
}

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: () => readMe(false), staleTime: 60_000 })

/** Reads the session without a sign-in dialog; `refetch` of it after signing in. */
export const freshMe = () => readMe(true)

export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe is used outside the signed-in pages')
  return data
}

const BusinessContext = createContext<Business | null>(null)
export const BusinessProvider = BusinessContext.Provider

/** The business of the page's path. */
export function useBusiness(): Business {
  const business = useContext(BusinessContext)
  if (!business) throw new Error('useBusiness is used outside the pages of a business')
  return business
}

/** The same, or `null` on the pages of a person. */
export const useMaybeBusiness = (): Business | null => useContext(BusinessContext)

export function useMay(permission: Permission): boolean {
  return useBusiness().permissions.includes(permission)
}
