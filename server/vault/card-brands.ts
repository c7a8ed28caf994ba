/** The card networks that merchants in the US and Canada accept, with their display names. */
export const CARD_BRANDS = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
} as const

export type CardBrand = keyof typeof CARD_BRANDS

export function isCardBrand(text: unknown): text is CardBrand {
  return typeof text === 'string' && Object.hasOwn(CARD_BRANDS, text)
}

/** Returns the value of the API field `association`. */
export function associationOf(brand: string | null): string {
  return isCardBrand(brand) ? CARD_BRANDS[brand] : 'Unknown'
}

/** Returns the first six and last four digits, the maximum that PCI DSS 3.4.1 permits to be displayed. */
export function maskedCard(first6: string, last4: string): string {
  return `${first6}******${last4}`
}
