import type { StoredCredential } from '../gateway.ts'
import type { BehaviourName } from './behaviours.ts'
import type { LedgerRow } from './ledger-row.ts'

/** The input of a rule. */
export interface Situation {
  amount: number
  cvv?: string | undefined
  storedCredential?: StoredCredential | undefined
  /** Earlier rows of this card, or earlier voids or refunds of this sale; oldest first, including rows not recorded. */
  earlier: readonly LedgerRow[]
  /** Epoch milliseconds by the simulator's clock. */
  now: number
}

export type Rule = BehaviourName | ((situation: Situation) => BehaviourName)

export interface MagicCard {
  number: string
  /** For docs/reference/test-cards.md. */
  does: string
  /** Result code of the sale; a dash when the response is unusable. */
  code: string
  sale: Rule
  /** As the sale when absent. */
  verify?: Rule
  void?: Rule
  refund?: Rule
  funding?: 'debit' | 'prepaid'
  issuerCountry?: 'CA'
  /** AVS response; full match (`Y`) when absent. */
  avs?: 'N' | 'Z' | 'A' | 'U'
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
} as const satisfies Record<string, BehaviourName>

/** Any other number that passes the Luhn check is approved. */
export const MAGIC_CARDS: readonly MagicCard[] = [
  approves('4242424242424242', 'Approved. Visa, credit, issued in the US'),
  approves('5555555555554444', 'Approved. Mastercard'),
  approves('2223003122003222', 'Approved. Mastercard of the 2 series'),
  approves('378282246310005', 'Approved. American Express'),
  approves('6011111111111117', 'Approved. Discover'),
  { ...approves('4000001240000000', 'Approved. Issued in Canada'), issuerCountry: 'CA' },
  { ...approves('4000056655665556', 'Approved. Visa debit: no surcharge allowed'), funding: 'debit' },
  { ...approves('5200828282828210', 'Approved. Mastercard debit: no surcharge allowed'), funding: 'debit' },
  { ...approves('5105105105105100', 'Approved. Mastercard prepaid: no surcharge allowed'), funding: 'prepaid' },

  card('4000000000000002', 'ND', 'Declined by the issuer', 'declined'),
  card('4000000000009995', 'ND', 'Insufficient funds; may be retried later', 'insufficient_funds'),
  card('4000000000009987', 'NC', 'Lost card; must not be retried', 'lost_card'),
  card('4000000000009979', 'NC', 'Stolen card; must not be retried', 'stolen_card'),
  card('4000000000000069', 'ND', 'Expired card; the data can be corrected', 'expired_card'),
  card('4000000000000127', 'N7', 'CVV mismatch for any CVV', 'cvv_mismatch'),
  card('4000000000000101', 'N7 / AA', 'CVV mismatch when a CVV is sent, approved without one', cvvMismatchWhenSent),
  { ...approves('4000000000000010', 'Approved, but no part of the address matches'), avs: 'N' },
  { ...approves('4000000000000028', 'Approved, but the street does not match'), avs: 'Z' },
  { ...approves('4000000000000036', 'Approved, but the postal code does not match'), avs: 'A' },
  { ...approves('4000000000000044', 'Approved; the address could not be verified'), avs: 'U' },
  card('4000000000000119', 'ND', 'Declined with "please retry"; may be retried later', 'please_retry'),
  approves('4000000000000259', 'Approved. The chargeback that a real issuer would send is not simulated'),

  card(
    '4000000000000341',
    'AA / ND',
    'Approved when typed, and as the first charge of a subscription; any other charge of the stored card declines',
    onlyWhenTyped,
  ),
  card(
    '4000990000040000',
    'AA / ND',
    'First charge approved; every later recurring charge declines',
    later('declined'),
  ),
  card(
    '4000990000041008',
    'AA / ND',
    'Each later recurring charge declines twice, then is approved',
    laterAfter(2, 'declined'),
  ),
  card('4000990000042006', 'AA / NC', 'Later recurring charges decline with pick up card', later('pick_up_card')),
  card(
    '4000990000043004',
    'AA / –',
    'Later recurring charges are recorded but get no response',
    later('silent_recorded'),
  ),
  card(
    '4000990000044002',
    'AA / –',
    'Each later recurring charge first gets no response and is not recorded; its second attempt is approved',
    laterAfter(1, 'silent_not_recorded'),
  ),

  { ...approves('4000990000045009', 'Approved; declined when it is verified'), verify: 'declined' },
  { ...approves('4000990000046007', 'Approved; no response when it is verified'), verify: 'silent_not_recorded' },

  card('4000990000000103', 'AP', 'Partial approval of 60 %', 'partial_ap'),
  card('4000990000000202', 'AC', 'Partial approval of 60 %, with the alternate code', 'partial_ac'),
  {
    ...card(
      '4000990000002406',
      'AP',
      'Partial approval; its first void gets no response and is not recorded',
      'partial_ap',
    ),
    void: ({ earlier }) => (earlier.length === 0 ? 'silent_not_recorded' : 'approved'),
  },
  card('4000990000000301', 'NF', 'Record not found', 'record_not_found'),
  card('4000990000000400', 'NR', 'Referral: call the issuer', 'referral'),
  card('4000990000000509', 'N7', 'CVV2 verification failed', 'cvv_mismatch'),
  card('4000990000000608', 'NC', 'Pick up card', 'pick_up_card'),
  card('4000990000000707', 'ND', 'Declined with the advice never to retry (03)', 'never_again'),
  card('4000990000000806', 'ND', 'Declined with the advice to stop recurring charges (R1)', 'stop_recurring'),
  card('4000990000000905', 'ND', 'Declined with the advice to retry later (02)', 'try_later'),
  card('4000990000001002', 'ND / AA', 'Declined until 3 days after its first use, then approved', declinesForThreeDays),

  card('4000990000001101', '–', 'Approved at once; response after 20 s', 'approved_slowly'),
  card('4000990000001200', '–', 'Declined at once; response after 20 s', 'declined_slowly'),
  card('4000990000001309', '–', 'No response; approved in the ledger', 'silent_recorded'),
  card('4000990000001408', '–', 'No response; nothing recorded', 'silent_not_recorded'),
  card('4000990000001507', '–', 'Connection reset; nothing recorded', 'reset_not_recorded'),
  card('4000990000001606', '–', 'Approved in the ledger, then connection reset', 'reset_recorded'),
  card(
    '4000990000001705',
    '–',
    'Approved in the ledger; truncated response, then connection reset',
    'half_response_recorded',
  ),
  card('4000990000001804', '–', 'HTTP 500; nothing recorded', 'http_500_not_recorded'),
  card('4000990000001903', '–', 'HTTP 503; approved in the ledger', 'http_503_recorded'),
  card('4000990000002000', '–', 'Approved in the ledger; malformed JSON', 'garbled_recorded'),
  card('4000990000002109', '–', 'Approved in the ledger; an HTML sign-in page with status 200', 'login_page_recorded'),
  card('4000990000002208', '–', 'Response "duplicate"; nothing recorded', 'duplicate'),
  card('4000990000002307', 'by amount', 'Depends on the cents of the amount, see below', byCents),
  card(
    '4000990000002505',
    '–',
    'Approved in the ledger; response without a gateway reference',
    'approved_without_reference',
  ),
  card('4000990000002604', 'AA', 'Recorded twice by the gateway: the audit must find it', 'recorded_twice'),
  card('4000990000002703', 'AA', 'Approved, but an inquiry returns "not found" for 60 s', 'hidden_for_60_s'),
  {
    ...approves('4000990000002802', 'Approved; its voids end in a connection reset, not recorded'),
    void: 'reset_not_recorded',
  },
  { ...approves('4000990000002901', 'Approved; its refunds are declined'), refund: 'declined' },

  approves('4000990000003107', 'Approved. 3-D Secure: authenticated without a challenge'),
  approves('4000990000003206', 'Approved. 3-D Secure: challenge, with the code by hand'),
  approves('4000990000003305', 'Approved. 3-D Secure: authentication attempted'),
  withThreeDs('4000990000003404', 'not authenticated'),
  withThreeDs('4000990000003503', 'unavailable'),
  withThreeDs('4000990000003602', 'rejected'),
  withThreeDs('4000990000003701', 'not supported by the card'),
  withThreeDs('4000990000003800', 'error of the server'),
  withThreeDs('4000990000003909', 'expired'),
  approves('4000000000003220', 'Approved. 3-D Secure: challenge'),
  approves('4000002760003184', 'Approved. 3-D Secure: challenge'),
]

