import { randomBytes } from 'node:crypto'
import type { SimulatedCard } from './simulated-wallet.ts'

export const SIMULATED_NETWORKS = ['VISA', 'MASTERCARD', 'AMEX'] as const
export const AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const

interface NetworkCards {
  brand: string
  /** Card of the account: 3-D Secure runs with it if the business has it. */
  PAN_ONLY: string
  /** Card of a device. It does not take part in 3-D Secure, so a payment that ran it would be refused. */
  CRYPTOGRAM_3DS: string
  /** `null` if the network provides none. */
  eci: string | null
}

/**
 * The six cards of the simulated wallet. 3-D Secure authenticates Visa's without a method, lets Mastercard's pass a
 * challenge by itself, and authenticates American Express's after a method.
 *
 * @see GPY-8
 */
const CARDS: Record<(typeof SIMULATED_NETWORKS)[number], NetworkCards> = {
  VISA: { brand: 'Visa', PAN_ONLY: '4000002021000003', CRYPTOGRAM_3DS: '4000002000000008', eci: '05' },
  MASTERCARD: { brand: 'Mastercard', PAN_ONLY: '5200002020700004', CRYPTOGRAM_3DS: '5200002000000003', eci: null },
  AMEX: { brand: 'American Express', PAN_ONLY: '340000202000005', CRYPTOGRAM_3DS: '340000200000007', eci: '05' },
}

const CRYPTOGRAM_BYTES = 20
const VALID_YEARS = 5

export interface ChosenCard {
  card_network: (typeof SIMULATED_NETWORKS)[number]
  auth_method: (typeof AUTH_METHODS)[number]
}

/** @returns the card, and the text that a wallet shows for it */
export function simulatedCard(
  { card_network, auth_method }: ChosenCard,
  now: Date,
): { card: SimulatedCard; description: string } {
  const { brand, eci, ...numbers } = CARDS[card_network]
  const pan = numbers[auth_method]
  const isDevice = auth_method === 'CRYPTOGRAM_3DS'
  const card: SimulatedCard = {
    authMethod: auth_method,
    pan,
    expirationMonth: 12,
    expirationYear: now.getUTCFullYear() + VALID_YEARS,
    ...(isDevice && { cryptogram: randomBytes(CRYPTOGRAM_BYTES).toString('base64') }),
    ...(isDevice && eci !== null && { eciIndicator: eci }),
    assuranceDetails: { cardHolderAuthenticated: isDevice, accountVerified: true },
  }
  return { card, description: `${brand} •••• ${pan.slice(-4)}` }
}
