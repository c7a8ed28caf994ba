import type { Scope } from '../../../contract/scopes.ts'
import type { Environment } from '../shared/context.ts'
import type { RefreshReuse } from '../tokens/token.ts'

/** What the audit log says about a client. */
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
  /** As registered. Session URLs must have its origin. */
  redirectUrl: string
  environment: Environment
  /** Whether it may use the password grant. */
  passwordGrant: boolean
  /** An owner allows the password grant also for people with a second factor. */
  skipsSecondFactor: boolean
  /** What its tokens may do at most. */
  scopes: Scope[]
  /** The person who made it or its present secret, by e-mail; `null` for the operator. */
  createdBy: string | null
  /** When a spent refresh token last came again; `null`: never. */
  refreshReuse: RefreshReuse | null
  createdAt: Date
  revokedAt: Date | null
}
