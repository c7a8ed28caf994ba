import Type, { type Static } from 'typebox'
import { Amount, Moment, Url } from './formats.ts'

/** Body of `POST /api/{business_id}/browser-tokens` (contract 11). */
export const BrowserTokenCreate = Type.Object(
  {
    /** Of the page that will use it: on it the browser's `Origin` must be this. */
    origin: Url(),
    ttl_seconds: Type.Integer({ minimum: 60, maximum: 900, default: 900 }),
    max_uses: Type.Integer({ minimum: 1, maximum: 20, default: 1 }),
    /** The most that a session made with it may ask for, in major units. */
    max_amount: Type.Optional(Amount(0.01)),
  },
  { title: 'BrowserTokenCreate' },
)
export type BrowserTokenCreate = Static<typeof BrowserTokenCreate>

export const BrowserTokenAnswer = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    browser_token: Type.String({ description: '`rc_bt_…`, for the page that was named.' }),
    expires_at: Moment(),
  },
  { title: 'BrowserTokenAnswer' },
)
