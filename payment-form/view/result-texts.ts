import type { SentenceKey } from '../messages/text.ts'

// All declines except one share a text: the page does not reveal which cards are reported stolen.
const TEXT_BY_CODE = new Map<string, SentenceKey>(
  Object.entries({
    AA: 'approved',
    ND: 'declined',
    N7: 'declined_verification',
    N7_street: 'declined_address',
    N7_code: 'declined_code',
    max_attempts: 'max_attempts',
    gateway_timeout: 'checking',
    payment_in_progress: 'checking',
    not_charged: 'not_charged',
    offline: 'offline',
    form_unseen: 'form_unseen',
    press_again: 'press_again',
    three_ds_failed: 'three_ds_not_confirmed',
    three_ds_failed_R: 'three_ds_refused',
    three_ds_failed_U: 'three_ds_unavailable',
    three_ds_failed_I: 'three_ds_unavailable',
    DDD_NOT_SUPPORTED: 'three_ds_not_supported',
    three_ds_expired: 'three_ds_expired',
    three_ds_server_error: 'server_error',
    google_pay_unavailable: 'server_error',
    internal_error: 'server_error',
    gateway_unavailable: 'server_error',
    rate_limited: 'rate_limited',
    rate_limited_long: 'rate_limited_long',
    duplicate_card: 'duplicate_card',
    amount: 'amount_changed',
    'cardData.address.postalCode': 'address_needed',
    'cardData.address.line1': 'address_needed',
    googlePayToken: 'wallet_failed',
    card_expired: 'expiry_past',
    total: 'total_changed',
    validation_failed: 'refused_details',
  } as const),
)

/** Longest wait that the text gives in seconds; longer ones are in minutes. */
export const WAIT_SECONDS_MAX = 120

/**
 * Returns the text of a result code or an error code. An unknown result code becomes a plain decline, an unknown error
 * does not.
 */
export function resultText(code: string): SentenceKey {
  const isResult = /^[A-Z\d]{2}$/.test(code)
  return TEXT_BY_CODE.get(code) ?? (isResult ? 'declined' : 'refused_details')
}
