import type { Environment } from '../shared/context.ts'

/** What the audit log says about a client. */
export const auditedClient = ({ name, redirectUrl, passwordGrant }: Client) => ({
  name,
  redirect_url: redirectUrl,
  password_grant: passwordGrant,
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
  createdAt: Date
  revokedAt: Date | null
}
