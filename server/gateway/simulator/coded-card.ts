import type { BehaviourName } from './behaviours.ts'

// Cards whose digits determine what happens: the brand's prefix, 20, one digit each for version, method, result and
// challenge of 3-D Secure, then the gateway's digits and the check digit. The gateway reads only its own digits.

/** Behaviour of a sale by the gateway's digits; approved for any others. */
export const GATEWAY_DIGITS = {
  '000': 'approved',
  '001': 'declined',
  '002': 'pick_up_card',
  '003': 'cvv_mismatch',
  '004': 'referral',
  '005': 'record_not_found',
  '006': 'partial_ap',
  '007': 'partial_ac',
  '008': 'silent_not_recorded',
  '009': 'http_500_not_recorded',
} as const satisfies Record<string, BehaviourName>

/** @returns `undefined` if the card is not coded */
export function codedBehaviour(number: string): BehaviourName | undefined {
  const digits = gatewayDigits(number)
  return digits === undefined ? undefined : (GATEWAY_DIGITS[digits as keyof typeof GATEWAY_DIGITS] ?? 'approved')
}

const CODED = /^(?:(?:400000|520000)20\d{4}(\d{3})|34000020\d{4}(\d{2}))\d$/

/** Returns the gateway's three digits. American Express numbers have one digit less, so a 0 is put in front. */
function gatewayDigits(number: string): string | undefined {
  const [, digits, ofAmex] = CODED.exec(number) ?? []
  return digits ?? (ofAmex === undefined ? undefined : `0${ofAmex}`)
}
