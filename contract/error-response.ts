import Type from 'typebox'
import { SessionPayment, SurchargeDue } from './checkout-form.ts'
import { Nullable, OneOf, Uuid } from './formats.ts'

// What a refusal looks like in each of the two families (CHK-1, API-4).

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
  Type.String({ description: 'For people: what is wrong and what would be right. Not for programs.' })
const RequestId = () =>
  Type.Unsafe<string>({ ...Uuid(), description: 'Also the header `Request-Id`. Quote it when you ask.' })

/** The envelope of the merchant API (API-4). */
export const ErrorResponse = Type.Object(
  {
    error: Type.Object({
      type: OneOf(ERROR_TYPES),
      code: Type.String({ description: 'For programs; it stays what it is.' }),
      message: Message(),
      param: Nullable(Type.String({ description: 'The field that is wrong; nested ones are dotted.' })),
      request_id: RequestId(),
      decline_code: Type.Optional(Type.String({ description: 'Of 402: the result code.' })),
      doc_url: Type.Optional(Type.String({ format: 'url' })),
    }),
  },
  { title: 'Error' },
)

/** The envelope of the OAuth family and of the public paths, with every member that some refusal adds. */
export const CheckoutErrorResponse = Type.Object(
  {
    ok: Type.Literal(false),
    message: Message(),
    code: Type.String({ description: 'For programs; it stays what it is.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Of 422: what is wrong with which field; nested ones are dotted.',
      }),
    ),
    status: Type.Optional(Type.String({ description: 'Of a closed session: its status.' })),
    success_url: Type.Optional(Type.String({ format: 'url', description: 'Of a paid session.' })),
    cancel_url: Type.Optional(Type.String({ format: 'url', description: 'Of a closed session that was not paid.' })),
    charged: Type.Optional(
      Nullable(
        Type.Boolean({ description: '`false`: nothing was taken. `null`: it is being found out; do not pay again.' }),
      ),
    ),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of 429: as the header `Retry-After`, in seconds.' }),
    ),
    card: Type.Optional(
      Type.Object(
        { id: Uuid(), brand: Type.String(), last4: Type.String() },
        { description: 'Of `duplicate_card`: the card that is saved already.' },
      ),
    ),
    surcharge: Type.Optional(SurchargeDue),
    payment: Type.Optional(SessionPayment),
    error: Type.Optional(Type.String({ description: 'Of the token endpoint: the code of RFC 6749.' })),
    error_description: Type.Optional(Type.String({ description: 'Of the token endpoint: the message again.' })),
    request_id: RequestId(),
  },
  { title: 'CheckoutError' },
)
