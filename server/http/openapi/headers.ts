import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { type Family, MERCHANT_API_VERSION } from '../family.ts'

export type PrintedHeaders = Record<string, { $ref: string }>

const count = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example })

/** Headers of responses, as components of the document. */
export const HEADER_COMPONENTS = {
  'Request-Id': {
    description: 'The id of the request, as in the log.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_IDS.request,
  },
  'Api-Version': {
    description: 'The version of the merchant API.',
    schema: { type: 'string', const: MERCHANT_API_VERSION },
    example: MERCHANT_API_VERSION,
  },
  'RateLimit-Limit': count('Requests allowed in the window.', 60),
  'RateLimit-Remaining': count('Requests left in the window.', 59),
  'RateLimit-Reset': count('Seconds until the oldest counted request expires and one more is allowed.', 60),
  'Retry-After': count('Seconds to wait before the next attempt.', 12),
  'WWW-Authenticate': {
    description: 'The credential that the path requires.',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
}

interface ResponseKind {
  isLimited: boolean
  /** Whether the same request may succeed later. */
  isTemporary?: boolean
  wantsCredential?: boolean
}

/** Returns the headers of one response, as references to the components above. */
export function headersOf(
  { headers }: Family,
  { isLimited, isTemporary = false, wantsCredential = false }: ResponseKind,
): PrintedHeaders {
  const names: (keyof typeof HEADER_COMPONENTS)[] = ['Request-Id']
  if ('api-version' in headers) names.push('Api-Version')
  if (isLimited) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')
  if (isTemporary) names.push('Retry-After')
  if (wantsCredential) names.push('WWW-Authenticate')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
