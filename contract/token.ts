import Type, { type Static } from 'typebox'

// Requests of POST /api/oauth/token and /api/oauth/revoke. `redirect_uri` and `scope` are taken and ignored.

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Ignored = () => Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Credentials = { client_id: Text(255), client_secret: Text(255) }

export const RefreshTokenRequest = Type.Object(
  {
    grant_type: Type.Literal('refresh_token'),
    refresh_token: Text(1024),
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
    /** The person's e-mail. */
    username: Text(254),
    password: Text(256),
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
    token: Text(1024),
    token_type_hint: Ignored(),
    ...Credentials,
  },
  { title: 'RevokeRequest' },
)
export type RevokeRequest = Static<typeof RevokeRequest>

/** Of POST /api/oauth/token. */
export const TokenRequest = Type.Union([RefreshTokenRequest, PasswordRequest])

/** Spec, «Token response». */
export const TokenAnswer = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'Good for one refresh.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'In seconds.' }),
    scope: Type.String(),
  },
  { title: 'TokenAnswer' },
)

export const RevokeAnswer = Type.Object({ ok: Type.Literal(true) }, { title: 'RevokeAnswer' })
