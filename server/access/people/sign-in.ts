import type { Db } from '../../db/connection.ts'

export interface SignInOptions {
  db: Db
  /** Signs cookies; at least 32 characters. */
  secret: string
  /** Where the dashboard is. */
  baseUrl: string
}

/** better-auth calls columns in camelCase; ours are PostgreSQL's. */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/**
 * Sign-in of people, by better-auth on our tables. Loaded when it is first needed: it takes longer to load than the rest of
 * the service to start.
 */
export async function createSignIn({ db, secret, baseUrl }: SignInOptions) {
  const { betterAuth } = await import('better-auth')
  return betterAuth({
    database: { db, type: 'postgres' },
    secret,
    baseURL: baseUrl,
    telemetry: { enabled: false },
    // It would write to the console, beside our log.
    logger: { disabled: true },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12 },
    user: { modelName: 'auth_user', fields: { ...times, emailVerified: 'email_verified' } },
    session: {
      modelName: 'auth_session',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
    },
    account: {
      modelName: 'auth_account',
      fields: {
        ...times,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    verification: { modelName: 'auth_verification', fields: { ...times, expiresAt: 'expires_at' } },
  })
}
