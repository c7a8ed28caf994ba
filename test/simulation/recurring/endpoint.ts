import { newId } from '../../../server/lib/ids.ts'
import type { Shop } from './world.ts'

/** A webhook endpoint as its merchant has configured it. */
export interface Endpoint {
  id: string
  types: readonly string[]
  isEnabled: boolean
  isDeleted: boolean
  /** First event that may wait for it: ids rise with time. */
  enabledFrom: string
  /** Whether an event that was recorded while it was disabled may wait for it, until it is enabled again. */
  mayBeLeft: boolean
}

export interface Webhooks {
  byShop: Map<Shop, Endpoint[]>
  /** Last event whose deliveries were compared. */
  comparedTo: string
  /** A change while events were recorded: the deliveries of such an event follow the state before or after. */
  racing: { endpoint: Endpoint; before: Endpoint } | null
}

export const noWebhooks = (): Webhooks => ({ byShop: new Map(), comparedTo: newId(), racing: null })
