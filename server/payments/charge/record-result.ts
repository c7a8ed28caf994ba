import type { ApprovedResult, GatewayResult } from '../../gateway/gateway.ts'
import { policyRefusal } from '../check-policy.ts'
import { type NewOperation, newReversal } from '../new-operation.ts'
import { fenceOf, movesBy, type Operation } from '../operation.ts'
import { findOperation } from '../operation-queries.ts'
import type { Outcome } from '../outcome-queries.ts'
import { recordUnknownOutcome } from '../record-unknown-outcome.ts'
import { recordUnpaid } from '../recovery/record-unpaid.ts'
import { reverseNow } from '../recovery/reverse-sale.ts'
import type { ChargeServices, PaymentServices } from '../services.ts'
import { whileCallerWaits } from '../while-caller-waits.ts'
import type { ChargePlan, Declined, Recording } from './charge-plan.ts'
import { type Begun, unknownOutcome } from './charged.ts'

/**
 * Step 3: records the gateway's result, and only then returns the response.
 *
 * If the database fails, the write is repeated until the caller's deadline. Each write is fenced, so a repetition also
 * detects the commit of an earlier write whose acknowledgement was lost. If no write succeeds, the outcome is unknown
 * whatever the result was: no result is reported before it is durable.
 *
 * @see PAY-6, PAY-9, PAY-10, PAY-14 to PAY-17
 */
export async function recordResult<State, Response>(
  services: ChargeServices,
  plan: ChargePlan<State, Response>,
  result: GatewayResult,
  begun: State,
): Promise<Begun<Response>> {
  switch (result.outcome) {
    case 'approved': {
      const refusal = policyRefusal(plan.checkPolicy ?? null, result)
      if (refusal) return recordDecline(services, plan, { ...result, ...refusal, outcome: 'against policy' }, begun)
      return record(services, plan.operation, plan.approve(result, begun), 'approved')
    }
    case 'partial':
    case 'declined':
      return recordDecline(services, plan, result, begun)
    case 'refused':
      // An invalid request means invalid card data, which the payer can correct. Any other refusal is our error.
      if (result.reason === 'invalid_request')
        return recordDecline(services, plan, { outcome: 'declined', code: 'ND', message: result.message }, begun)
      services.log.error({ operation: plan.operation.id, reason: result.reason }, 'the gateway refused a request')
      return recordNotSent(services, plan.operation)
    case 'not_sent':
      return recordNotSent(services, plan.operation)
    case 'unknown':
      await whileCallerWaits(services, plan.operation, () =>
        recordUnknownOutcome(services, plan.operation, result.message),
      )
      return unconfirmed(services, plan.operation)
  }
}

async function recordDecline<State, Response>(
  services: ChargeServices,
  plan: ChargePlan<State, Response>,
  result: Declined,
  begun: State,
): Promise<Begun<Response>> {
  const { operation } = plan
  const charged = await record(services, operation, plan.decline(result, begun), 'declined')
  if (charged.outcome === 'recorded' && result.outcome !== 'declined')
    await reverseNow(services, { ...operation, gatewayRef: result.gatewayRef })
  return charged
}

async function record<Response>(
  services: ChargeServices,
  operation: Operation,
  { trigger, write, response, recorded }: Recording<Response>,
  counted: string,
): Promise<Begun<Response>> {
  const isWritten = await whileCallerWaits(
    services,
    operation,
    async () => (await write()) || (await isRecorded(services, operation, movesBy(trigger).to)),
  )
  if (isWritten !== true) return unconfirmed(services, operation)
  services.faults.reach('after:result_commit')
  services.count(counted)
  await recorded?.()
  return { outcome: 'recorded', response }
}

/**
 * Called when a write changed nothing. Either an earlier write was committed and its acknowledgement was lost, or
 * recovery has claimed the operation, and then its decision counts.
 */
async function isRecorded({ db }: PaymentServices, operation: Operation, state: Operation['state']): Promise<boolean> {
  const stored = await findOperation(db, operation.businessId, operation.id)
  return stored?.epoch === operation.epoch && stored.state === state
}

async function recordNotSent(services: ChargeServices, operation: Operation): Promise<Begun<never>> {
  const message = 'The card gateway cannot be reached. Nothing was charged. Try again.'
  const written = await whileCallerWaits(services, operation, () =>
    recordUnpaid(services, operation, { trigger: 'not sent', message }),
  )
  if (written === null) return unconfirmed(services, operation)
  services.count('not_sent')
  return { outcome: 'not sent', message }
}

const unconfirmed = ({ owners }: PaymentServices, { owner }: Operation) => unknownOutcome(owners(owner.kind))

export function approvalOf(operation: Operation, result: Omit<ApprovedResult, 'outcome'>, now: Date): Outcome {
  return {
    ...fenceOf(operation),
    trigger: 'approved',
    code: result.code,
    message: result.message,
    gatewayRef: result.gatewayRef,
    issuerReference: result.issuerReference,
    networkTransactionId: result.networkTransactionId ?? null,
    avsResult: result.avsResult ?? null,
    cvvResult: result.cvvResult ?? null,
    now,
  }
}

/** Returns the outcome of a decline and, if an amount was approved, the reversal that is recorded with it. */
export function declineOf(
  operation: Operation,
  result: Declined,
  now: Date,
  { timings }: Pick<PaymentServices, 'timings'>,
): { outcome: Outcome; reversal: NewOperation | null } {
  const { code, message, gatewayRef = null } = result
  const shared = { ...fenceOf(operation), code, message, gatewayRef, now }
  if (result.outcome === 'declined') {
    const { avsResult = null, cvvResult = null } = result
    return { outcome: { ...shared, trigger: 'declined', avsResult, cvvResult }, reversal: null }
  }
  const reversal = newReversal(operation, 'reversal_void', result.approvedAmount, now, timings)
  if (result.outcome === 'partial') return { outcome: { ...shared, trigger: 'approved in part' }, reversal }
  return { outcome: { ...approvalOf(operation, result, now), trigger: 'declined by policy' }, reversal }
}
