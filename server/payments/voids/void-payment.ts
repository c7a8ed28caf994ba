import type { GatewayResult } from '../../gateway/gateway.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Payment } from '../payment.ts'
import { findPaymentOfSale } from '../payment-queries.ts'
import { recordUnknownOutcome } from '../record-unknown-outcome.ts'
import type { SendingServices } from '../services.ts'
import { whileCallerWaits } from '../while-caller-waits.ts'
import { type BegunVoid, batchSettled, beginVoid, unconfirmedVoid, type VoidOrder } from './begin-void.ts'
import { recordFailedVoid } from './record-void.ts'
import { recordDefinite, sendVoid, UNDECIDED, type VoidEnd } from './send-void.ts'

/**
 * Voids a payment of any kind whose batch is open. The three steps are those of a charge (PAY-1 to PAY-9).
 *
 * @throws ApiError `not_found`; `conflict`, even if the batch closes meanwhile; `unavailable` if nothing was sent;
 *   `internal_error` for an unknown outcome, which recovery resolves
 * @see REF-10, REF-11, PAY-25
 */
export async function voidPayment(services: SendingServices, order: VoidOrder): Promise<Payment> {
  const begun = await beginVoid(services, order)
  const result = await sendVoid(services, begun.operation, begun.sale)
  services.faults.reach('after:gateway_result')
  const end = await recordResult(services, begun, result)
  services.faults.reach('after:result_commit')
  switch (end.end) {
    case 'voided':
      return end.payment
    case 'settled':
      throw batchSettled()
    case 'refused':
      throw new ApiError('conflict', { message: `The gateway refused the void: ${end.message}` })
    case 'undecided':
      return decided(services, begun, order)
  }
}

async function recordResult(services: SendingServices, begun: BegunVoid, result: GatewayResult): Promise<VoidEnd> {
  const { operation } = begun
  const end = await whileCallerWaits(services, operation, async () => {
    const recorded = await recordOnce(services, begun, result)
    if (recorded === UNDECIDED) await recordUnknownOutcome(services, operation, result.message)
    return recorded
  })
  if (end === null) throw unconfirmedVoid()
  if (end === 'not sent') throw notSent()
  return end
}

/** Records the result once. If recovery owns the operation by now, it may send the void that was not sent here. */
async function recordOnce(
  services: SendingServices,
  { operation, sale }: BegunVoid,
  result: GatewayResult,
): Promise<VoidEnd | 'not sent'> {
  if (result.outcome !== 'not_sent') return recordDefinite(services, operation, { sale, result, isLast: true })
  return (await recordFailedVoid(services, operation, 'not sent', result.message)) ? 'not sent' : UNDECIDED
}

const notSent = () =>
  new ApiError('unavailable', {
    message: 'The card gateway cannot be reached. Nothing was voided. Try again.',
    headers: { 'retry-after': '2' },
  })

/** Returns the payment if another writer, or an earlier attempt of this write, voided it. Otherwise, throws. */
async function decided({ db }: SendingServices, { sale }: BegunVoid, { business }: VoidOrder): Promise<Payment> {
  const payment = await findPaymentOfSale(db, business.id, sale.id)
  if (payment?.status !== 'voided') throw unconfirmedVoid()
  return payment
}
