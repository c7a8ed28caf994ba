import cardValidator from 'card-validator'
import Type, { type Static } from 'typebox'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { ApiError } from '../lib/errors.ts'
import { passesLuhn } from '../lib/luhn.ts'
import type { BinTable, Funding } from './bin-table.ts'
import { type CardBrand, isCardBrand } from './card-brands.ts'
import { Secret } from './secret.ts'

/** How many years ahead an expiry may lie; cards are issued for ten at the most. */
const EXPIRY_YEARS_AHEAD_MAX = 20
/** A month ends last at UTC-12. */
const LAST_TIME_ZONE_HOURS = 12

/** `cardData`. What it means is for readCard; here is only its shape. */
export const CardData = Type.Object(
  {
    cardNumber: Type.String({ minLength: 1, maxLength: 40, format: 'card-number' }),
    month: Type.String({ minLength: 1, maxLength: 2, format: 'line' }),
    year: Type.Integer({ minimum: 0, maximum: 9999 }),
    nameOnCard: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'line' })),
    cvv: Type.String({ minLength: 1, maxLength: 4, format: 'line' }),
    saveCard: Type.Optional(Type.Boolean()),
    address: Type.Optional(
      Type.Object({
        postalCode: Type.Optional(Type.String({ maxLength: 10, format: 'line' })),
        line1: Type.Optional(Type.String({ maxLength: 255, format: 'line' })),
      }),
    ),
  },
  { title: 'CardData' },
)
export type CardData = Static<typeof CardData>

/** Of the documents: the test card that is approved. */
export const EXAMPLE_CARD_DATA: CardData = {
  cardNumber: '4242424242424242',
  month: '12',
  year: 2031,
  nameOnCard: 'Ana Roy',
  cvv: '123',
  saveCard: false,
  address: { postalCode: '10001', line1: '1 Main Street' },
}

/** Where a card is billed, as far as its payer said. */
export interface CardPlace {
  country: string | null
  state: string | null
  postalCode: string | null
}

/** A card to be charged, for as long as its request lives. */
export interface Card {
  number: Secret
  /** Only of a card that was typed just now: it is never kept. */
  cvv: Secret | null
  brand: CardBrand
  funding: Funding
  first6: string
  last4: string
  expMonth: number
  /** Four digits. */
  expYear: number
  nameOnCard: string | null
  place: CardPlace
  line1: string | null
  save: boolean
  /** The stored card that this is; `null` for a typed one. */
  stored: { id: string; networkTransactionId: string | null } | null
}

/**
 * Reads the `cardData` of a pay request.
 *
 * @param nameRequired the modal has no field for it
 * @throws ApiError `validation_failed` with fields such as `cardData.cardNumber`; it never repeats what was typed
 * @see PAG-11 to PAG-14
 */
export function readCard(
  given: CardData,
  { now, nameRequired, bins }: { now: Date; nameRequired: boolean; bins: BinTable },
): Card {
  const digits = given.cardNumber.replace(/[ -]/g, '')
  const brand = brandOf(digits)
  const errors: Record<string, string[]> = {}
  if (brand === null) errors['cardData.cardNumber'] = ['must be a card number']
  const expiry = expiryOf(given.month, given.year)
  if (expiry === null) errors['cardData.month'] = ['must be a month from 1 to 12']
  else if (isPast(expiry, now)) errors['cardData.year'] = ['must not be past']
  else if (expiry.year > now.getUTCFullYear() + EXPIRY_YEARS_AHEAD_MAX) errors['cardData.year'] = ['is too far ahead']
  if (!hasCodeLength(given.cvv, brand)) errors['cardData.cvv'] = [`must have ${brand === 'amex' ? 4 : 3} digits`]
  const name = given.nameOnCard?.trim() || null
  if (nameRequired && name === null) errors['cardData.nameOnCard'] = ['is required']
  if (name !== null && hidesNumber(name)) errors['cardData.nameOnCard'] = ['must be a name']
  const [[field, texts] = ['', ['']]] = Object.entries(errors)
  if (brand === null || expiry === null || field) {
    throw new ApiError('validation_failed', { message: `${field} ${texts[0]}`, errors })
  }
  return {
    number: new Secret(digits),
    cvv: new Secret(given.cvv),
    brand,
    funding: bins.fundingOf(digits),
    first6: digits.slice(0, 6),
    last4: digits.slice(-4),
    expMonth: expiry.month,
    expYear: expiry.year,
    nameOnCard: name,
    place: { country: null, state: null, postalCode: given.address?.postalCode?.trim() || null },
    line1: given.address?.line1?.trim() || null,
    save: given.saveCard ?? false,
    stored: null,
  }
}

/** People type the number into the wrong field, and there it would be stored as it is. Digits of any script, however spaced. */
function hidesNumber(name: string): boolean {
  return /\p{Nd}{12}/u.test(name.normalize('NFKC').replace(/[^\p{L}\p{Nd}]/gu, ''))
}

function brandOf(digits: string): CardBrand | null {
  if (!/^\d{12,19}$/.test(digits)) return null
  const { brand, lengths } = rangeOf(digits.slice(0, RANGE_DIGITS))
  const isValid = lengths.includes(digits.length) && (brand === 'unionpay' || passesLuhn(digits))
  return isValid ? brand : null
}

/** As many digits as tell any two networks apart. */
const RANGE_DIGITS = 8
/** Of late: looking through all networks takes as long as the rest of reading a card. */
const ranges = createBoundedMap<CardRange>()

interface CardRange {
  brand: CardBrand | null
  lengths: readonly number[]
}

function rangeOf(digits: string): CardRange {
  const known = ranges.get(digits)
  if (known) return known
  const { card } = cardValidator.number(digits)
  const name = card?.type === 'american-express' ? 'amex' : card?.type === 'diners-club' ? 'diners' : card?.type
  const range = isCardBrand(name) ? { brand: name, lengths: card?.lengths ?? [] } : { brand: null, lengths: [] }
  ranges.set(digits, range)
  return range
}

function expiryOf(monthText: string, year: number): { month: number; year: number } | null {
  const month = /^\d{1,2}$/.test(monthText) ? Number(monthText) : 0
  if (month < 1 || month > 12) return null
  return { month, year: year < 100 ? 2000 + year : year }
}

/** A card is good until its month has ended everywhere. */
export function isPast({ month, year }: { month: number; year: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(year, month, 1, LAST_TIME_ZONE_HOURS)
}

function hasCodeLength(code: string, brand: CardBrand | null): boolean {
  return brand === 'amex' ? /^\d{4}$/.test(code) : /^\d{3}$/.test(code) || (brand === null && /^\d{4}$/.test(code))
}
