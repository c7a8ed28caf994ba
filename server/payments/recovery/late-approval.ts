import type { FoundTransaction } from '../../gateway/gateway.ts'
import { newReversal } from '../new-operation.ts'
import type { Operation } from '../operation.ts'
import { insertUnlessOpen } from '../operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { sendReversal } from './reverse-sale.ts'

/**
 * Voids an approval that was found after its sale was written off. It means that a rule of the charge protocol was
 * broken, so it raises an alarm. If the void does not succeed now, recovery continues.
 */
export async function reverseLateApproval(
  services: PaymentServices,
  sale: Operation,
  { approvedAmount, gatewayRef }: Pick<FoundTransaction, 'approvedAmount' | 'gatewayRef'>,
): Promise<void> {
  const { db, clock, timings, log } = services
  log.error({ operation: sale.id }, 'an approval was found after its sale was written off; it is being voided')
  services.count('late_approval')
  if (await insertUnlessOpen(db, newReversal(sale, 'reversal_void', approvedAmount, clock.now(), timings))) {
    await sendReversal(services, { ...sale, gatewayRef })
  }
}
