import Type from 'typebox'
import { SessionPayment, SurchargeDue } from './checkout-form.ts'
import { Nullable, OneOf, Uuid } from './formats.ts'
import { ThreeDsFailure } from './three-ds.ts'

// The error bodies of the two families of APIs (CHK-1, API-4).

const ERROR_TYPES = [
  'api_error',
  'authentication_error',
  'card_error',
  'conflict_error',
  'invalid_request_error',
  'permission_error',
  'rate_limit_error',
  'validation_error',
] as const

const Message = () =>
  Type.String({ description: 'For people: what is wrong, and what would be right. Not for programs.' })
const RequestId = () =>
  Type.Unsafe<string>({
    ...Uuid(),
    description: 'The same as in the header `Request-Id`. Quote it in support requests.',
  })

/** The envelope of the merchant API (API-4). */
export const ErrorResponse = Type.Object(
  {
    error: Type.Object({
      type: OneOf(ERROR_TYPES),
      code: Type.String({ description: 'For programs; codes do not change.' }),
      message: Message(),
      param: Nullable(Type.String({ description: 'The wrong field; nested fields are dotted.' })),
      request_id: RequestId(),
      decline_code: Type.Optional(Type.String({ description: 'For 402: the result code.' })),
      doc_url: Type.Optional(Type.String({ format: 'url' })),
    }),
  },
  { title: 'Error' },
)

const { cancel_url: _link, ...failure } = Type.Partial(ThreeDsFailure).properties
/** Members that refusals of 3-D Secure add (TDS-12 to TDS-17). */
const THREE_DS = {
  ...failure,
  error_code: Type.Optional(
    Nullable(
      Type.String({ description: 'For `three_ds_server_error`: the code of the protocol, such as 203 or 402.' }),
    ),
  ),
  error_component: Type.Optional(
    Nullable(
      Type.Unsafe<'S' | 'D' | 'A'>({
        ...OneOf(['S', 'D', 'A']),
        description: 'Where it failed: 3-D Secure server, directory server or issuer.',
      }),
    ),
  ),
}

/** The envelope of the checkout API and of the public paths, with every member that a refusal may add. */
export const CheckoutErrorResponse = Type.Object(
  {
    ok: Type.Literal(false),
    message: Message(),
    code: Type.String({ description: 'For programs; codes do not change.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'For 422: messages by field; nested fields are dotted.',
      }),
    ),
    scope: Type.Optional(Type.String({ description: 'For `permission_denied`: the scope that the credential lacks.' })),
    status: Type.Optional(Type.String({ description: 'For a closed session: its status.' })),
    success_url: Type.Optional(Type.String({ format: 'url', description: 'For a paid session.' })),
    cancel_url: Type.Optional(
      Nullable(
        Type.String({ format: 'url', description: 'For a closed session that was not paid, and `three_ds_failed`.' }),
      ),
    ),
    gateway: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'For 417: what the gateway said, or `gateway_timeout`, `gateway_unavailable`, `unsupported`.' },
      ),
    ),
    charged: Type.Optional(
      Nullable(
        Type.Boolean({
          description: '`false`: nothing was charged. `null`: the outcome is being determined; do not pay again.',
        }),
      ),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'For `googlePayToken`: `google_pay_token_invalid`, `google_pay_token_expired`, `google_pay_token_reused` or `card_expired`.',
      }),
    ),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: 'For 429: seconds to wait, as in the header `Retry-After`.' }),
    ),
    card: Type.Optional(
      Type.Object(
        { id: Uuid(), brand: Type.String(), last4: Type.String() },
        { description: 'For `duplicate_card`: the saved card.' },
      ),
    ),
    ...THREE_DS,
    surcharge: Type.Optional(SurchargeDue),
    payment: Type.Optional(SessionPayment),
    error: Type.Optional(Type.String({ description: 'On token paths: the code of RFC 6749.' })),
    error_description: Type.Optional(Type.String({ description: 'On token paths: the same as `message`, in ASCII.' })),
    request_id: RequestId(),
  },
  { title: 'CheckoutError' },
)
