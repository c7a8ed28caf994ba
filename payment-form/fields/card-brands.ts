// PAG-11: the brands of merchants in USD and CAD, a subset of credit-card-type; card-brands.test.ts compares the two.

export interface CardBrand {
  id: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay'
  name: string
  /** First digits, as single prefixes or as inclusive ranges of prefixes of equal length. */
  prefixes: readonly (number | readonly [number, number])[]
  lengths: readonly number[]
  /** Numbers of digits after which a gap is shown. */
  gaps: readonly number[]
  codeLength: 3 | 4
}

const FOUR_BY_FOUR = [4, 8, 12]

export const CARD_BRANDS: readonly CardBrand[] = [
  { id: 'visa', name: 'Visa', prefixes: [4], lengths: [13, 16, 18, 19], gaps: FOUR_BY_FOUR, codeLength: 3 },
  {
    id: 'mastercard',
    name: 'Mastercard',
    prefixes: [
      [51, 55],
      [2221, 2720],
    ],
    lengths: [16],
    gaps: FOUR_BY_FOUR,
    codeLength: 3,
  },
  { id: 'amex', name: 'American Express', prefixes: [34, 37], lengths: [15], gaps: [4, 10], codeLength: 4 },
  {
    id: 'discover',
    name: 'Discover',
    prefixes: [6011, [644, 649], 65],
    lengths: [16, 19],
    gaps: FOUR_BY_FOUR,
    codeLength: 3,
  },
  {
    id: 'diners',
    name: 'Diners Club',
    prefixes: [[300, 305], 36, 38, 39],
    lengths: [14, 16, 19],
    gaps: [4, 10],
    codeLength: 3,
  },
  {
    id: 'jcb',
    name: 'JCB',
    prefixes: [2131, 1800, [3528, 3589]],
    lengths: [16, 17, 18, 19],
    gaps: FOUR_BY_FOUR,
    codeLength: 3,
  },
  {
    id: 'unionpay',
    name: 'UnionPay',
    prefixes: [62, [8100, 8171]],
    lengths: [14, 15, 16, 17, 18, 19],
    gaps: FOUR_BY_FOUR,
    codeLength: 3,
  },
]

/** Returns the brand of the digits typed so far, or `null` while it is undecided or if no brand has this prefix. */
export function detectBrand(digits: string): CardBrand | null {
  return CARD_BRANDS.find((brand) => brand.prefixes.some((prefix) => startsWith(digits, prefix))) ?? null
}

/** Finds a brand by its id, also as credit-card-type spells it; `null` if this page does not have a picture of it. */
export function brandById(id: string): CardBrand | null {
  const plain = id.toLowerCase().replace('american-express', 'amex').replace('diners-club', 'diners')
  return CARD_BRANDS.find((brand) => brand.id === plain) ?? null
}

function startsWith(digits: string, prefix: number | readonly [number, number]): boolean {
  const [first, last] = typeof prefix === 'number' ? [prefix, prefix] : prefix
  const length = String(first).length
  const start = Number(digits.slice(0, length))
  return digits.length >= length && start >= first && start <= last
}
