import type { PageHeadersInput, PaymentPageHeaders } from '../contract/payment-page.ts'

/** Returns the headers of every HTML response of the payment page. @see PAG-35 */
export const paymentPageHeaders: PaymentPageHeaders = (input) => {
  const framer = input.surface === 'hosted' ? null : input.parentOrigin
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(input, framer),
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': permissionsPolicy(input),
    'cache-control': 'no-store',
    'reporting-endpoints': `csp="${input.apiOrigin}/csp-report"`,
    ...(framer ? {} : { 'x-frame-options': 'DENY' }),
    ...(input.isHttps ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' } : {}),
  }
}

function contentSecurityPolicy(input: PageHeadersInput, framer: string | null): string {
  return [
    "default-src 'none'",
    `script-src ${input.scriptUrl ?? "'none'"}`,
    `style-src 'nonce-${input.nonce}'`,
    `img-src 'self' data:${input.hasImages ? ' https:' : ''}`,
    `connect-src ${input.apiOrigin}`,
    ...(input.frameOrigins.length > 0 ? [`frame-src ${input.frameOrigins.join(' ')}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framer ?? "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    'report-to csp',
  ].join('; ')
}

/** Returns the Permissions-Policy. The bank's frame has the policy of the document that contains it. */
function permissionsPolicy({ frameOrigins }: PageHeadersInput): string {
  const payers = ['self', ...frameOrigins.filter((origin) => origin !== "'self'").map((origin) => `"${origin}"`)]
  return `camera=(), microphone=(), geolocation=(), payment=(${payers.join(' ')}), publickey-credentials-get=(self)`
}
