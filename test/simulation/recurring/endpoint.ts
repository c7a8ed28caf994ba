import { newId } from '../../../server/lib/ids.ts'
import type { Shop } from './world.ts'

/** A webhook endpoint as its merchant has it. */
export interface Endpoint {
  id: string
  types: readonly string[]
  isEnabled: boolean
  isDeleted: boolean
  /** Events from this id on may wait for it: ids rise with time. */
  enabledFrom: string
  /** An event that was recorded while it was disabled may wait for it, until it is enabled again. */
  mayBeLeft: boolean
}

export interface Webhooks {
  byShop: Map<Shop, Endpoint[]>
  /** The deliveries of events up to this id are compared. */
  comparedTo: string
  /** Changed while events were recorded: the delivery of such an event follows from before or after. */
  racing: { endpoint: Endpoint; before: Endpoint } | null
}

export const noWebhooks = (): Webhooks => ({ byShop: new Map(), comparedTo: newId(), racing: null })
