/** Kinds of letters, each with a template of the same name. @see LTR-1 to LTR-8 */
export const LETTER_KINDS = [
  'subscription_link',
  'subscription_created',
  'payment_succeeded',
  'payment_failed',
  'retries_exhausted',
  'refund',
  'card_link',
  'card_request',
  'contract_link',
  'endpoint_disabled',
  'card_expiring',
  'upcoming_renewal',
] as const
/** Letters to a person of the business about their account. No business can switch them off. @see LTR-9 */
const PERSON_LETTER_KINDS = ['password_reset', 'invitation', 'factors_reset', 'account_changed'] as const
type PersonLetterKind = (typeof PERSON_LETTER_KINDS)[number]
export type LetterKind = (typeof LETTER_KINDS)[number] | PersonLetterKind

export type LetterAudience = 'customer' | 'merchant' | 'person'

/** Letters that a business can switch off, as audience and kind. @see LTR-14 */
export const SWITCHABLE_LETTERS = [
  'customer.subscription_link',
  'customer.subscription_created',
  'customer.payment_succeeded',
  'customer.payment_failed',
  'customer.retries_exhausted',
  'customer.refund',
  'customer.card_link',
  'customer.card_request',
  'customer.contract_link',
  'customer.card_expiring',
  'customer.upcoming_renewal',
  'merchant.payment_succeeded',
  'merchant.payment_failed',
  'merchant.retries_exhausted',
  'merchant.endpoint_disabled',
] as const
export type SwitchableLetter = (typeof SWITCHABLE_LETTERS)[number]

/** Names of letters for which the pages have a text. */
export type LetterName = SwitchableLetter | `person.${PersonLetterKind}`

const LETTER_NAMES: readonly LetterName[] = [
  ...SWITCHABLE_LETTERS,
  ...PERSON_LETTER_KINDS.map((kind) => `person.${kind}` as const),
]

/** Returns the name of a letter. A sample, which goes to a person, has the name of the letter that it shows. */
export function letterName({ kind, audience }: { kind: LetterKind; audience: LetterAudience }): LetterName {
  const own = LETTER_NAMES.find((name) => name === `${audience}.${kind}`)
  return own ?? (LETTER_NAMES.find((name) => name.endsWith(`.${kind}`)) as LetterName)
}
