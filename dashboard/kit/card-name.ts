const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  diners: 'Diners Club',
}

export const brandName = (brand: string): string => BRANDS[brand] ?? brand

/** Returns the card as one line: `Visa •••• 4242`. */
export const cardName = (brand: string, last4: string): string =>
  `${brandName(brand)} •••• ${last4}`.replaceAll(' ', '\u00a0')
