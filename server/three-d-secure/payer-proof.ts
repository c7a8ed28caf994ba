import type { Secret } from '../vault/secret.ts'
import type { UsedAuthentication } from './authentication-queries.ts'

/** What proves to the gateway that the cardholder pays. One sale or verification uses it. */
export interface PayerProof extends Omit<UsedAuthentication, 'sealedValue'> {
  /** `null` where the issuer gave none. */
  value: Secret | null
}
