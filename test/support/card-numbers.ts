import { passesLuhn } from '../../server/lib/luhn.ts'

/** Test cards by what happens to a sale with them; the first five are approved. docs/reference/test-cards.md has all. */
export const CARDS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  discover: '6011111111111117',
  debit: '4000056655665556',
  declined: '4000000000000002',
  onlyWhenTyped: '4000000000000341',
  laterDeclined: '4000990000040000',
  laterDeclinedTwice: '4000990000041008',
  laterPickUp: '4000990000042006',
  partial: '4000990000000103',
  partialVoidLost: '4000990000002406',
  cvvMismatch: '4000990000000509',
  slowApproved: '4000990000001101',
  slowDeclined: '4000990000001200',
  silentRecorded: '4000990000001309',
  silentNotRecorded: '4000990000001408',
  resetNotRecorded: '4000990000001507',
  resetRecorded: '4000990000001606',
  halfResponse: '4000990000001705',
  http500: '4000990000001804',
  http503: '4000990000001903',
  garbled: '4000990000002000',
  signInPage: '4000990000002109',
  duplicate: '4000990000002208',
  withoutReference: '4000990000002505',
  recordedTwice: '4000990000002604',
  hiddenFromInquiry: '4000990000002703',
  voidsReset: '4000990000002802',
  refundsDeclined: '4000990000002901',
}

/** A number that ends with the right digit: `withCheckDigit('424242424242424')` is 4242424242424242. */
export function withCheckDigit(digits: string): string {
  const number = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(passesLuhn)
  if (number === undefined) throw new Error(`${digits} is not all digits`)
  return number
}
