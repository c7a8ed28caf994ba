import Type, { type Static } from 'typebox'
import type { Cents } from '../../../lib/money.ts'
import { responseSchema } from '../../../lib/response-schema.ts'
import type { CheckResults } from '../../check-results.ts'
import type { DeclinedResult, FoundTransaction, GatewayResult, InquiryResult } from '../../gateway.ts'
import { isResultCode, RESULT_CODES } from '../../result-codes.ts'

// Classifies the simulator's responses. A response that is incomplete or contradicts itself is an unknown outcome.

const Text = Type.Optional(Type.String())

const Response = Type.Object({
  outcome: Type.String(),
  reason: Text,
  code: Text,
  advice: Text,
  message: Text,
  gatewayRef: Type.Optional(Type.String({ minLength: 1 })),
  issuerReference: Text,
  networkTransactionId: Text,
  approvedAmount: Type.Optional(Type.Integer({ minimum: 0 })),
  avs: Type.Optional(Type.Unknown()),
  cvv: Type.Optional(Type.Unknown()),
})

const STATES = ['approved', 'partial', 'declined', 'voided', 'refunded'] as const

const Inquiry = Type.Union([
  Type.Object({ found: Type.Literal(false) }),
  Type.Object({
    found: Type.Literal(true),
    transaction: Type.Object({
      state: Type.Unsafe<FoundTransaction['state']>({ type: 'string', enum: [...STATES] }),
      code: Type.String(),
      gatewayRef: Type.String({ minLength: 1 }),
      issuerReference: Type.String(),
      approvedAmount: Type.Integer({ minimum: 0 }),
      batchOpen: Type.Boolean(),
      batch: Type.Optional(Type.String({ pattern: '^[!-~]{1,64}$' })),
      message: Type.String(),
      networkTransactionId: Text,
      advice: Text,
    }),
  }),
])

type Response = Static<typeof Response>

const resultSchema = responseSchema(Response)
const inquirySchema = responseSchema(Inquiry)

/**
 * @param response parsed JSON of the response
 * @param requested requested amount in cents; `null` for a void, which has none
 */
export function classifyTransaction(response: unknown, requested: Cents | null): GatewayResult {
  if (!resultSchema.matches(response)) return unknown('the response is invalid')
  if (response.outcome === 'refused')
    return { outcome: 'refused', reason: reasonOf(response), message: messageOf(response) }
  if (response.outcome === 'duplicate') return unknown('the gateway reports a duplicate reference')
  if (response.outcome === 'declined') return classifyDecline(response)
  if (response.outcome === 'approved' || response.outcome === 'partial') return classifyApproval(response, requested)
  return unknown('the response has an outcome that does not exist')
}

export function classifyInquiry(response: unknown): InquiryResult {
  if (!inquirySchema.matches(response))
    return { found: 'indeterminate', message: 'the inquiry response is indeterminate or invalid' }
  if (!response.found) return { found: false }
  const { code, networkTransactionId, advice, batch = null, ...transaction } = response.transaction
  if (!isResultCode(code) || (transaction.state === 'declined') !== (RESULT_CODES[code].outcome === 'declined')) {
    return { found: 'indeterminate', message: 'the code and the state of the transaction contradict each other' }
  }
  return {
    found: true,
    transaction: {
      ...transaction,
      code,
      batch,
      approvedAmount: transaction.approvedAmount as Cents,
      message: messageOf(transaction),
      ...(networkTransactionId !== undefined && { networkTransactionId }),
      ...(transaction.state === 'declined' && advice !== undefined && { advice: adviceOf({ advice }) }),
    },
  }
}

function classifyDecline(response: Response): GatewayResult {
  const { code, gatewayRef } = response
  if (!isResultCode(code) || RESULT_CODES[code].outcome !== 'declined')
    return unknown('declined, but without the code of a decline')
  return {
    outcome: 'declined',
    code,
    message: messageOf(response),
    advice: adviceOf(response),
    ...checksOf(response),
    ...(gatewayRef !== undefined && { gatewayRef }),
  }
}

/** Classifies an approval by its amount, not by the name of its outcome: less than requested is a partial approval. */
function classifyApproval(response: Response, requested: Cents | null): GatewayResult {
  const { code, gatewayRef, issuerReference = '', networkTransactionId } = response
  const approvedAmount = response.approvedAmount as Cents | undefined
  const message = messageOf(response)
  if (!isResultCode(code) || RESULT_CODES[code].outcome === 'declined')
    return unknown('approved, but without the code of an approval')
  if (gatewayRef === undefined) return unknown('approved without a reference')
  if (approvedAmount === undefined) return unknown('approved without an amount')
  if (requested !== null && approvedAmount > requested) return unknown('approved for more than the requested amount')

  const isLess = requested !== null && approvedAmount < requested
  if (isLess || response.outcome === 'partial' || code !== 'AA') {
    if (requested === null) return unknown('a void cannot be partial')
    return { outcome: 'partial', code: code === 'AA' ? 'AP' : code, gatewayRef, approvedAmount, message }
  }
  return {
    outcome: 'approved',
    code,
    gatewayRef,
    issuerReference,
    approvedAmount,
    message,
    ...checksOf(response),
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  }
}

const CHECK = /^[A-Z0-9]$/

/** Returns the check results. One that is not a single letter is left out: no money depends on it. */
function checksOf({ avs, cvv }: Response): CheckResults {
  const isCheck = (value: unknown): value is string => typeof value === 'string' && CHECK.test(value)
  return { ...(isCheck(avs) && { avsResult: avs }), ...(isCheck(cvv) && { cvvResult: cvv }) }
}

function unknown(message: string): GatewayResult {
  return { outcome: 'unknown', message }
}

const REASONS = ['invalid_request', 'not_permitted', 'configuration'] as const

function reasonOf({ reason }: Response): (typeof REASONS)[number] {
  return REASONS.find((known) => known === reason) ?? 'invalid_request'
}

const ADVICE: readonly DeclinedResult['advice'][] = ['never', 'correct_data', 'later', 'stop_recurring', 'none']

function adviceOf({ advice }: Pick<Response, 'advice'>): DeclinedResult['advice'] {
  return ADVICE.find((known) => known === advice) ?? 'none'
}

/** Returns the message with every run of 12 to 19 digits masked: some gateways echo the card number in messages. */
function messageOf({ message = '' }: { message?: string }): string {
  return message.replace(/\d(?:[ -]?\d){11,18}/g, '…').slice(0, 200)
}
