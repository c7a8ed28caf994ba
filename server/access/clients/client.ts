import type { Scope } from '../../../contract/scopes.ts'
import type { Environment } from '../shared/context.ts'
import type { RefreshReuse } from '../tokens/token.ts'

/** Returns what the audit log says about a client. */
export const auditedClient = ({ name, redirectUrl, passwordGrant, skipsSecondFactor, scopes }: Client) => ({
  name,
  redirect_url: redirectUrl,
  password_grant: passwordGrant,
  skips_second_factor: skipsSecondFactor,
  scopes,
})

/** The identity of a merchant's server at the token endpoint. */
export interface Client {
  id: string
  businessId: string
  name: string
  /** URL as registered. Session URLs must have its origin. */
  redirectUrl: string
  environment: Environment
  /** Whether it may use the password grant. */
  passwordGrant: boolean
  /** Whether an owner allows the password grant also for people with a second factor. */
  skipsSecondFactor: boolean
  /** Upper limit of what its tokens may do. */
  scopes: Scope[]
  /** E-mail address of the person who created it or its current secret; `null` for the operator. */
  createdBy: string | null
  /** When a spent refresh token was last presented again; `null` if never. */
  refreshReuse: RefreshReuse | null
  createdAt: Date
  revokedAt: Date | null
}
