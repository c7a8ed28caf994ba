import type { ComponentType } from 'react'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import type { Permission } from '../../contract/permissions.ts'

export type NavGroup = 'home' | 'money' | 'recurring' | 'customers' | 'developers' | 'settings'

interface PageModule {
  default: ComponentType
}

/** A page of a business: `/dashboard/b/{business_id}/{path}`. */
export interface AreaPage {
  /** `payments/$id`; a page reads its parameters by `usePathParam`. */
  path: string
  permission: Permission
  /** Its line in the navigation. `label` is a key of `navigation` in the texts of the frame. */
  nav?: { group: NavGroup; label: NavLabel; order: number }
  /** Not in production. */
  stagingOnly?: true
  /** What it reads at first, where its address tells: begun while its script is loaded. */
  reads?(query: Record<string, string>): FirstRead[]
  load(): Promise<PageModule>
}

/** A call exactly as the page makes it. */
export interface FirstRead {
  name: EndpointName & `GET ${string}`
  query?: Record<string, string>
  background?: boolean
  /** It is read whenever the page opens, also when it has been read before. */
  always?: boolean
}

const PAGING: ReadonlySet<string> = new Set(['starting_after', 'ending_before', 'limit'])

/** A page of a list; with filters, only the list knows what it reads. */
export const readsList =
  (name: FirstRead['name']) =>
  (query: Record<string, string>): FirstRead[] =>
    Object.keys(query).every((member) => PAGING.has(member)) ? [{ name, query }] : []

/** A page of a person: `/dashboard/{path}`. */
export interface PersonPage {
  path: string
  /** Shown to anybody, without the session's data. */
  isPublic: boolean
  load(): Promise<PageModule>
}

export interface Area {
  pages: AreaPage[]
  personPages?: PersonPage[]
}

export type NavLabel =
  | 'home'
  | 'payments'
  | 'sessions'
  | 'inDoubt'
  | 'batches'
  | 'subscriptions'
  | 'calendar'
  | 'products'
  | 'contracts'
  | 'customers'
  | 'webhooks'
  | 'events'
  | 'keys'
  | 'clients'
  | 'addresses'
  | 'requests'
  | 'testTools'
  | 'settings'
  | 'team'
  | 'audit'
