import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { GatewayResult, InquiryResult } from '../../gateway/gateway.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Call, callGateway, type Gateways } from '../charge/call-gateway.ts'
import type { GatewayTimings, Operation } from '../operation.ts'
import { finalize, finalizeReversal, findOpenReversal } from '../operation-queries.ts'

export interface MoneyServices {
  db: Db
  gateways: Gateways
  clock: Clock
  timings: GatewayTimings
  log: FastifyBaseLogger
  /** Enqueues recovery inside the transaction that writes a doubt down. */
  resolveSoon(tx: Tx, at: Date): Promise<void>
  /** Counts what operators watch: `late_approval`, `reversed`, `in_doubt`, … */
  count(what: string): void
}

/**
 * Sends the void that a sale's row says is wanted: after a partial approval, or an approval nobody may be told of.
 * What it does not achieve now recovery goes on with, because the reversal's row is open.
 */
export async function sendReversal(services: MoneyServices, sale: Operation): Promise<void> {
  const reversal = await findOpenReversal(services.db, sale.businessId, sale.id)
  if (!reversal || !sale.gatewayRef) return
  const result = await callReversal(services, reversal, sale)
  await recordReversalResult(services, reversal, sale, result)
}

/** The void goes out at once. The caller waits for it no longer than for any response; recovery goes on with it. */
export async function reversePartial(services: MoneyServices, sale: Operation): Promise<void> {
  const { clock, log } = services
  const left = sale.deadlineAt.getTime() - clock.now().getTime()
  const reversed = sendReversal(services, sale).catch((error: unknown) =>
    log.warn({ err: error, operation: sale.id }, 'a void is left to recovery'),
  )
  await Promise.race([reversed, sleep(Math.max(0, left), undefined, { ref: false })])
}

export function inquire({ gateways, timings }: MoneyServices, operation: Operation): Promise<InquiryResult> {
  return gateways(operation.gateway)
    .inquire({
      terminal: { id: operation.merchantCode, currency: operation.currency },
      merchantRef: operation.merchantRef,
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch((error: unknown): InquiryResult => ({ found: 'indeterminate', message: String(error) }))
}

export function callReversal(services: MoneyServices, reversal: Operation, sale: Operation): Promise<GatewayResult> {
  const gateway = services.gateways(reversal.gateway)
  const original = { gatewayRef: sale.gatewayRef ?? '', originalMerchantRef: sale.merchantRef }
  const call: Call = (shared) =>
    reversal.kind === 'refund'
      ? gateway.refund({ ...shared, ...original, amount: reversal.amount })
      : gateway.void({ ...shared, ...original })
  return callGateway(reversal, call, {
    ...services,
    onLateResult: async (late) => void (await recordReversalResult(services, reversal, sale, late)),
  })
}

export async function recordReversalResult(
  services: MoneyServices,
  reversal: Operation,
  sale: Operation,
  result: GatewayResult,
): Promise<boolean> {
  if (result.outcome === 'approved') return recordReversed(services, reversal, sale)
  services.log.warn({ operation: reversal.id, outcome: result.outcome }, 'a reversal is not done yet')
  await finalize(services.db, {
    ...fenceOf(reversal),
    trigger: 'silence',
    message: result.message,
    now: services.clock.now(),
  })
  return false
}

export async function recordReversed(services: MoneyServices, reversal: Operation, sale: Operation): Promise<boolean> {
  const now = services.clock.now()
  const done = await finalizeReversal(
    services.db,
    { ...fenceOf(reversal), trigger: 'approved', code: 'AA', now },
    { businessId: sale.businessId, operationId: sale.id, now },
  )
  if (done) services.count('reversed')
  return done
}

export const fenceOf = ({ businessId, id, epoch }: Operation) => ({ businessId, operationId: id, epoch })
