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
