import type { Webhooks } from './endpoint.ts'
import type { Model } from './model.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'
import type { Shop, World } from './world.ts'

/** Status of a response, and the one that the model expects; both are 0 if nothing was requested. */
export type Statuses = [status: number, expected: number]

export interface Sub {
  ordinal: number
  shop: Shop
  id: string
  customerId: string
  cardId: string
  card: number
  /** Key of its price in the run's prices. */
  plan: string
  createdMs: number
  model: Model
  /** Version of the last comparison: a subscription that has not changed is not read. */
  comparedVersion: number
  compared: string
  /** Quote of a preview that a later resume may use. */
  quote: Quote | null
}

export interface Quote {
  hash: string
  day: number
  /** The model at that time. */
  state: string
}

export interface Counts {
  requests: number
  refused: number
  runs: number
  sales: number
  unknown: number
  /** Number of refunds and voids that were declined or whose outcome was unknown, as far as the service sent them. */
  reversalFaults: number
  /** Number of settlements that were refused or whose outcome was unknown. */
  settlementFaults: number
  settlements: number
  crashes: number
  concurrentRuns: number
  /** Number of processes that were suspended between the gateway's response and its record, while others continued. */
  stalls: number
  /** Number of commits of a result whose acknowledgement was lost. */
  lostAcknowledgements: number
  outages: number
  endpointChanges: number
  subscriptionDays: number
}

export interface Plan {
  product: string
  price: string
}

/** A running simulation. */
export interface Run {
  seed: number
  world: World
  random: Random
  trace: Trace
  subs: Sub[]
  counts: Counts
  /** Prices by shop, cadence and amount. */
  prices: Map<string, Plan>
  webhooks: Webhooks
  cards: number
  comparisons: number
  /** Whether faults and requests have stopped: the quiet days at the end. */
  isQuiet: boolean
}

export const isLive = ({ model }: Sub) => model.status === 'active' || model.status === 'paused'
