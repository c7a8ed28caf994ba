import { BrowserTokenResponse } from '../../../contract/browser-token.ts'
import { EXAMPLE_CREDENTIALS, EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { RevokeRequest, RevokeResponse, TokenRequest, TokenResponse } from '../../../contract/token.ts'
import type { RouteDocument } from '../../http/route.ts'
import { ACCESS_TOKEN_SECONDS } from './token.ts'

// Documents the paths that create and revoke tokens.

const group = 'Tokens'
const { accessToken, refreshToken, clientSecret, browserToken } = EXAMPLE_CREDENTIALS
const client = { client_id: EXAMPLE_IDS.client, client_secret: clientSecret }

export const TOKEN_DOCUMENT: RouteDocument = {
  name: 'createToken',
  group,
  summary: 'Get an access token',
  description: `Refreshes tokens, or signs in with a password. A refresh token works once: store the new one from the
response. A second use is refused and ends nothing, because two workers of one server look like that; from an address that is not
allowed, or without the secret of the client, it revokes all tokens of the sign-in at once. \`scope\` asks for fewer rights than the
client has; empty means all of them. The password grant is for owners, admins and developers, and for people with a second factor only
where an owner has allowed it for the client. Tokens never allow more than the role of the person does.
Every refusal also has the members \`error\` and \`error_description\` of RFC 6749. Limit: 10 requests a minute for each address.`,
  body: TokenRequest,
  example: { grant_type: 'refresh_token', refresh_token: refreshToken, ...client, redirect_uri: '', scope: '' },
  responses: {
    200: {
      description: 'A new pair of tokens.',
      body: TokenResponse,
      example: {
        access_token: accessToken,
        refresh_token: refreshToken,
        token_type: 'Bearer',
        expires_in: ACCESS_TOKEN_SECONDS,
        scope: '',
      },
    },
  },
  refusals: ['unsupported_grant_type', 'invalid_grant', 'invalid_scope'],
}

export const REVOKE_DOCUMENT: RouteDocument = {
  name: 'revokeToken',
  group,
  summary: 'Revoke a token',
  description: 'Revokes an access token, or a refresh token with all tokens of its sign-in (RFC 7009).',
  body: RevokeRequest,
  example: { token: accessToken, ...client },
  responses: {
    200: { description: 'The token is revoked, or was never valid.', body: RevokeResponse, example: { ok: true } },
  },
}

export const BROWSER_TOKEN_DOCUMENT: RouteDocument = {
  name: 'createBrowserToken',
  group,
  summary: 'Create a browser token',
  description: `A web page may create sessions with this token, and do nothing else: from one origin, a few times, for some
minutes, up to an amount. Bind it to the customer who is signed in to your shop, by \`customer_id\` or \`customer_email\`: sessions
created with it belong to that customer, whatever the page sends. Without a binding the page's \`customer_email\` is unverified: no
card is saved or shown, and \`customer_id\` is refused. Never bind a \`customer_id\` that you looked up by an email that someone
typed, because the form shows the customer's saved cards. Letting your server create the session is safer still.`,
  example: { origin: 'https://shop.example', max_uses: 1, max_amount: 100 },
  responses: {
    200: {
      description: 'The token, shown once.',
      body: BrowserTokenResponse,
      example: {
        ok: true,
        message: 'Browser token created',
        browser_token: browserToken,
        expires_at: '2026-09-30T12:15:00.000Z',
      },
    },
  },
}
