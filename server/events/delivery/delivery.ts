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

/** `retried`: an attempt failed and another one follows. `failed`: it was the last one. */
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
  /** The addresses of a host; those that DNS has unless given. */
  resolveName?: ResolveName
}

/** A delivery that this process has taken, until its lease ends. Times are real time. */
export interface ClaimedDelivery {
  businessId: string
  eventId: string
  endpointId: string
  objectId: string
  /** Of the event. */
  sequence: number
  ordered: boolean
  /** Steps of the retry schedule that were used. */
  retries: number
  /** Which claim it is: a result of an earlier one is too late. */
  epoch: number
  leaseUntil: Date
  type: EventType
  data: StoredData
  eventCreatedAt: Date
  url: string
  isEnabled: boolean
  /** The first failed attempt since the last successful one. */
  failingSince: Date | null
  /** Sealed. */
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretUntil: Date | null
  /** Sealed: user name and password for the receiver. */
  basicAuth: Buffer | null
}

/** One POST. */
export interface Attempt {
  attemptedAt: Date
  durationMs: number
  /** Null when none came. */
  response: { status: number; headers: Record<string, string>; body: string; retryAfter: string | null } | null
  /** Why no response came. */
  error: string | null
}

export interface DeliveryTimings {
  /** Of an attempt, from the look-up of the address to the response. */
  timeoutMs: number
  /** An endpoint that has not responded after this time is slow: it gets fewer attempts at once. */
  slowMs: number
  /** How long a process has a delivery: it must be longer than an attempt. */
  leaseMs: number
  /** Delays before the second and each further attempt. */
  retrySeconds: readonly number[]
  retryAfterMaxSeconds: number
  /** An endpoint that has failed for so long is disabled. */
  failingMaxSeconds: number
  /** How often an idle worker looks for work that other processes left. */
  pollMs: number
  /** How long a delivery waits at most for an earlier one of its object, until it is looked at again. */
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
