import type { AvsPolicy, CvvPolicy } from '../../contract/card-checks.ts'
import type { FontStack } from '../../contract/page-look.ts'
import { addSeconds, type Clock } from '../lib/clock.ts'
import type { Cents, Currency } from '../lib/money.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'
export type Country = 'US' | 'CA'

/** A merchant: the tenant that every other object belongs to. */
export interface Business {
  id: string
  name: string
  /** Used when a request does not name a currency. */
  currency: Currency
  country: Country
  province: string | null
  /** IANA name; days begin and end in this time zone. */
  timeZone: string
  locale: string | null
  /** Hundredths of a percent; `null` for no surcharge. */
  surchargeRateBp: number | null
  /** Millionths, entered for a new subscription in the dashboard; `null` for none. */
  defaultTaxRatePpm: number | null
  /** When a subscription with a future start is first charged. */
  firstCharge: 'on_start_date' | 'at_create'
  /** What becomes of a subscription whose bill is exhausted. */
  afterLastRetry: 'keep' | 'pause' | 'cancel'
  surchargeRounding: 'half_up' | 'down'
  /** Local time of the subscription, `HH:MM`, at which a bill and its retries are charged on their day (BIL-4). */
  billingRunLocalTime: string
  /** More missed dates of a subscription than these wait for the merchant (BIL-11). */
  missedDatesMax: number
  /** Local time, `HH:MM`, at which open batches are settled every day; `null` for by hand only. */
  batchCloseTime: string | null
  /** Which results of the security code of a typed card are refused (PAY-29). */
  cvvPolicy: CvvPolicy
  /** The same of its address. */
  avsPolicy: AvsPolicy
  /** A payer types the security code of a saved card again (CHK-133). */
  savedCardCvvRequired: boolean
  threeDsEnabled: boolean
  /** Only payments above it need 3-D Secure; `null` for all. */
  threeDsAbove: Cents | null
  googlePayEnabled: boolean
  /** The merchant's own id at Google, for which tokens are encrypted; `null`: for the gateway that Rialto is. */
  googlePayMerchantId: string | null
  /** Refuses the card numbers of Google accounts (PAN_ONLY). */
  googlePayCryptogramOnly: boolean
  termsUrl: string | null
  privacyUrl: string | null
  supportEmail: string | null
  supportPhone: string | null
  /** SHA-256 of the logo's bytes, in hex; part of the logo's URL. */
  logoHash: string | null
  /** `#rrggbb` */
  brandColor: string | null
  colorScheme: ColorScheme
  /** Of fields and buttons on the payment page, in CSS pixels. */
  cornerRadius: number
  fontStack: FontStack
  /** During a card testing attack, new cards of unknown payers are refused until this time. Real time. */
  newCardsRefusedUntil: Date | null
  /** How far its test clock is ahead of real time (OPS-20); 0 in production. */
  clockOffsetSeconds: number
}

/**
 * The business's time, for sessions and bills. Credentials and rate limits use `clock.now()` instead.
 *
 * @see OPS-18, OPS-20
 */
export function businessNow(clock: Clock, { clockOffsetSeconds }: Pick<Business, 'clockOffsetSeconds'>): Date {
  return addSeconds(clock.now(), clockOffsetSeconds)
}
