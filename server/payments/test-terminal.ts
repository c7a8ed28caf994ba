import { randomInt } from 'node:crypto'
import type { Terminal } from '../businesses/terminal.ts'
import { assertNoTransaction } from '../db/transaction.ts'
import type { InquiryResult } from '../gateway/gateway.ts'
import type { Clock } from '../lib/clock.ts'
import type { Gateways } from './call-gateway.ts'
import type { GatewayTimings } from './operation.ts'

export interface TerminalTest {
  isReached: boolean
  /** Error message of the gateway or its adapter; `null` if the gateway was reached. */
  message: string | null
  milliseconds: number
}

/**
 * Inquires about a transaction that does not exist: a gateway that knows the account says so. No money moves, and
 * nothing is left at the gateway.
 */
export async function testTerminal(
  { gateways, timings, clock }: { gateways: Gateways; timings: GatewayTimings; clock: Clock },
  { gateway, merchantCode, currency }: Terminal,
): Promise<TerminalTest> {
  assertNoTransaction('The gateway')
  const began = clock.monotonicMs()
  const found = await gateways(gateway)
    .inquire({
      terminal: { id: merchantCode, currency },
      merchantRef: `TEST-${randomInt(1e12)}`,
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch((error: unknown): InquiryResult => ({ found: 'indeterminate', message: String(error) }))
  const message = found.found === 'indeterminate' ? found.message : null
  return { isReached: message === null, message, milliseconds: Math.round(clock.monotonicMs() - began) }
}
