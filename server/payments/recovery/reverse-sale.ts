import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { GatewayResult, InquiryResult } from '../../gateway/gateway.ts'
import type { Clock } from '../../lib/clock.ts'
import { askGateway, type Call, type Gateways } from '../charge/call-gateway.ts'
import type { GatewayTimings, Operation } from '../operation.ts'
import { findOpenUndo, settle, settleUndone } from '../operation-queries.ts'

export interface MoneyServices {
  db: Db
  gateways: Gateways
  clock: Clock
  timings: GatewayTimings
  log: FastifyBaseLogger
  /** Enqueues the resolver inside the transaction that writes a doubt down. */
  resolveSoon(tx: Tx, at: Date): Promise<void>
  /** Counts what operators watch: `late_approval`, `reversed`, `in_doubt`, … */
  count(what: string): void
}

/**
 * Sends the void that a sale's row says is wanted: after a partial approval, or an approval nobody may be told of.
 * What it does not achieve now the resolver goes on with, because the undo's row is open.
 */
export async function sendUndo(services: MoneyServices, sale: Operation): Promise<void> {
  const undo = await findOpenUndo(services.db, sale.businessId, sale.id)
  if (!undo || !sale.gatewayRef) return
  const result = await askToUndo(services, undo, sale)
  await writeUndoAnswer(services, undo, sale, result)
}

/** The void goes out at once. The caller waits for it no longer than for any answer; the resolver goes on with it. */
export async function undoPart(services: MoneyServices, sale: Operation): Promise<void> {
  const { clock, log } = services
  const left = sale.deadlineAt.getTime() - clock.now().getTime()
  const undone = sendUndo(services, sale).catch((error: unknown) =>
    log.warn({ err: error, operation: sale.id }, 'a void is left to the resolver'),
  )
  await Promise.race([undone, sleep(Math.max(0, left), undefined, { ref: false })])
}

export function inquire({ gateways, timings }: MoneyServices, operation: Operation): Promise<InquiryResult> {
  return gateways(operation.gateway)
    .inquire({
      terminal: { id: operation.merchantCode, currency: operation.currency },
      merchantRef: operation.merchantRef,
      signal: AbortSignal.timeout(timings.answerMs),
    })
    .catch((error: unknown): InquiryResult => ({ found: 'indeterminate', message: String(error) }))
}

export function askToUndo(services: MoneyServices, undo: Operation, sale: Operation): Promise<GatewayResult> {
  const gateway = services.gateways(undo.gateway)
  const original = { gatewayRef: sale.gatewayRef ?? '', originalMerchantRef: sale.merchantRef }
  const call: Call = (shared) =>
    undo.kind === 'refund'
      ? gateway.refund({ ...shared, ...original, amount: undo.amount })
      : gateway.void({ ...shared, ...original })
  return askGateway(undo, call, {
    ...services,
    onLateAnswer: async (late) => void (await writeUndoAnswer(services, undo, sale, late)),
  })
}

export async function writeUndoAnswer(
  services: MoneyServices,
  undo: Operation,
  sale: Operation,
  result: GatewayResult,
): Promise<boolean> {
  if (result.outcome === 'approved') return writeUndone(services, undo, sale)
  services.log.warn({ operation: undo.id, outcome: result.outcome }, 'an undo is not done yet')
  await settle(services.db, {
    ...fenceOf(undo),
    trigger: 'silence',
    message: result.message,
    now: services.clock.now(),
  })
  return false
}

export async function writeUndone(services: MoneyServices, undo: Operation, sale: Operation): Promise<boolean> {
  const now = services.clock.now()
  const done = await settleUndone(
    services.db,
    { ...fenceOf(undo), trigger: 'approved', code: 'AA', now },
    { businessId: sale.businessId, operationId: sale.id, now },
  )
  if (done) services.count('reversed')
  return done
}

export const fenceOf = ({ businessId, id, epoch }: Operation) => ({ businessId, operationId: id, epoch })
