/** What a business does with a typed card that was approved, by the issuer's result of the security code. */
export const CVV_POLICIES = ['accept', 'decline_mismatch', 'require_match'] as const
export type CvvPolicy = (typeof CVV_POLICIES)[number]

/** The same by the result of the address. */
export const AVS_POLICIES = [
  'accept',
  'decline_no_match',
  'decline_postal_mismatch',
  'decline_any_mismatch',
  'require_match',
] as const
export type AvsPolicy = (typeof AVS_POLICIES)[number]

/** What of the billing address the issuer is to compare: nothing, the postal code, or the street with it. */
export const COMPARED_ADDRESSES = ['none', 'postal_code', 'street'] as const
export type ComparedAddress = (typeof COMPARED_ADDRESSES)[number]
