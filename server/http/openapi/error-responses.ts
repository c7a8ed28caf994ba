import { EXAMPLE_IDS, EXAMPLE_SESSION_TOKEN } from '../../../contract/example-ids.ts'
import { ApiError, type ErrorCode, rowOf } from '../../lib/errors.ts'
import type { DocumentedErrors, Family } from '../family.ts'
import type { Route } from '../route.ts'
import { headersOf, type PrintedHeaders } from './headers.ts'
import { REFUSAL_TEXTS } from './refusal-texts.ts'
import type { SchemaPrinter } from './schemas.ts'

export interface PrintedResponse {
  description: string
  headers: PrintedHeaders
  content: Record<string, object>
}

/** Refusals of every operation. */
const ALWAYS: ErrorCode[] = ['malformed_request', 'internal_error', 'unavailable']
const OF_ACCESS: Record<Route['access']['name'], ErrorCode[]> = {
  public: [],
  bearer: ['unauthenticated', 'ip_not_allowed', 'not_found'],
  'secret key': ['unauthenticated', 'ip_not_allowed'],
  'client credentials': ['invalid_client'],
  session: ['signed_out', 'permission_denied'],
}
const OF_BODY: ErrorCode[] = [
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'raw_card_data_not_supported',
]

/** Returns the refusals of a route: those that follow from its parts, and those that it lists. */
function refusalsOf({
  method,
  path,
  access,
  scope = null,
  limits,
  query,
  browsers,
  takesCardData,
  family,
  document,
}: Route): ErrorCode[] {
  const found = [...ALWAYS, ...OF_ACCESS[access.name], ...(document?.refusals ?? [])]
  if (browsers === undefined || (browsers === 'form' && method !== 'GET')) found.push('origin_not_allowed')
  if (scope !== null) found.push('permission_denied')
  if (path.includes('{')) found.push('not_found')
  if (limits?.length) found.push('rate_limited')
  if (query) found.push('validation_failed')
  // This also applies to a query without a schema.
  if (family.cardDataRules.queryNames === 'refused') found.push('raw_card_data_not_supported')
  if (method !== 'GET') found.push(...OF_BODY)
  return [...new Set(found)].filter((code) => !(takesCardData && code === 'raw_card_data_not_supported'))
}

/** Prints responses as components, because many operations share them. */
export interface ResponsePrinter {
  schemas: SchemaPrinter
  components: Record<string, PrintedResponse>
}

/** Returns one response for each status, with an example for each code; none for a family that is not documented. */
export function errorResponses(printer: ResponsePrinter, route: Route): Record<string, { $ref: string }> {
  const { family } = route
  const { documented } = family
  if (!documented) return {}
  const codes = refusalsOf(route)
  const statuses = [...new Set(codes.map((code) => rowOf(code).status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => rowOf(code).status === status).sort()
      const name = `${documented.name}.${ofStatus.join('.')}`
      printer.components[name] ??= errorResponse(printer.schemas, { ...family, documented }, status, ofStatus)
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function errorResponse(
  schemas: SchemaPrinter,
  family: Family & { documented: DocumentedErrors },
  status: number,
  codes: ErrorCode[],
): PrintedResponse {
  const { documented } = family
  return {
    description: codes.map((code) => `\`${documented.codeOf(code)}\`: ${REFUSAL_TEXTS[code]}`).join('\n\n'),
    headers: headersOf(family, {
      // Some refusals come before any limit is counted.
      isLimited: family.alwaysLimited || status === 429,
      isTemporary: status === 429 || status === 503,
      wantsCredential: status === 401,
    }),
    content: {
      'application/json': {
        schema: schemas.print(documented.schema),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: REFUSAL_TEXTS[code], value: exampleOf(family, code) }]),
        ),
      },
    },
  }
}

/** Returns the body that the family would really send. */
function exampleOf({ envelope }: Family, code: ErrorCode): object | string {
  const { errors, ...extra } = MEMBERS[code] ?? {}
  const refusal = new ApiError(code, { message: REFUSAL_TEXTS[code], extra, ...(errors && { errors }) })
  return envelope(refusal, { id: EXAMPLE_IDS.request, url: '', headers: {} }).body
}

const TOKENS = `session_token=${EXAMPLE_SESSION_TOKEN}&session_id=${EXAMPLE_SESSION_TOKEN}`
const CANCELLED = `https://shop.example/cart?${TOKENS}`
const MEMBERS: Partial<Record<ErrorCode, { errors?: Record<string, string[]>; [member: string]: unknown }>> = {
  session_expired: { status: 'EXPIRED', cancel_url: CANCELLED },
  session_completed: { status: 'COMPLETED', success_url: `https://shop.example/thanks?${TOKENS}` },
  session_cancelled: { status: 'CANCELLED', cancel_url: CANCELLED },
  session_failed: { status: 'FAILED', cancel_url: CANCELLED },
  payment_in_progress: { charged: null },
  gateway_timeout: { charged: null },
  gateway_unavailable: { charged: false },
  google_pay_unavailable: { charged: false },
  duplicate_card: { errors: { cardData: ['is already saved: choose the saved card'] }, charged: false },
  validation_failed: { errors: { amount: ['is required'] } },
  rate_limited: { retry_after: 12 },
  unavailable: { charged: false },
}
