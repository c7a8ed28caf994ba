import { assertNoTransaction } from '../db/transaction.ts'
import type { Gateway, GatewayResult, InquiryResult, MoneyRequest } from '../gateway/gateway.ts'
import type { Clock } from '../lib/clock.ts'
import type { GatewayTimings, Operation } from './operation.ts'

/** The gateways that terminals may name, by that name. */
export type Gateways = (name: string) => Gateway

/** Makes the call; the rest of the request is the caller's. */
export type GatewayCall = (shared: MoneyRequest) => Promise<GatewayResult>

interface CallOptions {
  clock: Clock
  timings: GatewayTimings
  /** Receives a result that comes after the caller was told `unknown`: the socket stays open for it. */
  onLateResult(result: GatewayResult): Promise<void>
}

/**
 * Calls the gateway once. The caller has the result, or `unknown`, after 15 seconds at the most; the socket stays open for 40,
 * because a late result ends an unknown outcome early.
 *
 * @see PAY-5, PAY-13, GTW-3
 */
export async function callGateway(
  operation: Operation,
  call: GatewayCall,
  { clock, timings, onLateResult }: CallOptions,
): Promise<GatewayResult> {
  assertNoTransaction('The gateway')
  const socket = new AbortController()
  // Counted from when the intent was recorded, not from now: if this process was frozen in between, recovery may have written
  // the operation off by now.
  const sendBefore = clock.monotonicMs() + (operation.deadlineAt.getTime() - clock.now().getTime())
  const hangUp = setTimeout(() => socket.abort(), timings.wireMs)
  const result = call({
    terminal: { id: operation.merchantCode, currency: operation.currency },
    merchantRef: operation.merchantRef,
    mayStillSend: () => clock.monotonicMs() < sendBefore,
    signal: socket.signal,
  })
    .catch((error: unknown): GatewayResult => ({ outcome: 'unknown', message: `The adapter failed: ${String(error)}` }))
    .finally(() => clearTimeout(hangUp))
  const silence = timeout(timings.responseMs)
  const first = await Promise.race([result, silence.elapsed])
  silence.cancel()
  if (first !== 'elapsed') return first
  result.then(onLateResult).catch(() => {})
  return { outcome: 'unknown', message: 'No response in time' }
}

function timeout(milliseconds: number): { elapsed: Promise<'elapsed'>; cancel(): void } {
  let cancel = () => {}
  const elapsed = new Promise<'elapsed'>((resolve) => {
    const timer = setTimeout(() => resolve('elapsed'), milliseconds)
    cancel = () => clearTimeout(timer)
  })
  return { elapsed, cancel: () => cancel() }
}

/** Inquires at the gateway for the outcome of an operation. A failure of the adapter says nothing about the outcome. */
export function inquire(
  { gateways, timings }: { gateways: Gateways; timings: GatewayTimings },
  operation: Operation,
): Promise<InquiryResult> {
  return gateways(operation.gateway)
    .inquire({
      terminal: { id: operation.merchantCode, currency: operation.currency },
      merchantRef: operation.merchantRef,
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch((error: unknown): InquiryResult => ({ found: 'indeterminate', message: String(error) }))
}
