import type { DeclinedResult } from '../gateway.ts'
import type { ResultCode } from '../result-codes.ts'

// Every outcome that the simulator can produce, by name. Magic cards, amounts, scripts and fault rates all choose from
// this table.

export type Outcome = 'approved' | 'partial' | 'declined' | 'refused' | 'duplicate'

/** Decision of the issuer. */
export interface Verdict {
  outcome: Outcome
  code?: ResultCode
  /** ISO 8583 response code, or advice code of the network. */
  issuerCode?: string
  advice?: DeclinedResult['advice']
  message: string
  /** Approved share of the amount in percent; 100 if absent. */
  sharePercent?: number
}

/** Response that is sent verbatim, whatever the decision. */
export interface RawResponse {
  status: number
  body: string
}

/** How the response is delivered. `reset` and `half` end with a TCP reset; `silence` sends nothing and stays open. */
export type Delivery = 'response' | 'silence' | 'reset' | 'half' | RawResponse

export interface Behaviour {
  verdict: Verdict
  records: 'once' | 'twice' | 'nothing'
  delivery: Delivery
  responseAfterMs?: number
  /** How long an inquiry returns "not found" although the transaction is recorded. */
  hiddenForMs?: number
  /** Fields of the response that differ from the ledger. */
  misreports?: { outcome?: Outcome; code?: string; gatewayRef?: undefined }
}

const APPROVED: Verdict = { outcome: 'approved', code: 'AA', issuerCode: '00', message: 'APPROVAL' }
const DECLINED: Verdict = decline('ND', '05', 'none', 'DECLINED')
const STOP_RECURRING: Verdict = decline('ND', 'R1', 'stop_recurring', 'STOP RECURRING PAYMENTS')
const DUPLICATE: Verdict = { outcome: 'duplicate', message: 'DUPLICATE MERCHANT REFERENCE' }
const SLOW_MS = 20_000

export const BEHAVIOURS = {
  approved: responding(APPROVED),
  partial_ap: responding(partial('AP')),
  partial_ac: responding(partial('AC')),
  declined: responding(DECLINED),
  insufficient_funds: responding(decline('ND', '51', 'later', 'INSUFFICIENT FUNDS')),
  expired_card: responding(decline('ND', '54', 'correct_data', 'EXPIRED CARD')),
  please_retry: responding(decline('ND', '19', 'later', 'PLEASE RETRY')),
  never_again: responding(decline('ND', '03', 'never', 'DO NOT TRY AGAIN')),
  stop_recurring: responding(STOP_RECURRING),
  try_later: responding(decline('ND', '02', 'later', 'TRY AGAIN LATER')),
  no_initial_charge: responding(decline('ND', '57', 'none', 'NO EARLIER CHARGE BY THE CARDHOLDER ON THIS CARD')),
  lost_card: responding(decline('NC', '41', 'never', 'LOST CARD')),
  stolen_card: responding(decline('NC', '43', 'never', 'STOLEN CARD')),
  pick_up_card: responding(decline('NC', '04', 'never', 'PICK UP CARD')),
  record_not_found: responding(decline('NF', '25', 'none', 'RECORD NOT FOUND')),
  referral: responding(decline('NR', '01', 'none', 'CALL AUTH. CENTER')),
  cvv_mismatch: responding(decline('N7', 'N7', 'correct_data', 'DECLINE CVV2')),
  proof_without_cavv: responding(invalidProof('NO CAVV')),
  cavv_malformed: responding(invalidProof('INVALID CAVV')),
  cavv_used: responding(invalidProof('CAVV ALREADY USED')),
  eci_mismatch: responding(invalidProof('ECI DOES NOT MATCH')),
  proof_not_authenticated: responding(invalidProof('NOT AUTHENTICATED')),
  proof_incomplete: responding(invalidProof('INVALID 3-D SECURE DATA')),
  token_without_cryptogram: responding(invalidProof('NO CRYPTOGRAM')),
  cryptogram_malformed: responding(invalidProof('INVALID CRYPTOGRAM')),
  token_with_cvv: responding(invalidProof('CVV2 WITH A NETWORK TOKEN')),
  token_with_proof: responding(invalidProof('3-D SECURE WITH A NETWORK TOKEN')),
  duplicate: { verdict: DUPLICATE, records: 'nothing', delivery: 'response' },
  approved_slowly: { ...responding(APPROVED), responseAfterMs: SLOW_MS },
  declined_slowly: { ...responding(DECLINED), responseAfterMs: SLOW_MS },
  silent_recorded: { verdict: APPROVED, records: 'once', delivery: 'silence' },
  silent_not_recorded: { verdict: APPROVED, records: 'nothing', delivery: 'silence' },
  reset_not_recorded: { verdict: APPROVED, records: 'nothing', delivery: 'reset' },
  reset_recorded: { verdict: APPROVED, records: 'once', delivery: 'reset' },
  declined_reset: { verdict: DECLINED, records: 'once', delivery: 'reset' },
  stop_recurring_reset: { verdict: STOP_RECURRING, records: 'once', delivery: 'reset' },
  partial_reset: { verdict: partial('AP'), records: 'once', delivery: 'reset' },
  half_response_recorded: { verdict: APPROVED, records: 'once', delivery: 'half' },
  http_500_not_recorded: { verdict: APPROVED, records: 'nothing', delivery: raw(500, '{"error":"internal"}') },
  http_503_recorded: { verdict: APPROVED, records: 'once', delivery: raw(503, '{"error":"unavailable"}') },
  garbled_recorded: { verdict: APPROVED, records: 'once', delivery: raw(200, '{"outcome":"approved","code":"A\u0000') },
  login_page_recorded: { verdict: APPROVED, records: 'once', delivery: raw(200, '<html><h1>Sign in</h1></html>') },
  duplicate_recorded: { ...responding(APPROVED), misreports: { outcome: 'duplicate' } },
  approved_without_reference: { ...responding(APPROVED), misreports: { gatewayRef: undefined } },
  approved_with_unknown_code: { ...responding(APPROVED), misreports: { code: 'ZZ' } },
  partial_called_approved: { ...responding(partial('AP')), misreports: { outcome: 'approved', code: 'AA' } },
  recorded_twice: { verdict: APPROVED, records: 'twice', delivery: 'response' },
  hidden_for_60_s: { ...responding(APPROVED), hiddenForMs: 60_000 },
} as const satisfies Record<string, Behaviour>

export type BehaviourName = keyof typeof BEHAVIOURS

export const BEHAVIOUR_NAMES = Object.keys(BEHAVIOURS) as BehaviourName[]

function responding(verdict: Verdict): Behaviour {
  return { verdict, records: 'once', delivery: 'response' }
}

function partial(code: ResultCode): Verdict {
  return { outcome: 'partial', code, issuerCode: '10', message: 'PARTIAL APPROVAL', sharePercent: 60 }
}

function decline(code: ResultCode, issuerCode: string, advice: DeclinedResult['advice'], message: string): Verdict {
  return { outcome: 'declined', code, issuerCode, advice, message }
}

/** Returns the decline of a wrong proof. Issuers have no separate response code for CAVV results. */
function invalidProof(message: string): Verdict {
  return decline('N7', 'N7', 'none', message)
}

function raw(status: number, body: string): RawResponse {
  return { status, body }
}
