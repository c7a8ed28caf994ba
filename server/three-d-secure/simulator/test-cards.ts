import { passesLuhn } from '../../lib/luhn.ts'

const PREFIXES = { visa: '400000', mastercard: '520000', amex: '340000' } as const
export type SimulatedNetwork = keyof typeof PREFIXES

/** A card of the simulated bank: what its four digits for version, method, result and challenge make it do. */
export interface ThreeDsTestCard {
  digits: string
  does: string
}

export const THREE_DS_TEST_CARDS: ThreeDsTestCard[] = [
  { digits: '2000', does: 'authenticated (Y), with a method' },
  { digits: '1100', does: 'authenticated (Y) in version 2.1.0, without a method' },
  { digits: '3000', does: 'authenticated (Y) in version 2.3.1, with a method' },
  { digits: '2200', does: 'the method never calls back, then authenticated (Y)' },
  { digits: '2300', does: 'the host of the method refuses the connection, then authenticated (Y)' },
  { digits: '2120', does: 'authentication attempted (A)' },
  { digits: '2010', does: 'not authenticated (N)' },
  { digits: '2130', does: 'rejected by the issuer (R)' },
  { digits: '2150', does: 'authentication unavailable (U)' },
  { digits: '2140', does: 'informational only (I)' },
  { digits: '2160', does: 'the directory server does not respond' },
  { digits: '2180', does: 'decoupled challenge, which is never requested (D)' },
  { digits: '2190', does: 'the 3-D Secure server responds with error 203' },
  { digits: '2070', does: 'challenge that passes by itself' },
  { digits: '2071', does: 'challenge that fails by itself' },
  { digits: '2072', does: 'challenge by hand: 123456 passes, 000000 fails, the third wrong code fails' },
  { digits: '2073', does: 'challenge that the payer cancels' },
  { digits: '2074', does: 'challenge from which the bank never returns' },
  { digits: '2075', does: 'challenge that passed says the browser, and failed says the bank' },
  { digits: '2076', does: 'challenge that passed, with a garbled message through the browser' },
  { digits: '2077', does: 'challenge that ends as unavailable (U)' },
  { digits: '2078', does: 'challenge whose result never arrives' },
  { digits: '2079', does: "challenge whose bank's page fails" },
  { digits: '0000', does: 'card that does not take part' },
  { digits: '0100', does: 'card that takes part only in version 1' },
  { digits: '0200', does: 'the enquiry about the card fails' },
]

/**
 * The number of a test card.
 *
 * @param gateway what the gateway does with the sale: three digits, of which American Express has the last two
 */
export function threeDsTestCard(network: SimulatedNetwork, digits: string, gateway = '000'): string {
  const front = `${PREFIXES[network]}20${digits}${network === 'amex' ? gateway.slice(1) : gateway}`
  for (let check = 0; check < 9; check += 1) if (passesLuhn(`${front}${check}`)) return `${front}${check}`
  return `${front}9`
}
