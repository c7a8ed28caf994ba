import { SCOPE_TEXTS, SCOPES } from '../../../contract/scopes.ts'

// The text before the operations in the OpenAPI document.

const text = `
There are two families of paths: the **merchant API** under \`/api/v1\`, for servers with a secret key, and the **checkout
API** under \`/api/{business_id}\`, for servers with an OAuth access token. The hosted payment form calls the paths under
\`/api/checkout\`, and \`ddd/init\` and \`ddd/authenticate\` for 3-D Secure. Card data is accepted on those paths and nowhere
else.

## Authentication

Send every credential as \`Authorization: Bearer …\`, from your server and never from a web page. It works only from addresses
on its list.

- Merchant API: a secret key, \`rc_sk_…\`. It identifies the business.
- Checkout API: an access token, \`rc_at_…\`, from \`POST /api/oauth/token\`. It is valid for 24 hours. The path names the
  business.

Staging and production have separate credentials.

## Scopes

A key, and a client with its tokens, may do what its scopes say: by default all that its maker may do in the dashboard. Each
path names the scope that it needs. A request that lacks it is refused with 403 \`permission_denied\`, which names the scope.
A token request may ask for fewer in \`scope\`, with a blank between; empty means all.

| Scope | |
|---|---|
${SCOPES.map((scope) => `| \`${scope}\` | ${SCOPE_TEXTS[scope]} |`).join('\n')}

## Money, times, ids

| What | Merchant API | Checkout API |
|---|---|---|
| Amounts | integer cents | decimals in major units |
| Times | seconds since 1970 | ISO 8601 in UTC |
| Currencies | \`usd\`, \`cad\` | \`USD\`, \`CAD\` |

Ids are lower-case UUIDs. Unknown fields of a body are ignored, except fields named like card data, which are refused.

## Errors

Make programs decide by the code, never by the message. The merchant API responds with
\`{"error": {type, code, message, param, request_id}}\`, the checkout API with
\`{"ok": false, message, code, errors, request_id}\`. Checks run in this order, and the first failure determines the response:
path, credential, address, rate, syntax of the body, its fields, existence, state.

In the checkout API a declined card is not an error: the response is 200 with \`ok: false\`.

## Pagination

Lists of the merchant API are newest first. \`limit\` sets the page size (default 10, maximum 100). For the next older page pass
the last id as \`starting_after\`; for the next newer page pass the first id as \`ending_before\`. \`has_more\` is whether there
are further objects in that direction.

## Rate limits

60 requests in any minute for each key or business; of those 20 that create a subscription, 5 that refund and 5 that void.
Refused requests are not counted. Responses have the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`. A request over the limit gets 429 with \`Retry-After\`.

## Idempotency

Creating a customer with an email that already exists returns the existing customer. A saved-card sale and the resume of a
subscription accept the header \`Idempotency-Key\`. All other operations ignore that header.
`

export const ABOUT = {
  description: text.trim(),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

export const SECURITY_SCHEMES = {
  secretKey: { type: 'http', scheme: 'bearer', description: 'A secret key of the merchant API: `rc_sk_…`.' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'An access token of the checkout API: `rc_at_…`.' },
  clientCredentials: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and client secret, when they are not in the body.',
  },
}

/** The headings of the reference, in its order. */
export const GROUPS: Record<string, string> = {
  Account: 'The business that a secret key belongs to.',
  Customers: 'People who pay.',
  'Payment methods':
    'Stored cards: read and detach them. Cards are stored when a payer saves them on the payment form.',
  Products: 'What is sold.',
  Prices: 'What a product costs, once or at an interval.',
  Subscriptions: 'Charge a stored card on a schedule.',
  'Refunds and voids': 'Give back the money of a subscription payment, after or before its batch is settled.',
  Batches: 'What a terminal moved since its last settlement: read it, settle it.',
  'Test clock': 'Staging only: moves a business into the future, with all that falls due on the way.',
  Events: 'Changes of objects, as webhooks deliver them, and what became of each delivery.',
  'Webhook endpoints': 'Where events are delivered to.',
  Tokens: 'Access tokens of the checkout API.',
  'Checkout sessions': 'One payment on the hosted form: create a session, send the payer to it, read the result.',
  'Saved cards': 'Charge a card that a customer has saved.',
  'Payment form': 'Paths that the hosted form calls, with the session token as credential. Merchants do not need them.',
}
