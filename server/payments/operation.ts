import type { Cents, Currency } from '../lib/money.ts'
import type { Move } from '../lib/state-table.ts'

/** Reversals that Rialto makes by itself, of sales that were never confirmed to anyone. */
export type ReversalKind = 'reversal_void' | 'reversal_refund'
/** Voids and refunds that the merchant requests. */
export type RequestedKind = 'void' | 'refund'
export type OperationKind = 'sale' | ReversalKind | RequestedKind

export type OperationState =
  /** The intent is recorded; the gateway may have received the request. */
  | 'SENT'
  /** No usable response: only the gateway knows the outcome. */
  | 'IN_DOUBT'
  /** Approved, but to be reversed: the sale has an open void or refund. */
  | 'REVERSING'
  | 'APPROVED'
  | 'DECLINED'
  /** Provably nothing was sent. */
  | 'NOT_SENT'
  /** The gateway has no such transaction, and that is final. */
  | 'NOT_CHARGED'
  | 'REVERSED'

export type OperationTrigger =
  | 'approved'
  | 'approved in part'
  | 'declined by policy'
  | 'declined'
  | 'not sent'
  | 'silence'
  | 'found approved'
  | 'adopted'
  | 'found reversed'
  | 'found not charged'
  | 'reversed'

/** The transitions of docs/specification/payments-and-recovery.md. A transition that is not listed is never written. */
const MOVES: readonly Move<OperationState, OperationTrigger>[] = [
  ['SENT', 'approved', 'APPROVED'],
  ['IN_DOUBT', 'approved', 'APPROVED'],
  ['SENT', 'approved in part', 'REVERSING'],
  ['IN_DOUBT', 'approved in part', 'REVERSING'],
  // The gateway approved, but the policy of the business refuses the approval.
  ['SENT', 'declined by policy', 'REVERSING'],
  ['IN_DOUBT', 'declined by policy', 'REVERSING'],
  ['SENT', 'declined', 'DECLINED'],
  ['IN_DOUBT', 'declined', 'DECLINED'],
  ['SENT', 'not sent', 'NOT_SENT'],
  ['IN_DOUBT', 'not sent', 'NOT_SENT'],
  ['SENT', 'silence', 'IN_DOUBT'],
  // A late result may arrive before the timeout is recorded.
  ['SENT', 'found approved', 'REVERSING'],
  ['IN_DOUBT', 'found approved', 'REVERSING'],
  ['SENT', 'adopted', 'APPROVED'],
  ['IN_DOUBT', 'adopted', 'APPROVED'],
  ['IN_DOUBT', 'found reversed', 'REVERSED'],
  ['SENT', 'found not charged', 'NOT_CHARGED'],
  ['IN_DOUBT', 'found not charged', 'NOT_CHARGED'],
  ['REVERSING', 'reversed', 'REVERSED'],
  // Reconciliation of written-off operations: an approval that turned up late.
  ['NOT_CHARGED', 'reversed', 'REVERSED'],
  ['NOT_SENT', 'reversed', 'REVERSED'],
]

/** Whether the outcome is still unknown, or an approval is not reversed yet. */
export const isOpen = (state: OperationState): boolean =>
  state === 'SENT' || state === 'IN_DOUBT' || state === 'REVERSING'

/** Returns the states in which a trigger is allowed, and the state to which it leads. */
export function movesBy(trigger: OperationTrigger): { from: OperationState[]; to: OperationState } {
  const moves = MOVES.filter(([, by]) => by === trigger)
  const [first] = moves
  if (!first) throw new Error(`No transition has the trigger "${trigger}"`)
  return { from: moves.map(([from]) => from), to: first[2] }
}

/**
 * What happens to an approval that recovery finds. A payer or merchant who got "not confirmed" may have paid in another
 * way, so the approval is reversed. A scheduled bill has no caller who got a result, so its approval is adopted. The
 * exhaustive model of the charge protocol runs once for each owner.
 */
