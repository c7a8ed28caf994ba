import { type ErrorCode, rowOf } from '../../lib/errors.ts'

/** The meaning of each refusal in the OpenAPI document, and the message of its example. */
export const REFUSAL_TEXTS: Record<ErrorCode, string> = {
  session_expired: 'The session is older than 24 hours.',
  session_completed: 'The session is already paid.',
  session_cancelled: 'The merchant cancelled the session.',
  session_failed: 'The card was declined three times; the session is closed.',
  payment_in_progress: 'A payment is in progress or its outcome is unknown. Do not pay again; retrieve the status.',
  gateway_timeout: 'The gateway did not respond in time. The outcome is being determined; do not pay again.',
  gateway_unavailable: 'The gateway could not be reached. Nothing was charged. Try again.',
  three_ds_failed: 'The payer was not authenticated.',
  malformed_request:
    'The request is ambiguous or malformed: for example a duplicate header, or a URL that is too long.',
  unsupported_grant_type: 'grant_type must be one of password, refresh_token',
  invalid_scope: 'scope names what does not exist, or what the client or the person may not do.',
  unauthenticated: 'The credential is missing, expired or invalid.',
  invalid_client: 'The client id or the client secret is wrong, or the client was revoked.',
  invalid_grant: 'The password or the refresh token is wrong, expired or already used.',
  card_declined: 'The card was declined.',
  DDD_NOT_SUPPORTED: 'The card does not support 3-D Secure.',
  ip_not_allowed: 'Requests from this address are not allowed. Register the static IP of your server.',
  origin_not_allowed:
    'A web page called this path. Only the payment form may pay; every other path is for your server.',
  sign_in_failed: 'The name, the password or the code is wrong, or there were too many tries.',
  signed_out: 'Nobody is signed in, or the session has ended.',
  permission_denied: 'The credential lacks the scope that the path needs, or the role of the person does not allow it.',
  second_factor_required: 'The person must add a second factor first.',
  step_up_required: 'The person must prove again who they are.',
  contract_unsigned: 'The linked contract is not signed.',
  not_found: 'The object does not exist, or not for this credential.',
  method_not_allowed: 'The path does not support this method.',
  three_ds_expired: 'The authentication took too long.',
  request_timeout: 'The request did not arrive in time.',
  conflict: 'The state of the object does not allow this.',
  quote_stale: 'The preview is out of date; request a new one.',
  idempotency_key_reused: 'The key was already used with a different body.',
  body_too_large: 'The body is larger than allowed here.',
  unsupported_media_type: 'Send application/json in UTF-8, not compressed.',
  batch_failed: 'The gateway refused the batch operation.',
  validation_failed: 'A field is missing or wrong, or the body is not a JSON object.',
  raw_card_data_not_supported: 'Card data is not accepted here. Cards are entered on the hosted payment form only.',
  origin_mismatch: "A URL or the Origin does not have the origin of the client's redirect URL.",
  duplicate_card: 'This card is already saved. Choose the saved card, or pay without saving it.',
  rate_limited: 'Too many requests. Wait for the time in the Retry-After header.',
  internal_error: 'Unexpected error. Quote the request_id to the operator.',
  three_ds_server_error: 'The 3-D Secure server failed.',
  google_pay_unavailable: 'Google Pay is not available at the moment. Nothing was charged.',
  unavailable: 'The service is briefly unavailable. Nothing was charged by this request. Try again.',
}

const CODES = Object.keys(REFUSAL_TEXTS) as ErrorCode[]
/**
 * Texts by code of the merchant API. If refusals share a code, the first in the table applies, which is the one for
 * servers.
 */
const BY_CODE = new Map<string, string>([
  ...CODES.map((code) => [code, REFUSAL_TEXTS[code]] as const),
  ...CODES.toReversed().map((code) => [rowOf(code).v1[1], REFUSAL_TEXTS[code]] as const),
])

/** Returns the meaning of a code as any of the families responds with it; `null` for an unknown code. */
export const refusalText = (code: string): string | null => BY_CODE.get(code) ?? null
