import { percentOf, readRatePpm, TAX_RATE_MAX } from '../lib/rate.ts'
import type { Business } from './business.ts'
import type { StoredLetterSettings } from './letter-settings.ts'

/** Returns what a merchant may change, under the names in the audit log and the dashboard. */
export function settingsMembers(business: Business, letters: StoredLetterSettings) {
  return {
    name: business.name,
    legal_name: letters.legalName,
    postal_address: letters.postalAddress,
    tax_registrations: letters.taxRegistrations,
    country: business.country,
    province: business.province,
    time_zone: business.timeZone,
    locale: business.locale,
    support_email: business.supportEmail,
    support_phone: business.supportPhone,
    terms_url: business.termsUrl,
    privacy_url: business.privacyUrl,
    /** Percent. */
    surcharge_rate: business.surchargeRateBp === null ? null : business.surchargeRateBp / 100,
    surcharge_rounding: business.surchargeRounding,
    /** Percent. */
    default_tax_rate: business.defaultTaxRatePpm === null ? null : percentOf(business.defaultTaxRatePpm),
    cvv_policy: business.cvvPolicy,
    avs_policy: business.avsPolicy,
    saved_card_cvv_required: business.savedCardCvvRequired,
    three_ds_enabled: business.threeDsEnabled,
    /** Cents. */
    three_ds_above: business.threeDsAbove,
    google_pay_enabled: business.googlePayEnabled,
    google_pay_merchant_id: business.googlePayMerchantId,
    google_pay_cryptogram_only: business.googlePayCryptogramOnly,
    first_charge: business.firstCharge,
    after_last_retry: business.afterLastRetry,
    billing_run_local_time: business.billingRunLocalTime,
    missed_dates_max: business.missedDatesMax,
    batch_close_time: business.batchCloseTime,
    sender_name: letters.senderName,
    reply_to: letters.replyTo,
    notified_emails: [...letters.notifiedEmails],
    letters_off: [...letters.lettersOff],
    renewal_notice_days: letters.renewalNoticeDays,
    brand_color: business.brandColor,
    color_scheme: business.colorScheme,
    corner_radius: business.cornerRadius,
    font_stack: business.fontStack,
    /** SHA-256, in hex. */
    logo: business.logoHash,
  }
}

/** Converts a percentage with at most two decimals; returns `NaN` for any other. */
export function surchargeBasisPoints(percent: number | null): number | null {
  if (percent === null || percent === 0) return null
  const basisPoints = Math.round(percent * 100)
  return Math.abs(basisPoints - percent * 100) < 1e-9 ? basisPoints : Number.NaN
}

/** Converts a percentage with at most four decimals; returns `NaN` for any other. */
export function taxRatePpm(percent: number | null): number | null {
  if (percent === null || percent === 0) return null
  return readRatePpm(percent, TAX_RATE_MAX) ?? Number.NaN
}