function card(number: string, code: string, does: string, sale: Rule): MagicCard {
  return { number, code, does, sale }
}

function approves(number: string, does: string): MagicCard {
  return card(number, 'AA', does, 'approved')
}

/** The gateway never sees it where the business has 3-D Secure. */
function withThreeDs(number: string, result: string): MagicCard {
  return approves(number, `3-D Secure: ${result}, so that no sale follows; approved where 3-D Secure is off`)
}

function cvvMismatchWhenSent({ cvv }: Situation): BehaviourName {
  return cvv === undefined ? 'approved' : 'cvv_mismatch'
}

function onlyWhenTyped({ storedCredential }: Situation): BehaviourName {
  return storedCredential && !storedCredential.initial ? 'declined' : 'approved'
}

/** Whether this is a recurring charge that the merchant initiates, after the first charge of the subscription. */
function isLaterCharge(storedCredential: StoredCredential | undefined): boolean {
  if (!storedCredential || storedCredential.initial) return false
  return storedCredential.initiator === 'merchant' && storedCredential.reason !== 'unscheduled'
}

function later(behaviour: BehaviourName): Rule {
  return ({ storedCredential }) => (isLaterCharge(storedCredential) ? behaviour : 'approved')
}

/** Each later charge fails `failures` times before it is approved, counted from the last approval of its series. */
function laterAfter(failures: number, behaviour: BehaviourName): Rule {
  return (situation) => {
    if (!isLaterCharge(situation.storedCredential)) return 'approved'
    const series = situation.earlier.filter((row) => isOfSeries(row, situation))
    const lastApproved = series.findLastIndex((row) => row.recorded && row.outcome === 'approved')
    return series.length - (lastApproved + 1) < failures ? behaviour : 'approved'
  }
}

/** Later charges of one stored card and one amount: the bills of a subscription, as far as a gateway can tell. */
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
