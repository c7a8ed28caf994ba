import type { Environment } from '../shared/context.ts'

/** What a merchant's server authenticates as at the token endpoint. */
export interface Client {
  id: string
  businessId: string
  name: string
  /** As it was registered. Session URLs must have its origin. */
  redirectUrl: string
  environment: Environment
  /** Whether it may trade a person's password for tokens. */
  passwordGrant: boolean
  createdAt: Date
  revokedAt: Date | null
}
