import type { Model } from './model.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'
import type { Shop, World } from './world.ts'

export interface Sub {
  ordinal: number
  shop: Shop
  id: string
  customerId: string
  cardId: string
  card: number
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
  crashes: number
  concurrentRuns: number
  outages: number
  subscriptionDays: number
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
  prices: Map<string, string>
  cards: number
  comparisons: number
  /** No faults of ours and no requests: the quiet days at the end. */
  isQuiet: boolean
}

export const isLive = ({ model }: Sub) => model.status === 'active' || model.status === 'paused'
