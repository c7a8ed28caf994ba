import Type, { type Static } from 'typebox'
import { Amount, Email, Moment, Url, Uuid } from './formats.ts'

/** Body of `POST /api/{business_id}/browser-tokens` (ACC-21). */
export const BrowserTokenCreate = Type.Object(
  {
    /** Of the page that will use it: on it the browser's `Origin` must be this. */
    origin: Url(),
    ttl_seconds: Type.Integer({ minimum: 60, maximum: 900, default: 900 }),
    max_uses: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
    /** The most that a session made with it may ask for, in major units. */
    max_amount: Type.Optional(Amount(0.01)),
    /** Whose sessions are made with it, whatever the page says. With both, the id wins. */
    customer_id: Type.Optional(Uuid()),
    customer_email: Type.Optional(Email()),
  },
  {
    title: 'BrowserTokenCreate',
    description: 'Sessions made with the token are of customer_id or customer_email, whatever the page says.',
  },
)
export type BrowserTokenCreate = Static<typeof BrowserTokenCreate>

export const BrowserTokenResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    browser_token: Type.String({ description: '`rc_bt_…`, for the page that was named.' }),
    expires_at: Moment(),
  },
  { title: 'BrowserTokenResponse' },
)
