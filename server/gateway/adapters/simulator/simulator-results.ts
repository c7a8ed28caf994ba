import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Cents } from '../../../lib/money.ts'
import type { DeclinedResult, FoundMovement, GatewayResult, InquiryResult } from '../../gateway.ts'
import { isResultCode, RESULT_CODES } from '../../result-codes.ts'

// What the simulator's answers mean. Nothing is believed that is not complete and consistent: the rest is «unknown».

const Text = Type.Optional(Type.String())

const Answer = Type.Object({
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
    movement: Type.Object({
      state: Type.Unsafe<FoundMovement['state']>({ type: 'string', enum: [...STATES] }),
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

type Answer = Static<typeof Answer>

const answerSchema = Compile(Answer)
const inquirySchema = Compile(Inquiry)

/**
 * @param asked what should have been approved; `null` for a void, which names no amount
 */
export function judgeMovement(answer: unknown, asked: Cents | null): GatewayResult {
  if (!answerSchema.Check(answer)) return unknown('the answer cannot be read')
  if (answer.outcome === 'refused') return { outcome: 'refused', reason: reasonOf(answer), message: messageOf(answer) }
  if (answer.outcome === 'duplicate') return unknown('the gateway has seen this reference before')
  if (answer.outcome === 'declined') return judgeDecline(answer)
  if (answer.outcome === 'approved' || answer.outcome === 'partial') return judgeApproval(answer, asked)
  return unknown('the gateway names an outcome that does not exist')
}

export function judgeInquiry(answer: unknown): InquiryResult {
  if (!inquirySchema.Check(answer)) return { found: 'indeterminate', message: 'the gateway could not say' }
  if (!answer.found) return { found: false }
  const { code, networkTransactionId, ...movement } = answer.movement
  if (!isResultCode(code) || (movement.state === 'declined') !== (RESULT_CODES[code].outcome === 'declined')) {
    return { found: 'indeterminate', message: 'the gateway contradicts itself' }
  }
  return {
    found: true,
    movement: {
      ...movement,
      code,
      approvedAmount: movement.approvedAmount as Cents,
      message: messageOf(movement),
      ...(networkTransactionId !== undefined && { networkTransactionId }),
    },
  }
}

function judgeDecline(answer: Answer): GatewayResult {
  const { code, gatewayRef } = answer
  if (!isResultCode(code) || RESULT_CODES[code].outcome !== 'declined') return unknown('declined with another code')
  return {
    outcome: 'declined',
    code,
    message: messageOf(answer),
    advice: adviceOf(answer),
    ...(gatewayRef !== undefined && { gatewayRef }),
  }
}

/** The amount is believed before the word: less than was asked for is a partial approval, whatever it is called. */
function judgeApproval(answer: Answer, asked: Cents | null): GatewayResult {
  const { code, gatewayRef, issuerReference = '', networkTransactionId } = answer
  const approvedAmount = answer.approvedAmount as Cents | undefined
  const message = messageOf(answer)
  if (!isResultCode(code) || RESULT_CODES[code].outcome === 'declined') return unknown('approved with another code')
  if (gatewayRef === undefined) return unknown('approved without a reference')
  if (approvedAmount === undefined) return unknown('approved without an amount')
  if (asked !== null && approvedAmount > asked) return unknown('approved for more than was asked')

  const isLess = asked !== null && approvedAmount < asked
  if (isLess || answer.outcome === 'partial' || code !== 'AA') {
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

function reasonOf({ reason }: Answer): (typeof REASONS)[number] {
  return REASONS.find((known) => known === reason) ?? 'invalid_request'
}

const ADVICE: readonly DeclinedResult['advice'][] = ['never', 'correct_data', 'later', 'stop_recurring', 'none']

function adviceOf({ advice }: Answer): DeclinedResult['advice'] {
  return ADVICE.find((known) => known === advice) ?? 'none'
}

/** Gateways have been seen to echo what they were sent: no run of digits that could be a card number gets through. */
function messageOf({ message = '' }: { message?: string }): string {
  return message.replace(/\d(?:[ -]?\d){11,18}/g, '…').slice(0, 200)
}
