import { setTimeout as sleep } from 'node:timers/promises'
import type { ApprovedResult, GatewayResult } from '../../gateway/gateway.ts'
import { isDatabaseAway } from '../../http/error-response.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { movesBy, type Operation, type OperationTrigger } from '../operation.ts'
import { finalize, findOperation, type Outcome } from '../operation-queries.ts'
import { fenceOf, type MoneyServices } from '../recovery/reverse-sale.ts'
import { failedSaleEvent } from '../stored-card-sale/failed-sale.ts'
import { recordUnknownOutcome, unknownOutcome } from './unknown-outcome.ts'

const WRITE_AGAIN_AFTER_MS = 200
const WRITE_TRIES_MIN = 2
const DEADLOCK = '40P01'

/** A partial approval is a decline whose part is given back. */
export type Declined = Pick<Extract<GatewayResult, { outcome: 'declined' | 'partial' }>, 'code' | 'message'> &
  ({ outcome: 'declined'; gatewayRef?: string } | { outcome: 'partial'; gatewayRef: string; approvedAmount: Cents })

/** How a response of the gateway is written down, by what is paid. Both are safe to do twice. */
export interface ResultRecorder<Response> {
  approve(result: ApprovedResult): Promise<Response>
  decline(result: Declined): Promise<Response>
}

/**
 * Step 3 of a sale: the gateway's response, written down and told.
 *
 * When the database fails here it is tried again while the caller can be kept waiting. Each try is fenced, so it also finds
 * the commit of an earlier one whose acknowledgement was lost (reliability.md R10). After the last the outcome is unknown to
 * the caller, whatever the gateway said: nobody is told «paid» before it is durable, nobody «declined» or «not charged».
 *
 * @throws ApiError `gateway_timeout`, `gateway_unavailable`
 */
export async function recordResult<Response>(
  services: MoneyServices,
  operation: Operation,
  result: GatewayResult,
  writer: ResultRecorder<Response>,
): Promise<Response> {
  const { clock, log } = services
  const { id, deadlineAt } = operation
  for (let tried = 1; ; tried++) {
    try {
      return await recordOnce(services, operation, result, writer)
    } catch (error) {
      if (!isDatabaseAway(error) && (error as { code?: string }).code !== DEADLOCK) throw error
      log.error({ err: error, operation: id, tried }, 'the response of the gateway could not be written down')
      if (tried >= WRITE_TRIES_MIN && clock.now() >= deadlineAt) throw unknownOutcome(operation)
    }
    await sleep(WRITE_AGAIN_AFTER_MS)
  }
}

function recordOnce<Response>(
  services: MoneyServices,
  operation: Operation,
  result: GatewayResult,
  writer: ResultRecorder<Response>,
): Promise<Response> {
  switch (result.outcome) {
    case 'approved':
      return writer.approve(result)
    case 'partial':
    case 'declined':
      return writer.decline(result)
    case 'refused':
      // The gateway found the request itself wrong. A wrong card is the payer's to correct; anything else is ours.
      if (result.reason === 'invalid_request')
        return writer.decline({ outcome: 'declined', code: 'ND', message: result.message })
      services.log.error({ operation: operation.id, reason: result.reason }, 'the gateway refuses our requests')
      return notSent(services, operation)
    case 'not_sent':
      return notSent(services, operation)
    case 'unknown':
      return recordUnknown(services, operation, result.message)
  }
}

export function approvalOf(operation: Operation, result: ApprovedResult, now: Date): Outcome {
  return {
    ...fenceOf(operation),
    trigger: 'approved',
    code: result.code,
    message: result.message,
    gatewayRef: result.gatewayRef,
    issuerReference: result.issuerReference,
    networkTransactionId: result.networkTransactionId ?? null,
    now,
  }
}

export function declineOf(operation: Operation, { outcome, code, message, gatewayRef }: Declined, now: Date): Outcome {
  const trigger = outcome === 'partial' ? 'approved in part' : 'declined'
  return { ...fenceOf(operation), trigger, code, message, gatewayRef: gatewayRef ?? null, now }
}

async function notSent(services: MoneyServices, operation: Operation): Promise<never> {
  const { db, clock } = services
  const message = 'The card gateway cannot be reached. Nothing was charged. Try again.'
  const event = await failedSaleEvent(services, operation, { message })
  await finalize(db, { ...fenceOf(operation), trigger: 'not sent', now: clock.now() }, event)
  services.count('not_sent')
  throw new ApiError('gateway_unavailable', { message, extra: { charged: false } })
}

async function recordUnknown(services: MoneyServices, operation: Operation, message: string): Promise<never> {
  await recordUnknownOutcome(services, operation, message)
  throw unknownOutcome(operation)
}

/**
 * Nothing was written. Either an earlier try was committed and its acknowledgement lost; then it is answered as it was meant.
 * Or recovery took the operation over while this process was held up: its word counts, not this one's memory (R6).
 */
export async function alreadyDecided<Response>(
  { db }: MoneyServices,
  operation: Operation,
  meant: OperationTrigger,
  response: () => Response,
): Promise<Awaited<Response>> {
  const decided = await findOperation(db, operation.businessId, operation.id)
  if (decided?.epoch === operation.epoch && decided.state === movesBy(meant).to) return await response()
  throw unknownOutcome(operation)
}
