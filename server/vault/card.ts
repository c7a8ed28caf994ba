import cardValidator from 'card-validator'
import Type, { type Static } from 'typebox'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { passesLuhn } from '../lib/luhn.ts'
import type { BinTable, Funding } from './bin-table.ts'
import { type CardBrand, isCardBrand } from './card-brands.ts'
import { Secret } from './secret.ts'

/** Latest accepted expiry, in years from now. Cards are issued for at most ten years. */
const EXPIRY_YEARS_AHEAD_MAX = 20
/** A month ends last in the time zone UTC-12. */
const LAST_TIME_ZONE_HOURS = 12

const WITHOUT_CODE = {
  cardNumber: Type.String({ minLength: 1, maxLength: 40, format: 'card-number' }),
  month: Type.String({ minLength: 1, maxLength: 2, format: 'line' }),
  year: Type.Integer({ minimum: 0, maximum: 9999 }),
  nameOnCard: Type.Optional(Type.String({ minLength: 1, maxLength: 255, format: 'line' })),
}
const CARD_ADDRESS = Type.Optional(
  Type.Object({
    postalCode: Type.Optional(Type.String({ maxLength: 10, format: 'line' })),
    line1: Type.Optional(Type.String({ maxLength: 255, format: 'line' })),
  }),
)

/** Shape of `cardData`. `readCard` validates its content. */
export const CardData = Type.Object(
  {
    ...WITHOUT_CODE,
    cvv: Type.String({ minLength: 1, maxLength: 4, format: 'line' }),
    saveCard: Type.Optional(Type.Boolean()),
    address: CARD_ADDRESS,
  },
  { title: 'CardData' },
)
export type CardData = Static<typeof CardData>

/**
 * A card before it is charged. Only `pay` may receive the CVV; here it is a member only so that it reaches
 * `readUncodedCard`, which refuses it: a member that the schema lacks would be dropped silently.
 */
export const UncodedCardData = Type.Object(
  {
    ...WITHOUT_CODE,
    address: CARD_ADDRESS,
    cvv: Type.Optional(Type.Unknown({ description: 'Refused, unless blank: only `pay` takes the CVV.' })),
  },
  { title: 'UncodedCardData' },
)
export type UncodedCardData = Static<typeof UncodedCardData>

/**
 * CVV of a stored card. It may have any shape, because only `withTypedCode` reads it, and only if the business asks for
 * it; otherwise it is ignored.
 */
export const StoredCardCode = {
  cvv: Type.Optional(
    Type.Unknown({
      description: 'The security code of a saved card, as text, where `data` says that it is required; else ignored.',
    }),
  ),
}

/** Example in the API reference: a test card that is approved. */
export const EXAMPLE_CARD_DATA: CardData = {
  cardNumber: '4242424242424242',
  month: '12',
  year: 2031,
  nameOnCard: 'Ana Roy',
  cvv: '123',
  saveCard: false,
  address: { postalCode: '10001', line1: '1 Main Street' },
}

/** Example in the API reference of a card without its CVV. */
export const EXAMPLE_UNCODED_CARD_DATA: UncodedCardData = {
  cardNumber: '4242424242424242',
  month: '12',
  year: 2031,
  nameOnCard: 'Ana Roy',
}

/** Billing place of a card, as far as the payer entered it. */
export interface CardPlace {
  country: string | null
  state: string | null
  postalCode: string | null
}

/** A card to be charged. It exists only in the memory of its request. */
export interface Card {
  number: Secret
  /** CVV typed in this request; otherwise `null`. Never stored. */
  cvv: Secret | null
  brand: CardBrand
  funding: Funding
  first6: string
  last4: string
  expMonth: number
  /** Year with four digits. */
  expYear: number
  nameOnCard: string | null
  place: CardPlace
  line1: string | null
  save: boolean
  /** Stored card from which the number comes; `null` for a typed card or a wallet. */
  stored: { id: string; networkTransactionId: string | null; dsTransactionId: string | null } | null
  /** Wallet from which the number comes; `null` for a typed or stored card. */
  wallet: WalletCard | null
}

/** Data that a wallet sends with a card. */
export interface WalletCard {
  kind: 'google_pay'
  /** Id of the token, which can be used once until it expires. */
  messageId: string
  expiresAt: Date
  /** Proof for a device account number; `null` if the wallet sent the number of the card itself. */
  proof: { cryptogram: Secret; eci: string | null } | null
}

interface CardRules {
  now: Date
  /** `false` for the modal, which has no name field. */
  nameRequired: boolean
  bins: BinTable
}

/**
 * Validates the `cardData` of a pay request.
 *
 * @throws ApiError `validation_failed` with fields such as `cardData.cardNumber`, never with their values
 * @see PAG-11 to PAG-14
 */
