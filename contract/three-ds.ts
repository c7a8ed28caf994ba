import Type, { type Static } from 'typebox'
import { Country, Line, Moment, Nullable, OneOf, Opaque, PostalCode } from './formats.ts'

// The public 3-D Secure paths `/api/{business_id}/ddd/init` and `…/ddd/authenticate` (TDS-1 to TDS-3). The body of init
// is not here, because it contains the vault's schema of card data. Amounts in major units, times in ISO 8601, UTC.

const Url = () => Type.String({ format: 'url' })
/** `ddd_` followed by a UUID. */
const DddSessionId = () => Type.String({ format: 'ddd-session-id' })

export const DddInitResponse = Type.Object(
  {
    ok: Type.Literal(true),
    status: Type.Unsafe<'method_required' | 'ready' | 'not_required'>({
      ...OneOf(['method_required', 'ready', 'not_required']),
      description:
        '`method_required`: show `method.url` in a hidden frame first. `ready`: authenticate at once. `not_required`: pay at once; no other member has a value.',
    }),
    ddd_session_id: Nullable(DddSessionId()),
    three_ds_server_trans_id: Nullable(Type.String()),
    message_version: Nullable(OneOf(['2.1.0', '2.2.0', '2.3.1'])),
    method: Nullable(Type.Object({ url: Url(), timeout_ms: Type.Integer() })),
    expires_at: Nullable(Moment()),
  },
  { title: 'DddInit' },
)
export type DddInitResponse = Static<typeof DddInitResponse>

const Digits = (maxLength: number) => Type.String({ maxLength, format: 'digits' })
const Place = () =>
  Type.Object({
    name: Type.Optional(Line(255)),
    line1: Type.Optional(Line(255)),
    line2: Type.Optional(Line(255, 0)),
    city: Type.Optional(Line(100)),
    state: Type.Optional(Line(100)),
    postal_code: Type.Optional(PostalCode()),
    country: Type.Optional(Country()),
  })

export const DddAuthenticateRequest = Type.Object(
  {
    session_token: Opaque(100),
    ddd_session_id: DddSessionId(),
    three_ds_comp_ind: Type.Optional(
      Type.Unsafe<'Y' | 'N' | 'U'>({ ...OneOf(['Y', 'N', 'U']), description: 'Overruled by what the server saw.' }),
    ),
    await_method: Type.Optional(
      Type.Boolean({
        description:
          'Sent while `method.url` is shown: the request to the bank waits for the method, at most until `timeout_ms` are over.',
      }),
    ),
    browser: Type.Object(
      {
        javascript_enabled: Type.Optional(Type.Boolean()),
        java_enabled: Type.Optional(Type.Boolean()),
        language: Line(35),
        color_depth: Type.Optional(Digits(3)),
        screen_height: Type.Optional(Digits(6)),
        screen_width: Type.Optional(Digits(6)),
        tz: Type.Optional(Type.String({ maxLength: 5, format: 'minutes', description: 'Between UTC and local time.' })),
        user_agent: Line(2048),
        challenge_window_size: OneOf(['01', '02', '03', '04', '05']),
      },
      { description: 'The address and the `Accept` header are those of this request.' },
    ),
    contact: Type.Optional(
      Type.Object({
        email: Type.Optional(Line(254)),
        phone: Type.Optional(Type.Object({ cc: Digits(3), subscriber: Digits(15) })),
      }),
    ),
    challenge_canceled: Type.Optional(
      Type.Boolean({ description: 'The payer closed the challenge: without a result within 3 seconds it failed.' }),
    ),
    billing: Type.Optional(Nullable(Place())),
    shipping: Type.Optional(Nullable(Place())),
  },
  { title: 'DddAuthenticateRequest' },
)
export type DddAuthenticateRequest = Static<typeof DddAuthenticateRequest>

const Authenticated = Type.Object(
  {
    ok: Type.Literal(true),
    status: Type.Literal('authenticated'),
    trans_status: OneOf(['Y', 'A']),
    eci: Nullable(Type.String()),
    message_version: OneOf(['2.1.0', '2.2.0', '2.3.1']),
    ds_trans_id: Nullable(Type.String()),
    liability_shift: Type.Boolean(),
    pay_before: Moment(),
  },
  { title: 'DddAuthenticated' },
)

const ChallengeRequired = Type.Object(
  {
    ok: Type.Literal(true),
    status: Type.Literal('challenge_required'),
    challenge: Type.Object({
      url: Url(),
      window_size: OneOf(['01', '02', '03', '04', '05']),
      start_before: Moment(),
      timeout_ms: Type.Integer(),
    }),
  },
  { title: 'DddChallenge' },
)

const ChallengeInProgress = Type.Object(
  { ok: Type.Literal(true), status: Type.Literal('challenge_in_progress'), retry_after_ms: Type.Integer() },
  { title: 'DddChallengeInProgress' },
)

export const DddAuthenticateResponse = Type.Union([Authenticated, ChallengeRequired, ChallengeInProgress])
export type DddAuthenticateResponse = Static<typeof DddAuthenticateResponse>

/**
 * Message that the bridge documents post to the page that frames them, to its own origin. Only a hint: the page asks
 * the server.
 */
export interface DddMessage {
  type: 'rc:ddd'
  /** The `ddd_session_id`. */
  id: string
}

/** Members that `three_ds_failed` adds to a refusal. */
export const ThreeDsFailure = Type.Object(
  {
    trans_status: OneOf(['N', 'R', 'U', 'I']),
    trans_status_reason: Nullable(Type.String()),
    cardholder_info: Nullable(
      Type.String({ description: 'The text of the bank for the payer; show it as a quotation.' }),
    ),
    attempt_count: Type.Integer({ minimum: 0 }),
    max_attempts: Type.Integer(),
    cancel_url: Nullable(Url()),
  },
  { title: 'ThreeDsFailure' },
)
export type ThreeDsFailure = Static<typeof ThreeDsFailure>
