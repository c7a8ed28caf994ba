import type { CardData } from '../../vault/card.ts'

/** What a payer would type for a test card: it is kept, and never expires while it is of use. */
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
