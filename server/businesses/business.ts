import { addSeconds, type Clock } from '../lib/clock.ts'
import type { Currency } from '../lib/money.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'
export type Country = 'US' | 'CA'

/** A merchant: the tenant that every other object belongs to. */
export interface Business {
  id: string
  name: string
  /** What it charges in when a request names no currency. */
  currency: Currency
  country: Country
  province: string | null
  /** IANA name: its days begin and end there. */
  timeZone: string
  locale: string | null
  /** Hundredths of a percent; `null` when it takes no surcharge. */
  surchargeRateBp: number | null
  threeDsEnabled: boolean
  termsUrl: string | null
  privacyUrl: string | null
  supportEmail: string | null
  supportPhone: string | null
  /** Of the logo that it uploaded, in hex: names its bytes in the URL. */
  logoHash: string | null
  /** `#rrggbb` */
  brandColor: string | null
  colorScheme: ColorScheme
  /** An attack with stolen card numbers goes on: new cards of unknown payers are refused until then. Real time. */
  newCardsRefusedUntil: Date | null
  /** How far its test clock is ahead of real time (OPS-20); 0 in production. */
  clockOffsetSeconds: number
}

/**
 * The time that a business's sessions and bills live in. Credentials and rate limits take `clock.now()` instead.
 *
 * @see OPS-18, OPS-20
 */
export function businessNow(clock: Clock, { clockOffsetSeconds }: Pick<Business, 'clockOffsetSeconds'>): Date {
  return addSeconds(clock.now(), clockOffsetSeconds)
}
