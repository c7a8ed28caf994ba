import { ApiError } from '../lib/errors.ts'

/** Reasons that the payer can tell apart. All other details of a refusal are only logged (GPY-7). */
export type RefusalReason =
  | 'google_pay_token_invalid'
  | 'google_pay_token_expired'
  | 'google_pay_token_reused'
  | 'card_expired'

/** Step at which a token was refused, for the log. */
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

/** Thrown for a token that is not accepted. The message never contains any part of the token. */
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

/** Returns the error for a refused token. A refusal does not count as an attempt. */
export const tokenRefusal = (reason: RefusalReason): ApiError =>
  new ApiError('validation_failed', {
    message: `googlePayToken ${TEXTS[reason]}`,
    errors: { googlePayToken: [TEXTS[reason]] },
    extra: { reason, charged: false },
  })
