import Type, { type Static } from 'typebox'

// Requests of POST /api/oauth/token and /api/oauth/revoke. `redirect_uri` and `scope` are taken and ignored.

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Ignored = () => Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Credentials = { client_id: Text(255), client_secret: Text(255) }

export const RefreshTokenRequest = Type.Object({
  grant_type: Type.Literal('refresh_token'),
  refresh_token: Text(1024),
  ...Credentials,
  redirect_uri: Ignored(),
  scope: Ignored(),
})
export type RefreshTokenRequest = Static<typeof RefreshTokenRequest>

export const PasswordRequest = Type.Object({
  grant_type: Type.Literal('password'),
  /** The person's e-mail. */
  username: Text(254),
  password: Text(256),
  ...Credentials,
  redirect_uri: Ignored(),
  scope: Ignored(),
})
export type PasswordRequest = Static<typeof PasswordRequest>

/** RFC 7009. */
export const RevokeRequest = Type.Object({
  token: Text(1024),
  token_type_hint: Ignored(),
  ...Credentials,
})
export type RevokeRequest = Static<typeof RevokeRequest>
