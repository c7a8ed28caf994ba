// What stands before the operations in the printed document.

const text = `
Two families of paths: the **merchant API** under \`/api/v1\`, for servers with a secret key, and the **checkout API**
under \`/api/{business_id}\`, for servers with an OAuth access token. The paths under \`/api/checkout\` are those of the
hosted payment form. Card data is accepted there and nowhere else.

## Authentication

Every credential is sent as \`Authorization: Bearer …\`, from an address on its list, from a server and never from a page.

- Merchant API: a secret key, \`rc_sk_…\`. It names the business.
- Checkout API: an access token of 24 hours, \`rc_at_…\`, from \`POST /api/oauth/token\`. The path names the business.

Staging and production have their own credentials; neither opens the other.

## Money, times, ids

| What | Merchant API | Checkout API |
|---|---|---|
| Amounts | integer cents | decimals in major units |
| Times | seconds since 1970 | ISO 8601 in UTC |
| Currencies | \`usd\`, \`cad\` | \`USD\`, \`CAD\` |

Ids are UUIDs in lower case. Unknown fields of a body are ignored, except those that mean card data.

## Errors

Decide by the code, never by the message. The merchant API responds \`{"error": {type, code, message, param, request_id}}\`,
the checkout API \`{"ok": false, message, code, errors, request_id}\`. Requests are checked in this order, and the first thing
that is wrong responses: path, credential, address, rate, syntax of the body, its fields, existence, state.

A declined card is not an error of the checkout API: it is answered with 200 and \`ok: false\`.

## Pagination

Lists of the merchant API are newest first. \`limit\` says how many (10, at most 100); \`starting_after\` and
\`ending_before\` take the id that the older or newer page is next to; \`has_more\` says whether there are more.

## Rate limits

60 requests in any minute for each key or business; refused ones are not counted. Responses carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\`; a refusal is 429 with \`Retry-After\`.

## Idempotency

Creating a customer with a known e-mail address responds that customer. A saved-card sale takes the header
\`Idempotency-Key\`. Other operations of the merchant API ignore it.
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
    description: 'Client id and client secret, where they are not in the body.',
  },
}

/** The headings of operations, in the order of the reference. */
export const GROUPS: Record<string, string> = {
  Account: 'Who a secret key belongs to.',
  Customers: 'People who pay.',
  'Payment methods': 'Stored cards: read and detach. A card gets there by being typed on the payment form.',
  Products: 'What is sold.',
  Prices: 'What a product costs, once or at an interval.',
  Events: 'What changed, as webhooks tell it.',
  Tokens: 'Access tokens of the checkout API.',
  'Checkout sessions': 'One payment on the hosted form: create it, send the payer there, read what became of it.',
  'Saved cards': 'Charging a card that a customer left with you.',
  'Payment form':
    'What the hosted form itself calls, with the session token as the credential. Merchants need none of it.',
}
