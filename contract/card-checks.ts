/**
 * What a business does with an approved payment by a typed card, depending on the issuer's check of the security code.
 */
export const CVV_POLICIES = ['accept', 'decline_mismatch', 'require_match'] as const
export type CvvPolicy = (typeof CVV_POLICIES)[number]

/** What a business does with it depending on the issuer's check of the address. */
export const AVS_POLICIES = [
  'accept',
  'decline_no_match',
  'decline_postal_mismatch',
  'decline_any_mismatch',
  'require_match',
] as const
export type AvsPolicy = (typeof AVS_POLICIES)[number]

/** Parts of the billing address that the issuer compares: none, the postal code, or also the street. */
export const COMPARED_ADDRESSES = ['none', 'postal_code', 'street'] as const
export type ComparedAddress = (typeof COMPARED_ADDRESSES)[number]
