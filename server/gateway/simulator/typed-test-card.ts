import type { CardData } from '../../vault/card.ts'

/** Returns what a payer would type for a test card. The card is stored, and does not expire for years. */
export function typedTestCard(digits: string, name: string): CardData {
  return {
    cardNumber: digits,
    month: '12',
    year: new Date().getUTCFullYear() + 5,
    nameOnCard: name,
    cvv: digits.length === 15 ? '1234' : '123',
    saveCard: true,
    address: { postalCode: '10001', line1: '1 Main Street' },
  }
}
