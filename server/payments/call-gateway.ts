import { assertNoTransaction } from '../db/transaction.ts'
import type { Gateway, GatewayResult, InquiryResult, MoneyRequest } from '../gateway/gateway.ts'
import type { Clock } from '../lib/clock.ts'
import type { GatewayTimings, Operation } from './operation.ts'

/** Returns the gateway that a terminal names. */
export type Gateways = (name: string) => Gateway

/** Calls one method of the gateway, completing the shared fields with those of the request. */
export type GatewayCall = (shared: MoneyRequest) => Promise<GatewayResult>

interface CallOptions {
  clock: Clock
  timings: GatewayTimings
  /** Called with a result that arrives after `unknown` was returned. */
  onLateResult(result: GatewayResult): Promise<void>
}

/**
 * Calls the gateway once. Returns the result, or `unknown` after 15 seconds. The socket stays open for 40 seconds,
 * because a late result resolves an unknown outcome sooner than an inquiry.
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
  // Counted from when the intent was recorded: if this process was suspended since, recovery may have written the
  // operation off.
  const sendBefore = clock.monotonicMs() + (operation.deadlineAt.getTime() - clock.now().getTime())
  const hangUp = setTimeout(() => socket.abort(), timings.wireMs)
  const result = call({
    terminal: { id: operation.merchantCode, currency: operation.currency },
    merchantRef: operation.merchantRef,
    mayStillSend: () => clock.monotonicMs() < sendBefore,
    signal: socket.signal,
  })
    .catch((error: unknown): GatewayResult => ({ outcome: 'unknown', message: `The adapter threw: ${String(error)}` }))
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

/** Inquires at the gateway about an operation. If the adapter throws, the result is `indeterminate`. */
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
