import type { Webhooks } from './endpoint.ts'
import type { Model } from './model.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'
import type { Shop, World } from './world.ts'

/** Of a response, and what the model expects; 0 for both when nothing was requested. */
export type Statuses = [status: number, expected: number]

export interface Sub {
  ordinal: number
  shop: Shop
  id: string
  customerId: string
  cardId: string
  card: number
  /** Of its price, in the run's prices. */
  plan: string
  createdMs: number
  model: Model
  /** What was compared last: nothing is read of a subscription that has not changed. */
  comparedVersion: number
  compared: string
  /** Of a preview that a later resume may use. */
  quote: Quote | null
}

export interface Quote {
  hash: string
  day: number
  /** The model as it was. */
  state: string
}

export interface Counts {
  requests: number
  refused: number
  runs: number
  sales: number
  unknown: number
  /** Refunds and voids that were declined or whose outcome was unknown, as far as the service sent them. */
  reversalFaults: number
  /** Settlements that were refused or whose outcome was unknown. */
  settlementFaults: number
  settlements: number
  crashes: number
  concurrentRuns: number
  /** Processes that stood still between the gateway's response and its record, while others went on. */
  stalls: number
  /** Commits of a result whose acknowledgement was lost. */
  lostAcknowledgements: number
  outages: number
  endpointChanges: number
  subscriptionDays: number
}

export interface Plan {
  product: string
  price: string
}

/** One simulation that runs. */
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
  /** No faults of ours and no requests: the quiet days at the end. */
  isQuiet: boolean
}

export const isLive = ({ model }: Sub) => model.status === 'active' || model.status === 'paused'
