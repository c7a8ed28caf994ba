import Type, { type Static } from 'typebox'
import { Nullable, Opaque } from './formats.ts'

// Requests of POST /api/oauth/token and /api/oauth/revoke. `redirect_uri` and `scope` are accepted and ignored.
/** A text of any length. */
const Ignored = () => Type.Optional(Nullable(Type.String({ format: 'opaque' })))
const Credentials = { client_id: Opaque(255), client_secret: Opaque(255) }

export const RefreshTokenRequest = Type.Object(
  {
    grant_type: Type.Literal('refresh_token'),
    refresh_token: Opaque(1024),
    ...Credentials,
    redirect_uri: Ignored(),
    scope: Ignored(),
  },
  { title: 'RefreshTokenRequest' },
)
export type RefreshTokenRequest = Static<typeof RefreshTokenRequest>

export const PasswordRequest = Type.Object(
  {
    grant_type: Type.Literal('password'),
    /** The user's email. */
    username: Opaque(254),
    password: Opaque(256),
    ...Credentials,
    redirect_uri: Ignored(),
    scope: Ignored(),
  },
  { title: 'PasswordRequest' },
)
export type PasswordRequest = Static<typeof PasswordRequest>

/** RFC 7009. */
export const RevokeRequest = Type.Object(
  {
    token: Opaque(1024),
    token_type_hint: Ignored(),
    ...Credentials,
  },
  { title: 'RevokeRequest' },
)
export type RevokeRequest = Static<typeof RevokeRequest>

/** Of POST /api/oauth/token. */
export const TokenRequest = Type.Union([RefreshTokenRequest, PasswordRequest])

/** What the token endpoint returns. */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'Valid for one refresh.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    scope: Type.String(),
  },
  { title: 'TokenResponse' },
)

export const RevokeResponse = Type.Object({ ok: Type.Literal(true) }, { title: 'RevokeResponse' })
