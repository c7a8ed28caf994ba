import { withCheckDigit } from '../../lib/luhn.ts'

const PREFIXES = { visa: '400000', mastercard: '520000', amex: '340000' } as const
export type SimulatedNetwork = keyof typeof PREFIXES

/**
 * Returns the number of a test card (TDS-18).
 *
 * @param digits digits for version, method, result and challenge
 * @param gateway digits for what the gateway does with the sale: three, of which American Express has the last two
 */
export function threeDsTestCard(network: SimulatedNetwork, digits: string, gateway = '000'): string {
  return withCheckDigit(`${PREFIXES[network]}20${digits}${network === 'amex' ? gateway.slice(1) : gateway}`)
}
