import type { Terminal } from '../../businesses/terminal.ts'
import { assertNoTransaction } from '../../db/transaction.ts'
import type { BatchResult, SettleResult } from '../../gateway/gateway.ts'
import type { PaymentServices } from '../services.ts'

const CANNOT = { code: 'unsupported', message: 'This gateway settles by a schedule of its own' }

/**
 * Inquires about the open batch of a terminal, or about a batch by its name at the gateway. If the adapter throws, the
 * result is `indeterminate`.
 */
export function inquireBatch(
  { gateways, timings }: PaymentServices,
  terminal: Terminal,
  batch?: string,
): Promise<BatchResult> {
  assertNoTransaction('The gateway')
  const gateway = gateways(terminal.gateway)
  if (!gateway.capabilities.batches) return Promise.resolve({ found: 'indeterminate', ...CANNOT })
  return gateway
    .inquireBatch({
      terminal: { id: terminal.merchantCode, currency: terminal.currency },
      ...(batch !== undefined && { batch }),
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch((error: unknown): BatchResult => ({ found: 'indeterminate', code: 'unavailable', message: String(error) }))
}

/**
 * Calls the gateway once to settle a batch. Returns `unknown` after 15 seconds; the socket stays open for 40.
 *
 * @param deadlineAt no byte is sent after it (PAY-5)
 */
export async function callSettle(
  { gateways, timings, clock }: PaymentServices,
  terminal: Terminal,
  { batch, deadlineAt }: { batch: string; deadlineAt: Date },
  onLateResult: (late: SettleResult) => Promise<void>,
): Promise<SettleResult> {
  assertNoTransaction('The gateway')
  const sendBefore = clock.monotonicMs() + (deadlineAt.getTime() - clock.now().getTime())
  const result = gateways(terminal.gateway)
    .settle({
      terminal: { id: terminal.merchantCode, currency: terminal.currency },
      batch,
      mayStillSend: () => clock.monotonicMs() < sendBefore,
      signal: AbortSignal.timeout(timings.wireMs),
    })
    .catch((error: unknown): SettleResult => ({ outcome: 'unknown', message: `The adapter threw: ${String(error)}` }))
  const silence = Promise.withResolvers<'elapsed'>()
  const timer = setTimeout(() => silence.resolve('elapsed'), timings.responseMs)
  const first = await Promise.race([result, silence.promise])
  clearTimeout(timer)
  if (first !== 'elapsed') return first
  result.then(onLateResult).catch(() => {})
  return { outcome: 'unknown', message: 'No response in time' }
}
