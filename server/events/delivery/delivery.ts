import type { FastifyBaseLogger } from 'fastify'
import type { EventType } from '../../../contract/event.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FaultPoints } from '../../lib/fault-points.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { EventReader } from '../event-object.ts'
import type { StoredData } from '../stored-data.ts'
import type { TargetRules } from '../webhooks/target-address.ts'
import type { ResolveName } from './target-agent.ts'

/** Outcome of an attempt. `retried`: it failed and another one follows. `failed`: it was the last one. */
export type DeliveryOutcome = 'succeeded' | 'retried' | 'failed'

export interface DeliveryServices extends EventReader {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  keyring: Keyring
  faults: FaultPoints
  timings: DeliveryTimings
  webhookTargets: TargetRules
  countDelivery(outcome: DeliveryOutcome): void
  /** Looks up the addresses of a host; uses DNS by default. */
  resolveName?: ResolveName
}

/** Delivery that this process has claimed, until its lease ends. Times are real time. */
export interface ClaimedDelivery {
  businessId: string
  eventId: string
  endpointId: string
  objectId: string
  /** Sequence of the event. */
  sequence: number
  ordered: boolean
  /** Number of steps of the retry schedule used so far. */
  retries: number
  /** Number of the claim: a result of an earlier claim is too late. */
  epoch: number
  leaseUntil: Date
  type: EventType
  data: StoredData
  eventCreatedAt: Date
  url: string
  isEnabled: boolean
  /** Time of the first failed attempt since the last successful one. */
  failingSince: Date | null
  /** Sealed signing secret. */
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretUntil: Date | null
  /** Sealed user name and password for the receiver. */
  basicAuth: Buffer | null
}

/** Attempt to deliver: one POST. */
export interface Attempt {
  attemptedAt: Date
  durationMs: number
  /** `null` if no response came. */
  response: { status: number; headers: Record<string, string>; body: string; retryAfter: string | null } | null
  /** Why no response came; `null` if one did. */
  error: string | null
}

export interface DeliveryTimings {
  /** Maximum time of an attempt, from the address lookup to the response. */
  timeoutMs: number
  /** An endpoint that takes longer than this to respond is slow: it gets fewer concurrent attempts. */
  slowMs: number
  /** How long a process holds a claimed delivery; must be longer than an attempt. */
  leaseMs: number
  /** Delays before the second and each later attempt. */
  retrySeconds: readonly number[]
  retryAfterMaxSeconds: number
  /** An endpoint that has been failing for this long is disabled. */
  failingMaxSeconds: number
  /** How often an idle worker looks for work that other processes left behind. */
  pollMs: number
  /** Maximum time that a delivery waits for an earlier one of its object before it is checked again. */
  heldBackSeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const RETRY_SECONDS = [5, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]

/** @see EVT-8, EVT-9 */
export function deliveryTimings(timeScale: number): DeliveryTimings {
  return {
    timeoutMs: 10_000 * timeScale,
    slowMs: 1_000 * timeScale,
    leaseMs: 30_000 * timeScale,
    retrySeconds: RETRY_SECONDS.map((seconds) => seconds * timeScale),
    retryAfterMaxSeconds: HOUR * timeScale,
    failingMaxSeconds: 3 * DAY * timeScale,
    pollMs: 10_000 * timeScale,
    heldBackSeconds: HOUR * timeScale,
  }
}
