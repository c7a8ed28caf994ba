import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import type { FaultPoints } from '../lib/fault-points.ts'
import type { Vault } from '../vault/vault.ts'
import type { Gateways } from './call-gateway.ts'
import type { ChargeOwners } from './charge-owner.ts'
import type { GatewayTimings } from './operation.ts'
import type { Payment } from './payment.ts'

/** The services of every operation, including recovery. They have no access to card data. */
export interface PaymentServices {
  db: Db
  gateways: Gateways
  owners: ChargeOwners
  clock: Clock
  timings: GatewayTimings
  log: FastifyBaseLogger
  /** Enqueues recovery in the transaction that records an unknown outcome. */
  resolveSoon(tx: Tx, at: Date): Promise<void>
  /** Increments a metric: `late_approval`, `reversed`, `in_doubt`, … */
  count(what: string): void
  /**
   * Called in the transaction that records a void, with the voided payment, whose row is locked: the subscription loses
   * the time for which the payment had paid (BIL-30).
   */
  onVoided(tx: Tx, payment: Payment): Promise<void>
}

/** The services of a use case that moves money. */
export interface SendingServices extends PaymentServices {
  faults: FaultPoints
}

/** The services of a charge. */
export interface ChargeServices extends SendingServices {
  vault: Vault
}
