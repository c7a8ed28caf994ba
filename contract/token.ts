import Type, { type Static } from 'typebox'
import { Nullable, Opaque } from './formats.ts'

// Requests of POST /api/oauth/token and /api/oauth/revoke. `redirect_uri` is accepted and ignored.
/** A text of any length. */
const Ignored = () => Type.Optional(Nullable(Type.String({ format: 'opaque' })))
/** Names of scopes separated by blanks; absent or empty means all scopes. */
const AskedScopes = () => Type.Optional(Nullable(Type.String({ format: 'opaque', maxLength: 1024 })))
const Credentials = { client_id: Opaque(255), client_secret: Opaque(255) }

export const RefreshTokenRequest = Type.Object(
  {
    grant_type: Type.Literal('refresh_token'),
    refresh_token: Opaque(1024),
    ...Credentials,
    redirect_uri: Ignored(),
    scope: AskedScopes(),
  },
  { title: 'RefreshTokenRequest' },
)
export type RefreshTokenRequest = Static<typeof RefreshTokenRequest>

export const PasswordRequest = Type.Object(
  {
    grant_type: Type.Literal('password'),
    /** The user's e-mail address. */
    username: Opaque(254),
    password: Opaque(256),
    ...Credentials,
    redirect_uri: Ignored(),
    scope: AskedScopes(),
  },
  { title: 'PasswordRequest' },
)
export type PasswordRequest = Static<typeof PasswordRequest>

/** Body of a revocation (RFC 7009). */
export const RevokeRequest = Type.Object(
  {
    token: Opaque(1024),
    token_type_hint: Ignored(),
    ...Credentials,
  },
  { title: 'RevokeRequest' },
)
export type RevokeRequest = Static<typeof RevokeRequest>

/** Body of POST /api/oauth/token. */
export const TokenRequest = Type.Union([RefreshTokenRequest, PasswordRequest])

/** What the token endpoint returns. */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'Valid for one refresh.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    scope: Type.String({ description: 'As asked for; empty for everything that the client and the person may.' }),
  },
  { title: 'TokenResponse' },
)

export const RevokeResponse = Type.Object({ ok: Type.Literal(true) }, { title: 'RevokeResponse' })
