import type { ComponentType } from 'react'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import type { Permission } from '../../contract/permissions.ts'

export type NavGroup = 'home' | 'money' | 'recurring' | 'customers' | 'developers' | 'settings'

interface PageModule {
  default: ComponentType
}

/** A page of a business: `/dashboard/b/{business_id}/{path}`. */
export interface AreaPage {
  /** Path such as `payments/$id`; a page reads its parameters with `usePathParam`. */
  path: string
  permission: Permission
  /** Item in the navigation. `label` is a key of `navigation` in the texts of the frame. */
  nav?: { group: NavGroup; label: NavLabel; order: number }
  /** Set for pages that do not exist in production. */
  stagingOnly?: true
  /** First reads of the page, known from its URL: they begin while its script is loading. */
  reads?(query: Record<string, string>): FirstRead[]
  load(): Promise<PageModule>
}

/** A call with exactly the arguments that the page uses. */
export interface FirstRead {
  name: EndpointName & `GET ${string}`
  query?: Record<string, string>
  background?: boolean
  /** Whether it is read every time the page opens, even if the data are already there. */
  always?: boolean
}

const PAGING: ReadonlySet<string> = new Set(['starting_after', 'ending_before', 'limit'])

/** First read of a list's page, only without filters: with filters, only the list knows what it reads. */
export const readsList =
  (name: FirstRead['name']) =>
  (query: Record<string, string>): FirstRead[] =>
    Object.keys(query).every((member) => PAGING.has(member)) ? [{ name, query }] : []

/** A page of a person: `/dashboard/{path}`. */
export interface PersonPage {
  path: string
  /** Whether the page is shown to everyone, without data of a session. */
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
