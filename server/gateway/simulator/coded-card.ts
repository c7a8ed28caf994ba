import type { BehaviourName } from './behaviours.ts'

// Cards whose digits say what happens: the brand's prefix, 20, one digit each for the version, the method, the result
// and the challenge of 3-D Secure, then the gateway's digits and the check digit. The gateway reads only its own.

/** What a sale does by the gateway's digits; approved by any other. */
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

/** @returns `undefined` for a card that is not coded */
export function codedBehaviour(number: string): BehaviourName | undefined {
  const digits = gatewayDigits(number)
  return digits === undefined ? undefined : (GATEWAY_DIGITS[digits as keyof typeof GATEWAY_DIGITS] ?? 'approved')
}

const CODED = /^(?:(?:400000|520000)20\d{4}(\d{3})|34000020\d{4}(\d{2}))\d$/

/** American Express has a digit less. */
function gatewayDigits(number: string): string | undefined {
  const [, digits, ofAmex] = CODED.exec(number) ?? []
  return digits ?? (ofAmex === undefined ? undefined : `0${ofAmex}`)
}
