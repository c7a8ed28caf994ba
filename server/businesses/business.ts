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
  /** Default tax rate of a new subscription in the dashboard, in millionths; `null` for none. */
  defaultTaxRatePpm: number | null
  /** When a subscription with a future start is first charged. */
  firstCharge: 'on_start_date' | 'at_create'
  /** What happens to a subscription when all attempts of its bill have failed. */
  afterLastRetry: 'keep' | 'pause' | 'cancel'
  surchargeRounding: 'half_up' | 'down'
  /** Local time of the subscription, `HH:MM`, at which bills and retries are charged on their day (BIL-4). */
  billingRunLocalTime: string
  /** Maximum number of missed dates that are billed without asking the merchant (BIL-11). */
  missedDatesMax: number
  /** Local time, `HH:MM`, at which open batches are settled every day; `null` to settle only by hand. */
  batchCloseTime: string | null
  /** Which results of the security code of a typed card are refused (PAY-29). */
  cvvPolicy: CvvPolicy
  /** Which results of the address check of a typed card are refused. */
  avsPolicy: AvsPolicy
  /** Whether a payer must type the security code of a saved card again (CHK-133). */
  savedCardCvvRequired: boolean
  threeDsEnabled: boolean
  /** Amount above which payments need 3-D Secure; `null` for all payments. */
  threeDsAbove: Cents | null
  googlePayEnabled: boolean
  /**
   * The merchant's own id at Google, for which tokens are encrypted; `null` if they are encrypted for Rialto as the
   * gateway.
   */
  googlePayMerchantId: string | null
  /** Whether card numbers of Google accounts (PAN_ONLY) are refused. */
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
  /** Corner radius of fields and buttons on the payment page, in CSS pixels. */
  cornerRadius: number
  fontStack: FontStack
  /** Until when new cards of unknown payers are refused, during a card testing attack. Real time. */
  newCardsRefusedUntil: Date | null
  /** How many seconds its test clock is ahead of real time (OPS-20); 0 in production. */
  clockOffsetSeconds: number
}

/**
 * Returns the business's time, for sessions and bills. Credentials and rate limits use `clock.now()` instead.
 *
 * @see OPS-18, OPS-20
 */
export function businessNow(clock: Clock, { clockOffsetSeconds }: Pick<Business, 'clockOffsetSeconds'>): Date {
  return addSeconds(clock.now(), clockOffsetSeconds)
}
