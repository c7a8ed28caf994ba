import type { ComponentType } from 'react'
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
  load(): Promise<PageModule>
}

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
