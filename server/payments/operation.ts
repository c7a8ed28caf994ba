import type { Cents, Currency } from '../lib/money.ts'
import type { Move } from '../lib/state-table.ts'

export type ReversalKind = 'reversal_void' | 'reversal_refund'
export type OperationKind = 'sale' | ReversalKind

export type OperationState =
  /** Written down; from here on the gateway may have it. */
  | 'SENT'
  /** No usable response: only the gateway knows. */
  | 'IN_DOUBT'
  /** Approved, and to be reversed: an open void or refund belongs to it. */
  | 'REVERSING'
  | 'APPROVED'
  | 'DECLINED'
  /** Provably nothing left us. */
  | 'NOT_SENT'
  /** The gateway does not know it, for good. */
  | 'NOT_CHARGED'
  | 'REVERSED'

export type OperationTrigger =
  | 'approved'
  | 'approved in part'
  | 'declined'
  | 'not sent'
  | 'silence'
  | 'found approved'
  | 'adopted'
  | 'found reversed'
  | 'found not charged'
  | 'reversed'

/** The states of docs/specification/payments-and-recovery.md. A pair that is not here is never written: every change of state names its trigger. */
const MOVES: readonly Move<OperationState, OperationTrigger>[] = [
  ['SENT', 'approved', 'APPROVED'],
  ['IN_DOUBT', 'approved', 'APPROVED'],
  ['SENT', 'approved in part', 'REVERSING'],
  ['IN_DOUBT', 'approved in part', 'REVERSING'],
  ['SENT', 'declined', 'DECLINED'],
  ['IN_DOUBT', 'declined', 'DECLINED'],
  ['SENT', 'not sent', 'NOT_SENT'],
  ['IN_DOUBT', 'not sent', 'NOT_SENT'],
  ['SENT', 'silence', 'IN_DOUBT'],
  // A late response may come before the silence was written down.
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

/** Where a trigger may find an operation, and where it takes it. */
export function movesBy(trigger: OperationTrigger): { from: OperationState[]; to: OperationState } {
  const moves = MOVES.filter(([, by]) => by === trigger)
  const [first] = moves
  if (!first) throw new Error(`Nothing moves an operation by "${trigger}"`)
  return { from: moves.map(([from]) => from), to: first[2] }
}

/**
 * What becomes of an approval that recovery finds, after nobody received a result. A payer or a merchant who was told "not
 * confirmed" may have paid some other way: their approval is reversed. Of a bill on schedule nobody was told anything: its
 * approval counts. The exhaustive model of the charge protocol runs once for each owner.
 */
export const ON_RECOVERED_APPROVAL = {
  session: 'reverse',
  stored_card_sale: 'reverse',
  bill: 'adopt',
} as const satisfies Record<string, 'reverse' | 'adopt'>

export type ChargeOwnerKind = keyof typeof ON_RECOVERED_APPROVAL

/** One operation of money asked of a gateway. */
export interface Operation {
  businessId: string
  id: string
  kind: OperationKind
  state: OperationState
  merchantRef: string
  terminalId: string
  gateway: string
  merchantCode: string
  /** What it is for; a reversal has the owner of its sale. */
  owner: { kind: ChargeOwnerKind; id: string }
  parentId: string | null
  amount: Cents
  currency: Currency
  /** Whose stored card it charges. */
  storedCard: { id: string; customerId: string } | null
  gatewayRef: string | null
  /** Who owns the outcome: a writer with an older number is too late. */
  epoch: number
  sentAt: Date
  deadlineAt: Date
  inquiries: number
  notFoundSince: Date | null
}

/** How long anybody waits for a gateway. Tests run them on a smaller scale. */
export interface GatewayTimings {
  /** Then the caller gets 400 (PAY-13). */
  responseMs: number
  /** The socket stays open this long for a late response. */
  wireMs: number
  /** Two inquiries that find nothing must be this far apart to agree. */
  agreeingMs: number
  /** Everything in this table is multiplied by it. */
  scale: number
}

export function gatewayTimings(scale = 1): GatewayTimings {
  return { responseMs: 15_000 * scale, wireMs: 40_000 * scale, agreeingMs: 30_000 * scale, scale }
}

/** Seconds after sending at which recovery inquires (REC-7); then hourly. */
const INQUIRIES_AT_SECONDS = [15, 20, 30, 45, 60, 90, 140, 180, 300, 900, 3_600]
const HOUR_SECONDS = 3_600
/** After a day of asking a person must look; asking goes on. */
const ATTENTION_AFTER_SECONDS = 86_400

/** When to ask next. */
export function nextInquiryAt(sentAt: Date, now: Date, scale: number): Date {
  const age = (now.getTime() - sentAt.getTime()) / 1000 / scale
  const at = INQUIRIES_AT_SECONDS.find((seconds) => seconds > age) ?? age + HOUR_SECONDS
  return new Date(sentAt.getTime() + at * 1000 * scale)
}

export function needsAttention(sentAt: Date, now: Date, scale: number): boolean {
  return now.getTime() - sentAt.getTime() > ATTENTION_AFTER_SECONDS * 1000 * scale
}

/**
 * "Not found" is not "not charged": a request can arrive after the inquiry. It is final only when no byte can have been sent
 * for the gateway's `notFoundFinalAfterMs`, and two responses agree (REC-8).
 */
export function isNotFoundFinal(
  { deadlineAt, notFoundSince }: Pick<Operation, 'deadlineAt' | 'notFoundSince'>,
  now: Date,
  { notFoundFinalAfterMs, agreeingMs }: { notFoundFinalAfterMs: number; agreeingMs: number },
): boolean {
  if (notFoundSince === null) return false
  const finalized = now.getTime() >= deadlineAt.getTime() + notFoundFinalAfterMs
  return finalized && now.getTime() - notFoundSince.getTime() >= agreeingMs
}

/** Whoever writes with it must still own the outcome. */
export const fenceOf = ({ businessId, id, epoch }: Operation) => ({ businessId, operationId: id, epoch })
