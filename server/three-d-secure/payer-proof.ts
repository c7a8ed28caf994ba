import type { Secret } from '../vault/secret.ts'
import type { UsedAuthentication } from './authentication-queries.ts'

/** Proof for the gateway that the cardholder is paying. Only one sale or verification uses it. */
export interface PayerProof extends Omit<UsedAuthentication, 'sealedValue'> {
  /** Authentication value; `null` if the issuer gave none. */
  value: Secret | null
}
