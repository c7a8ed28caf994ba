import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Cents } from '../../../lib/money.ts'
import type { DeclinedResult, FoundTransaction, GatewayResult, InquiryResult } from '../../gateway.ts'
import { isResultCode, RESULT_CODES } from '../../result-codes.ts'

// What the simulator's responds mean. Nothing is believed that is not complete and consistent: the rest is "unknown".

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
      message: Type.String(),
      networkTransactionId: Text,
    }),
  }),
])

type Response = Static<typeof Response>

const responseSchema = Compile(Response)
const inquirySchema = Compile(Inquiry)

/**
 * @param asked what should have been approved; `null` for a void, which names no amount
 */
export function classifyTransaction(response: unknown, asked: Cents | null): GatewayResult {
  if (!responseSchema.Check(response)) return unknown('the response cannot be read')
  if (response.outcome === 'refused')
    return { outcome: 'refused', reason: reasonOf(response), message: messageOf(response) }
  if (response.outcome === 'duplicate') return unknown('the gateway has seen this reference before')
  if (response.outcome === 'declined') return classifyDecline(response)
  if (response.outcome === 'approved' || response.outcome === 'partial') return classifyApproval(response, asked)
  return unknown('the gateway names an outcome that does not exist')
}

export function classifyInquiry(response: unknown): InquiryResult {
  if (!inquirySchema.Check(response)) return { found: 'indeterminate', message: 'the gateway could not say' }
  if (!response.found) return { found: false }
  const { code, networkTransactionId, ...transaction } = response.transaction
  if (!isResultCode(code) || (transaction.state === 'declined') !== (RESULT_CODES[code].outcome === 'declined')) {
    return { found: 'indeterminate', message: 'the gateway contradicts itself' }
  }
  return {
    found: true,
    transaction: {
      ...transaction,
      code,
      approvedAmount: transaction.approvedAmount as Cents,
      message: messageOf(transaction),
      ...(networkTransactionId !== undefined && { networkTransactionId }),
    },
  }
}

function classifyDecline(response: Response): GatewayResult {
  const { code, gatewayRef } = response
  if (!isResultCode(code) || RESULT_CODES[code].outcome !== 'declined') return unknown('declined with another code')
  return {
    outcome: 'declined',
    code,
    message: messageOf(response),
    advice: adviceOf(response),
    ...(gatewayRef !== undefined && { gatewayRef }),
  }
}

/** The amount is believed before the word: less than was asked for is a partial approval, whatever it is called. */
function classifyApproval(response: Response, asked: Cents | null): GatewayResult {
  const { code, gatewayRef, issuerReference = '', networkTransactionId } = response
  const approvedAmount = response.approvedAmount as Cents | undefined
  const message = messageOf(response)
  if (!isResultCode(code) || RESULT_CODES[code].outcome === 'declined') return unknown('approved with another code')
  if (gatewayRef === undefined) return unknown('approved without a reference')
  if (approvedAmount === undefined) return unknown('approved without an amount')
  if (asked !== null && approvedAmount > asked) return unknown('approved for more than was asked')

  const isLess = asked !== null && approvedAmount < asked
  if (isLess || response.outcome === 'partial' || code !== 'AA') {
    if (asked === null) return unknown('a void cannot be partial')
    return { outcome: 'partial', code: code === 'AA' ? 'AP' : code, gatewayRef, approvedAmount, message }
  }
  return {
    outcome: 'approved',
    code,
    gatewayRef,
    issuerReference,
    approvedAmount,
    message,
    ...(networkTransactionId !== undefined && { networkTransactionId }),
  }
}

function unknown(message: string): GatewayResult {
  return { outcome: 'unknown', message }
}

const REASONS = ['invalid_request', 'not_permitted', 'configuration'] as const

function reasonOf({ reason }: Response): (typeof REASONS)[number] {
  return REASONS.find((known) => known === reason) ?? 'invalid_request'
}

const ADVICE: readonly DeclinedResult['advice'][] = ['never', 'correct_data', 'later', 'stop_recurring', 'none']

function adviceOf({ advice }: Response): DeclinedResult['advice'] {
  return ADVICE.find((known) => known === advice) ?? 'none'
}

/** Gateways have been seen to echo what they were sent: no run of digits that could be a card number gets through. */
function messageOf({ message = '' }: { message?: string }): string {
  return message.replace(/\d(?:[ -]?\d){11,18}/g, '…').slice(0, 200)
}
