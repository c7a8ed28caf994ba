import type { TestCardEffect } from '../../../contract/dashboard/test-card-texts.ts'
import type { StoredCredential } from '../gateway.ts'
import type { BehaviourName } from './behaviours.ts'
import type { LedgerRow } from './ledger-row.ts'

/** Input of a rule. */
export interface Situation {
  amount: number
  cvv?: string | undefined
  storedCredential?: StoredCredential | undefined
  /** Earlier rows of this card, or earlier voids and refunds of this sale; oldest first, including unrecorded rows. */
  earlier: readonly LedgerRow[]
  /** Current time in epoch milliseconds by the simulator's clock. */
  now: number
}

export type Rule = BehaviourName | ((situation: Situation) => BehaviourName)

export interface MagicCard {
  number: string
  /** Effect of the card, as docs/reference/test-cards.md and the dashboard describe it. */
  effect: TestCardEffect
  /** Result code of the sale; a dash if the response is unusable; `null` if the amount decides. */
  code: string | null
  sale: Rule
  /** Rule for a verification; if absent, that of the sale applies. */
  verify?: Rule
  void?: Rule
  refund?: Rule
  funding?: 'debit' | 'prepaid'
  issuerCountry?: 'CA'
  /** AVS response; full match (`Y`) if absent. */
  avs?: 'N' | 'Z' | 'A' | 'U'
  /** CVV response, except for CVVs with their own rule; if absent, it follows from the code. */
  cvv?: 'N'
}

const DAY_MS = 86_400_000

/** Behaviour of card 4000990000002307 by the last two digits of the amount. Any other amount is approved. */
export const AMOUNT_CENTS = {
  '00': 'approved',
  '01': 'referral',
  '04': 'pick_up_card',
  '05': 'declined',
  '10': 'partial_ap',
  '11': 'partial_ac',
  '14': 'record_not_found',
  '20': 'approved_slowly',
  '21': 'silent_recorded',
  '22': 'silent_not_recorded',
  '23': 'reset_recorded',
  '41': 'lost_card',
  '43': 'stolen_card',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '61': 'declined',
  '82': 'cvv_mismatch',
  '91': 'please_retry',
  '99': 'duplicate',
} as const satisfies Record<string, BehaviourName & TestCardEffect>

/** Cards with a fixed behaviour. Any other number that passes the Luhn check is approved. */
export const MAGIC_CARDS: readonly MagicCard[] = [
  approves('4242424242424242', 'approved_visa'),
  approves('5555555555554444', 'approved_mastercard'),
  approves('2223003122003222', 'approved_mastercard_2'),
  approves('378282246310005', 'approved_amex'),
  approves('6011111111111117', 'approved_discover'),
  { ...approves('4000001240000000', 'approved_canada'), issuerCountry: 'CA' },
  { ...approves('4000056655665556', 'approved_visa_debit'), funding: 'debit' },
  { ...approves('5200828282828210', 'approved_mastercard_debit'), funding: 'debit' },
  { ...approves('5105105105105100', 'approved_mastercard_prepaid'), funding: 'prepaid' },

  card('4000000000000002', 'ND', 'declined', 'declined'),
  card('4000000000009995', 'ND', 'insufficient_funds', 'insufficient_funds'),
  card('4000000000009987', 'NC', 'lost_card', 'lost_card'),
  card('4000000000009979', 'NC', 'stolen_card', 'stolen_card'),
  card('4000000000000069', 'ND', 'expired_card', 'expired_card'),
  card('4000000000000127', 'N7', 'cvv_mismatch', 'cvv_mismatch'),
  card('4000000000000101', 'N7 / AA', 'cvv_mismatch_when_sent', cvvMismatchWhenSent),
  { ...approves('4000000000000051', 'approved_cvv_mismatch'), cvv: 'N' },
  { ...approves('4000000000000010', 'avs_none'), avs: 'N' },
  { ...approves('4000000000000028', 'avs_no_street'), avs: 'Z' },
  { ...approves('4000000000000036', 'avs_no_postal_code'), avs: 'A' },
  { ...approves('4000000000000044', 'avs_unverified'), avs: 'U' },
  card('4000000000000119', 'ND', 'please_retry', 'please_retry'),
  approves('4000000000000259', 'chargeback'),

  // A verification charges nothing, so a subscription with a later start begins, and its first bill is declined.
  { ...card('4000000000000341', 'AA / ND', 'only_when_typed', onlyWhenTyped), verify: 'approved' },
  card('4000990000040000', 'AA / ND', 'later_declined', later('declined')),
  card('4000990000041008', 'AA / ND', 'later_declined_twice', laterAfter(2, 'declined')),
  card('4000990000042006', 'AA / NC', 'later_pick_up_card', later('pick_up_card')),
  card('4000990000043004', 'AA / –', 'later_silent_recorded', later('silent_recorded')),
  card('4000990000044002', 'AA / –', 'later_silent_not_recorded', laterAfter(1, 'silent_not_recorded')),

  { ...approves('4000990000045009', 'verify_declined'), verify: 'declined' },
  { ...approves('4000990000046007', 'verify_silent'), verify: 'silent_not_recorded' },

  card('4000990000000103', 'AP', 'partial_ap', 'partial_ap'),
  card('4000990000000202', 'AC', 'partial_ac', 'partial_ac'),
  {
    ...card('4000990000002406', 'AP', 'partial_void_silent', 'partial_ap'),
    void: ({ earlier }) => (earlier.length === 0 ? 'silent_not_recorded' : 'approved'),
  },
  card('4000990000000301', 'NF', 'record_not_found', 'record_not_found'),
  card('4000990000000400', 'NR', 'referral', 'referral'),
  card('4000990000000509', 'N7', 'cvv_failed', 'cvv_mismatch'),
  card('4000990000000608', 'NC', 'pick_up_card', 'pick_up_card'),
  card('4000990000000707', 'ND', 'never_again', 'never_again'),
  card('4000990000000806', 'ND', 'stop_recurring', 'stop_recurring'),
  card('4000990000000905', 'ND', 'try_later', 'try_later'),
  card('4000990000001002', 'ND / AA', 'declined_for_three_days', declinesForThreeDays),

  card('4000990000001101', '–', 'approved_slowly', 'approved_slowly'),
  card('4000990000001200', '–', 'declined_slowly', 'declined_slowly'),
  card('4000990000001309', '–', 'silent_recorded', 'silent_recorded'),
  card('4000990000001408', '–', 'silent_not_recorded', 'silent_not_recorded'),
  card('4000990000001507', '–', 'reset_not_recorded', 'reset_not_recorded'),
  card('4000990000001606', '–', 'reset_recorded', 'reset_recorded'),
  card('4000990000001705', '–', 'half_response_recorded', 'half_response_recorded'),
  card('4000990000001804', '–', 'http_500_not_recorded', 'http_500_not_recorded'),
  card('4000990000001903', '–', 'http_503_recorded', 'http_503_recorded'),
  card('4000990000002000', '–', 'garbled_recorded', 'garbled_recorded'),
  card('4000990000002109', '–', 'login_page_recorded', 'login_page_recorded'),
  card('4000990000002208', '–', 'duplicate', 'duplicate'),
  card('4000990000002307', null, 'by_cents', byCents),
  card('4000990000002505', '–', 'approved_without_reference', 'approved_without_reference'),
  card('4000990000002604', 'AA', 'recorded_twice', 'recorded_twice'),
  card('4000990000002703', 'AA', 'hidden_for_60_s', 'hidden_for_60_s'),
  {
    ...approves('4000990000002802', 'void_reset'),
    void: 'reset_not_recorded',
  },
  { ...approves('4000990000002901', 'refund_declined'), refund: 'declined' },

  approves('4000990000003107', 'ddd_authenticated'),
  approves('4000990000003206', 'ddd_challenge_code'),
  approves('4000990000003305', 'ddd_attempted'),
  // If the business uses 3-D Secure, the next cards never reach the gateway.
  approves('4000990000003404', 'ddd_not_authenticated'),
  approves('4000990000003503', 'ddd_unavailable'),
  approves('4000990000003602', 'ddd_rejected'),
  approves('4000990000003701', 'ddd_not_supported'),
  approves('4000990000003800', 'ddd_server_error'),
  approves('4000990000003909', 'ddd_expired'),
  approves('4000000000003220', 'ddd_challenge'),
  approves('4000002760003184', 'ddd_challenge'),
]