export function readCard(given: CardData, rules: CardRules): Card {
  const card = readFields(given, rules, (brand) => (hasCodeLength(given.cvv, brand) ? null : codeText(brand)))
  return { ...card, cvv: new Secret(given.cvv), save: given.saveCard ?? false }
}

/**
 * Validates the `cardData` of a card that is not charged yet.
 *
 * @throws ApiError like `readCard`, and if the data contains the CVV
 * @see TDS-2
 */
export function readUncodedCard(given: UncodedCardData, rules: CardRules): Card {
  return readFields(given, rules, () => ('cvv' in given ? NOT_HERE : null))
}

/**
 * Adds the CVV, which the payer has typed again, to a stored card.
 *
 * @throws ApiError `validation_failed` on `cvv`, never with its value
 * @see CHK-133
 */
export function withTypedCode(card: Card, { cvv }: { cvv?: unknown }): Card {
  if (cvv === undefined) throw invalidField('cvv', 'is required: the business asks for the code of saved cards')
  if (typeof cvv !== 'string' || !hasCodeLength(cvv, card.brand)) throw invalidField('cvv', codeText(card.brand))
  return { ...card, cvv: new Secret(cvv) }
}

/** @throws ApiError if a request contains a CVV although it must not (TDS-2) */
export function refuseCode(given: { cvv?: unknown }): void {
  if ('cvv' in given) throw invalidField('cvv', NOT_HERE)
}

const NOT_HERE = 'must not be sent here; only `pay` takes it'
const codeText = (brand: CardBrand | null) => `must have ${brand === 'amex' ? 4 : 3} digits`

function readFields(
  given: UncodedCardData,
  { now, nameRequired, bins }: CardRules,
  checkCode: (brand: CardBrand | null) => string | null,
): Card {
  const digits = given.cardNumber.replace(/[ -]/g, '')
  const brand = brandOf(digits)
  const errors: Record<string, string[]> = {}
  if (brand === null) errors['cardData.cardNumber'] = ['must be a card number']
  const expiry = expiryOf(given.month, given.year)
  if (expiry === null) errors['cardData.month'] = ['must be a month from 1 to 12']
  else if (isPast(expiry, now)) errors['cardData.year'] = ['must not be in the past']
  else if (expiry.year > now.getUTCFullYear() + EXPIRY_YEARS_AHEAD_MAX)
    errors['cardData.year'] = ['is too far in the future']
  const wrongCode = checkCode(brand)
  if (wrongCode !== null) errors['cardData.cvv'] = [wrongCode]
  const name = given.nameOnCard?.trim() || null
  if (nameRequired && name === null) errors['cardData.nameOnCard'] = ['is required']
  if (name !== null && hidesNumber(name)) errors['cardData.nameOnCard'] = ['must be a name']
  const [[field, texts] = ['', ['']]] = Object.entries(errors)
  if (brand === null || expiry === null || field) {
    throw new ApiError('validation_failed', { message: `${field} ${texts[0]}`, errors })
  }
  return {
    number: new Secret(digits),
    cvv: null,
    brand,
    funding: bins.fundingOf(digits),
    first6: digits.slice(0, 6),
    last4: digits.slice(-4),
    expMonth: expiry.month,
    expYear: expiry.year,
    nameOnCard: name,
    place: { country: null, state: null, postalCode: given.address?.postalCode?.trim() || null },
    line1: given.address?.line1?.trim() || null,
    save: false,
    stored: null,
    wallet: null,
  }
}

/**
 * Detects 12 digits of any script, however they are spaced: a payer may type the card number into the name field, which
 * is stored in clear text.
 */
function hidesNumber(name: string): boolean {
  return /\p{Nd}{12}/u.test(name.normalize('NFKC').replace(/[^\p{L}\p{Nd}]/gu, ''))
}

/** Returns the network of a card number; `null` if the digits are not a card number. */
export function brandOf(digits: string): CardBrand | null {
  if (!/^\d{12,19}$/.test(digits)) return null
  const { brand, lengths } = rangeOf(digits.slice(0, RANGE_DIGITS))
  const isValid = lengths.includes(digits.length) && (brand === 'unionpay' || passesLuhn(digits))
  return isValid ? brand : null
}

/** Number of leading digits that is enough to distinguish any two networks. */
const RANGE_DIGITS = 8
/** Cache of recent ranges: searching all networks takes as long as the rest of reading a card. */
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

/** Whether a card has expired: it is valid until its expiry month has ended in every time zone. */
export function isPast({ month, year }: { month: number; year: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(year, month, 1, LAST_TIME_ZONE_HOURS)
}

function hasCodeLength(code: string, brand: CardBrand | null): boolean {
  return brand === 'amex' ? /^\d{4}$/.test(code) : /^\d{3}$/.test(code) || (brand === null && /^\d{4}$/.test(code))
}