export const ON_RECOVERED_APPROVAL = {
  session: 'reverse',
  stored_card_sale: 'reverse',
  bill: 'adopt',
  subscription_start: 'reverse',
  subscription_resume: 'reverse',
} as const satisfies Record<string, 'reverse' | 'adopt'>

export type ChargeOwnerKind = keyof typeof ON_RECOVERED_APPROVAL

/** One request to a gateway that moves money. */
export interface Operation {
  businessId: string
  id: string
  kind: OperationKind
  state: OperationState
  merchantRef: string
  terminalId: string
  gateway: string
  merchantCode: string
  /** Object that is charged for. A void, refund or reversal has the same owner as its sale. */
  owner: { kind: ChargeOwnerKind; id: string }
  parentId: string | null
  amount: Cents
  currency: Currency
  /** The stored card that is charged; `null` for a typed card. */
  storedCard: { id: string; customerId: string } | null
  gatewayRef: string | null
  /** Identifies the owner of the outcome: a write with a lower epoch changes nothing. */
  epoch: number
  sentAt: Date
  deadlineAt: Date
  inquiries: number
  notFoundSince: Date | null
}

/** The time limits of calls to a gateway. Tests scale them down. */
export interface GatewayTimings {
  /** After this the caller gets 400 `gateway_timeout` (PAY-13). */
  responseMs: number
  /** The socket stays open this long for a late response. */
  wireMs: number
  /** Two "not found" results must be at least this far apart to be final. */
  agreeingMs: number
  /** The factor for all other times of recovery. */
  scale: number
}

export function gatewayTimings(scale = 1): GatewayTimings {
  return { responseMs: 15_000 * scale, wireMs: 40_000 * scale, agreeingMs: 30_000 * scale, scale }
}

/** Seconds after sending at which recovery inquires (REC-7); then hourly. */
const INQUIRIES_AT_SECONDS = [15, 20, 30, 45, 60, 90, 140, 180, 300, 900, 3_600]
const HOUR_SECONDS = 3_600
/** After a day of inquiries an operator must act; the inquiries continue. */
const ATTENTION_AFTER_SECONDS = 86_400

/** Returns the time of the next inquiry. */
export function nextInquiryAt(sentAt: Date, now: Date, scale: number): Date {
  const age = (now.getTime() - sentAt.getTime()) / 1000 / scale
  const at = INQUIRIES_AT_SECONDS.find((seconds) => seconds > age) ?? age + HOUR_SECONDS
  return new Date(sentAt.getTime() + at * 1000 * scale)
}

export function needsAttention(sentAt: Date, now: Date, scale: number): boolean {
  return now.getTime() - sentAt.getTime() > ATTENTION_AFTER_SECONDS * 1000 * scale
}

/**
 * Whether "not found" is final. It does not mean "not charged", because the request may arrive after the inquiry. It is
 * final only `notFoundFinalAfterMs` after the last byte can have been sent, and only if two results agree.
 *
 * @see REC-8
 */
export function isNotFoundFinal(
  { deadlineAt, notFoundSince }: Pick<Operation, 'deadlineAt' | 'notFoundSince'>,
  now: Date,
  { notFoundFinalAfterMs, agreeingMs }: { notFoundFinalAfterMs: number; agreeingMs: number },
): boolean {
  if (notFoundSince === null || mayStillArrive({ deadlineAt }, now, notFoundFinalAfterMs)) return false
  return now.getTime() - notFoundSince.getTime() >= agreeingMs
}

/** Whether a request that was sent until the deadline may still reach the gateway. */
export const mayStillArrive = ({ deadlineAt }: Pick<Operation, 'deadlineAt'>, now: Date, finalAfterMs: number) =>
  now.getTime() < deadlineAt.getTime() + finalAfterMs

/** The result of one round of recovery. */
export type Resolution = 'resolved' | { notFoundSince: Date | null }

/** Returns the fence of a write: the write takes effect only while its writer owns the outcome. */
export const fenceOf = ({ businessId, id, epoch }: Operation) => ({ businessId, operationId: id, epoch })
