import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../contract/scopes.ts'
import type { Business } from '../../businesses/business.ts'

/** Lifetime of an access token (ACC-4). */
export const ACCESS_TOKEN_SECONDS = 86_400
/** Lifetime of a family. Refreshing never extends it (ACC-7). */
export const FAMILY_SECONDS = 365 * 86_400

const SECRET_BYTES = 32
const ACCESS_TOKEN = /^rc_at_[\w-]{43}$/
const BROWSER_TOKEN = /^rc_bt_[\w-]{43}$/

/** The clear texts of an access and a refresh token. They are returned once and never stored. */
export interface TokenPair {
  accessToken: string
  refreshToken: string
}

/** The caller of a path of the checkout API. */
export interface BearerCaller {
  business: Business
  clientId: string
  /** Redirect URL as the client registered it. */
  redirectUrl: string
  /** Session URLs and the `Origin` of a create must have this origin (CHK-6). */
  redirectOrigin: string
  familyId: string
  /** Scopes that the token, its client and the person all have. */
  scopes: ReadonlySet<Scope>
}

/** A valid access token, with everything that a call with it is checked against. */
export interface BearerToken {
  caller: BearerCaller
  expiresAt: Date
  /** Canonical addresses that may use it. */
  allowedIps: ReadonlySet<string>
}

export interface RefreshToken {
  hash: Buffer
  businessId: string
  familyId: string
  clientId: string
  /** Scopes of its family; `null` for all that the client and the person may use. */
  scopes: readonly string[] | null
  /** Current role of the person; `null` if they have left the business. */
  role: string | null
  userId: string
  usedAt: Date | null
  /** Canonical address that used it; `null` if it was never used, or if the address was not known. */
  usedFrom: string | null
  /** Whether its family was revoked or has expired. */
  ended: boolean
}

/** Creates a secret of 256 random bits. The prefix tells its kind to people and to scanners for leaked secrets. */
export function newSecret(prefix: 'rc_at_' | 'rc_rt_' | 'rc_cs_' | 'rc_bt_'): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url')
}

/** A spent refresh token that was presented again. */
export interface RefreshReuse {
  at: Date
  from: string
  /** Whether it ended the tokens of its sign-in. */
  ended: boolean
}

export function newTokenPair(): TokenPair {
  return { accessToken: newSecret('rc_at_'), refreshToken: newSecret('rc_rt_') }
}

/** Whether a text can be an access token. One that cannot does not cost a query. */
export const looksLikeAccessToken = (text: string): boolean => ACCESS_TOKEN.test(text)

export const looksLikeBrowserToken = (text: string): boolean => BROWSER_TOKEN.test(text)

/**
 * Returns the response of the token endpoint.
 *
 * @param scopes scopes that the request asked for; `null` if it named none
 */
export function tokenResponse({ accessToken, refreshToken }: TokenPair, scopes: readonly Scope[] | null) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    scope: scopes?.join(' ') ?? '',
  }
}
