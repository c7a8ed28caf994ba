import Type, { type Static } from 'typebox'
import { Amount, Email, Moment, Url, Uuid } from './formats.ts'

/** Body of `POST /api/{business_id}/browser-tokens` (ACC-21). */
export const BrowserTokenCreate = Type.Object(
  {
    /** The origin of the page that will use the token; the browser's `Origin` must match. */
    origin: Url(),
    ttl_seconds: Type.Integer({ minimum: 60, maximum: 900, default: 900 }),
    max_uses: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
    /** The maximum amount of a session created with the token, in major units. */
    max_amount: Type.Optional(Amount(0.01)),
    /** The customer of the sessions, whatever the page sends. If both fields are set, the id decides. */
    customer_id: Type.Optional(Uuid()),
    customer_email: Type.Optional(Email()),
  },
  {
    title: 'BrowserTokenCreate',
    description: 'Sessions created with the token belong to customer_id or customer_email, whatever the page sends.',
  },
)
export type BrowserTokenCreate = Static<typeof BrowserTokenCreate>

export const BrowserTokenResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    browser_token: Type.String({ description: '`rc_bt_…`, for the page of that origin.' }),
    expires_at: Moment(),
  },
  { title: 'BrowserTokenResponse' },
)
