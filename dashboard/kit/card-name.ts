const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  diners: 'Diners Club',
}

/** `Visa •••• 4242` */
export const cardName = (brand: string, last4: string): string => `${BRANDS[brand] ?? brand} •••• ${last4}`
