import { assertNoTransaction } from '../../db/transaction.ts'
import type { Gateway, GatewayResult, MoneyRequest } from '../../gateway/gateway.ts'
import type { Clock } from '../../lib/clock.ts'
import type { GatewayTimings, Operation } from '../operation.ts'

/** Makes the call; the rest of the request is the caller's. */
export type Call = (shared: MoneyRequest) => Promise<GatewayResult>

export interface Ask {
  clock: Clock
  timings: GatewayTimings
  /** Told when the gateway responds after the caller was: the socket stays open for it. */
  onLateResult(result: GatewayResult): Promise<void>
}

/**
 * Asks the gateway once. The caller has its response, or `unknown`, after 15 seconds at the most; the wire stays open for 40,
 * because a response that comes late settles the doubt early.
 *
 * @see spec «Limits», gateways.md 2
 */
export async function callGateway(
  operation: Operation,
  call: Call,
  { clock, timings, onLateResult }: Ask,
): Promise<GatewayResult> {
  assertNoTransaction('The gateway')
  const wire = new AbortController()
  // From when it was written down, not from now: that was long ago when the process was frozen in between, and others have
  // given the transaction up (reliability.md R5).
  const sendBefore = clock.monotonicMs() + (operation.deadlineAt.getTime() - clock.now().getTime())
  const hangUp = setTimeout(() => wire.abort(), timings.wireMs)
  const response = call({
    terminal: { id: operation.merchantCode, currency: operation.currency },
    merchantRef: operation.merchantRef,
    mayStillSend: () => clock.monotonicMs() < sendBefore,
    signal: wire.signal,
  })
    .catch((error: unknown): GatewayResult => ({ outcome: 'unknown', message: `The adapter failed: ${String(error)}` }))
    .finally(() => clearTimeout(hangUp))
  const silence = timeout(timings.responseMs)
  const first = await Promise.race([response, silence.elapsed])
  silence.cancel()
  if (first !== 'elapsed') return first
  response.then(onLateResult).catch(() => {})
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

/** The gateways that terminals may name, by that name. */
export type Gateways = (name: string) => Gateway