function card(number: string, code: string | null, effect: TestCardEffect, sale: Rule): MagicCard {
  return { number, code, effect, sale }
}

function approves(number: string, effect: TestCardEffect): MagicCard {
  return card(number, 'AA', effect, 'approved')
}

function cvvMismatchWhenSent({ cvv }: Situation): BehaviourName {
  return cvv === undefined ? 'approved' : 'cvv_mismatch'
}

/** Approves only a typed card: the cardholder begins its charges; the merchant begins those of a stored card. */
function onlyWhenTyped({ storedCredential }: Situation): BehaviourName {
  const isTyped = !storedCredential || (storedCredential.initial && storedCredential.initiator === 'cardholder')
  return isTyped ? 'approved' : 'declined'
}

/** Whether this is a recurring charge that the merchant initiates, after the first charge of the subscription. */
function isLaterCharge(storedCredential: StoredCredential | undefined): boolean {
  if (!storedCredential || storedCredential.initial) return false
  return storedCredential.initiator === 'merchant' && storedCredential.reason !== 'unscheduled'
}

function later(behaviour: BehaviourName): Rule {
  return ({ storedCredential }) => (isLaterCharge(storedCredential) ? behaviour : 'approved')
}

/** Lets each later charge fail `failures` times before it is approved, counted from the last approval of its series. */
function laterAfter(failures: number, behaviour: BehaviourName): Rule {
  return (situation) => {
    if (!isLaterCharge(situation.storedCredential)) return 'approved'
    const series = situation.earlier.filter((row) => isOfSeries(row, situation))
    const lastApproved = series.findLastIndex((row) => row.recorded && row.outcome === 'approved')
    return series.length - (lastApproved + 1) < failures ? behaviour : 'approved'
  }
}

/** Whether a row is a later charge of the same stored card and amount: a bill of the same subscription, presumably. */
function isOfSeries({ amount, storedCredential }: LedgerRow, situation: Situation): boolean {
  return (
    isLaterCharge(storedCredential) &&
    amount === situation.amount &&
    storedCredential?.networkTransactionId === situation.storedCredential?.networkTransactionId
  )
}

function declinesForThreeDays({ earlier, now }: Situation): BehaviourName {
  const first = earlier[0]
  return first && now >= first.decidedAt + 3 * DAY_MS ? 'approved' : 'declined'
}

function byCents({ amount }: Situation): BehaviourName {
  const cents = String(amount % 100).padStart(2, '0')
  return AMOUNT_CENTS[cents as keyof typeof AMOUNT_CENTS] ?? 'approved'
}
