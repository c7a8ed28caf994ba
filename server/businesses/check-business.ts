import {
  BLACK,
  contrast,
  GRAPHIC_CONTRAST,
  hex,
  LIGHT_SURFACE,
  parseHex,
  withContrast,
} from '../../contract/brand-color.ts'
import { AVS_POLICIES, CVV_POLICIES } from '../../contract/card-checks.ts'
import { CORNER_RADIUS, FONT_STACKS } from '../../contract/page-look.ts'
import { LOCALES } from '../../contract/payment-page.ts'
import { isEmailAddress } from '../lib/email-address.ts'
import { invalidField } from '../lib/errors.ts'
import type { Currency } from '../lib/money.ts'
import { TAX_RATE_MAX } from '../lib/rate.ts'
import { shownUrlViolation } from '../lib/shown-url.ts'
import type { Business, ColorScheme, Country } from './business.ts'

export const CURRENCIES: readonly Currency[] = ['USD', 'CAD']
const COUNTRIES: readonly Country[] = ['US', 'CA']
const COLOR_SCHEMES: readonly ColorScheme[] = ['light', 'dark', 'auto']
const NAME_CHARACTERS_MAX = 255
/** Highest surcharge: 2.4 percent (CHK-47). */
const SURCHARGE_BP_MAX = 240
/** Highest threshold. If no payment could exceed it, 3-D Secure would never be used. */
const AMOUNT_CENTS_MAX = 99_999_999
/** Highest number of missed bills: as many as a person still looks through. */
const MISSED_DATES_MAX = 12
/** Codes of the provinces of Canada. Quebec forbids surcharges, so a misspelt code is refused. */
const PROVINCES = 'AB BC MB NB NL NS NT NU ON PE QC SK YT'.split(' ')

/** Check of each setting; returns the violation, or `null`. */
const RULES: { [Name in keyof Business]?: (value: NonNullable<Business[Name]>, all: Business) => string | null } = {
  name: (name) =>
    isLine(name) && name.length <= NAME_CHARACTERS_MAX ? null : `must have 1 to ${NAME_CHARACTERS_MAX} characters`,
  currency: (currency) => oneOf(CURRENCIES, currency),
  country: (country) => oneOf(COUNTRIES, country),
  timeZone: (name) => (isTimeZone(name) ? null : 'must be an IANA name, such as America/New_York'),
  province: (code, { country }) => {
    if (country === 'CA') return oneOf(PROVINCES, code)
    // Refuses a Canadian code for the US, even if only the country changes, because Quebec forbids surcharges.
    return /^[A-Z]{2}$/.test(code) && !PROVINCES.includes(code) ? null : 'must be a two-letter state code'
  },
  locale: (locale) => oneOf(LOCALES, locale),
  surchargeRateBp: (rate) =>
    rate >= 1 && rate <= SURCHARGE_BP_MAX ? null : 'must be a percentage from 0 to 2.4 with at most two decimals',
  defaultTaxRatePpm: (rate) =>
    rate >= 1 && rate <= TAX_RATE_MAX * 10_000
      ? null
      : `must be a percentage from 0 to ${TAX_RATE_MAX} with at most four decimals`,
  firstCharge: (word) => oneOf(['on_start_date', 'at_create'], word),
  afterLastRetry: (word) => oneOf(['keep', 'pause', 'cancel'], word),
  surchargeRounding: (word) => oneOf(['half_up', 'down'], word),
  billingRunLocalTime: runTime,
  missedDatesMax: (count) => wholeNumber(count, { min: 0, max: MISSED_DATES_MAX }),
  batchCloseTime: timeOfDay,
  cvvPolicy: (word) => oneOf(CVV_POLICIES, word),
  avsPolicy: (word) => oneOf(AVS_POLICIES, word),
  threeDsAbove: (cents) => (isAmount(cents) ? null : 'must be an amount'),
  googlePayMerchantId: (id) =>
    /^[A-Za-z0-9]{1,64}$/.test(id) ? null : 'must be the merchant id of the Google Pay & Wallet Console',
  termsUrl: httpsUrl,
  privacyUrl: httpsUrl,
  supportEmail: (email) => (isEmailAddress(email) ? null : 'must be an e-mail address'),
  supportPhone: (phone) => (isPhone(phone) ? null : 'must have 10 to 15 digits'),
  brandColor,
  colorScheme: (scheme) => oneOf(COLOR_SCHEMES, scheme),
  cornerRadius: (pixels) => wholeNumber(pixels, CORNER_RADIUS),
  fontStack: (name) => oneOf(FONT_STACKS, name),
}

/** @throws ApiError `validation_failed` naming the field */
export function checkBusiness(business: Business): void {
  for (const name of Object.keys(RULES) as (keyof typeof RULES)[]) {
    const value = business[name]
    const rule = RULES[name] as (value: unknown, all: Business) => string | null
    const violation = value === null ? null : rule(value, business)
    if (violation) throw invalidField(fieldName(name), violation)
  }
}

/** Returns the name of the field. The API has rates in percent, whatever their unit here. */
const fieldName = (name: string) =>
  name
    .replace(/(?:Bp|Ppm)$/, '')
    .replace(/[A-Z]/g, '_$&')
    .toLowerCase()

const oneOf = (words: readonly string[], word: string) =>
  words.includes(word) ? null : `must be one of ${words.join(', ')}`

const wholeNumber = (value: number, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && value >= min && value <= max ? null : `must be a whole number from ${min} to ${max}`

function timeOfDay(text: string): string | null {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? null : 'must be a time of day, such as 23:30'
}

/** Refuses an hour that most zones skip when clocks are set forward, because nothing would be charged on that day. */
function runTime(time: string): string | null {
  if (time.startsWith('02:')) return 'must not be from 02:00 to 02:59, which clocks skip once a year'
  return timeOfDay(time)
}

function httpsUrl(text: string): string | null {
  const isHttps = URL.canParse(text) && new URL(text).protocol === 'https:'
  return isHttps ? shownUrlViolation(text) : 'must be an https URL'
}

const isAmount = (cents: number) => Number.isSafeInteger(cents) && cents >= 0 && cents <= AMOUNT_CENTS_MAX
const isLine = (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text)
const isPhone = (text: string) => /^\+?[\d ().-]+$/.test(text) && /^\d{10,15}$/.test(text.replace(/\D/g, ''))

/** Whether the name is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  // Intl also accepts fixed offsets, which have no daylight saving time.
  if (!/^[A-Z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

/**
 * Checks the brand colour. Text on it is black or white and always readable, but the button itself must stand out from
 * the page.
 */
function brandColor(text: string): string | null {
  const color = /^#[\da-f]{6}$/i.test(text) ? parseHex(text) : null
  if (!color) return 'must be a colour such as #1f4e8c'
  if (contrast(color, LIGHT_SURFACE) >= GRAPHIC_CONTRAST) return null
  const better = hex(withContrast(color, LIGHT_SURFACE, BLACK, GRAPHIC_CONTRAST))
  return `is too pale for the page; ${better} is the nearest colour that can be seen`
}
