import { ApiError } from '../lib/errors.ts'

/** What the payer is told apart. Everything else about a token is for the log (GPY-7). */
export type RefusalReason =
  | 'google_pay_token_invalid'
  | 'google_pay_token_expired'
  | 'google_pay_token_reused'
  | 'card_expired'

/** The step at which a token was refused, for the log. */
export type TokenStep =
  | 'size'
  | 'json'
  | 'members'
  | 'version'
  | 'key signature'
  | 'key expiration'
  | 'message signature'
  | 'signed message'
  | 'decryption'
  | 'payload'
  | 'message expiration'
  | 'payment method'
  | 'gateway merchant'
  | 'card number'
  | 'card expiry'
  | 'authentication method'

/** A token that is not accepted. Its message never has a part of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly step: TokenStep
  readonly reason: RefusalReason

  constructor(step: TokenStep, reason: RefusalReason = 'google_pay_token_invalid') {
    super(`refused at: ${step}`)
    this.step = step
    this.reason = reason
  }
}

const TEXTS: Record<RefusalReason, string> = {
  google_pay_token_invalid: 'is not a valid Google Pay token of this business',
  google_pay_token_expired: 'has expired; ask the wallet for a new one',
  google_pay_token_reused: 'was used before; ask the wallet for a new one',
  card_expired: 'has a card that has expired',
}

/** The refusal of a token. None counts as an attempt. */
export const tokenRefusal = (reason: RefusalReason): ApiError =>
  new ApiError('validation_failed', {
    message: `googlePayToken ${TEXTS[reason]}`,
    errors: { googlePayToken: [TEXTS[reason]] },
    extra: { reason, charged: false },
  })
