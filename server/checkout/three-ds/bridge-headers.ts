import { BRIDGE_SCRIPT_SOURCE, RETURN_SCRIPT_SOURCE, STYLE_SOURCE } from './bridge-document.ts'

/** Which pages may frame a document: the payment page, and the merchant's page around it. */
export interface Framing {
  /** Origin of the merchant's page, from the row of an embedded or rapid session; otherwise `null`. */
  merchantOrigin: string | null
  isHttps: boolean
}

/**
 * Returns the headers of one transaction's document. The form can reach only the bank, and the frame can show only the
 * bank and the URL to which it posts the browser back.
 *
 * @see TDS-23
 */
export function bridgeHeaders(framing: Framing, { bankOrigin, returnUrl }: { bankOrigin: string; returnUrl: string }) {
  return headers(framing, {
    script: BRIDGE_SCRIPT_SOURCE,
    rules: [`form-action ${bankOrigin}`, `frame-src ${bankOrigin} ${returnUrl}`],
    delegated: `self "${bankOrigin}"`,
  })
}

export function returnHeaders(framing: Framing) {
  return headers(framing, { script: RETURN_SCRIPT_SOURCE, rules: ["form-action 'none'"], delegated: '' })
}

function headers(
  { merchantOrigin, isHttps }: Framing,
  { script, rules, delegated }: { script: string; rules: string[]; delegated: string },
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${script}`,
      `style-src ${STYLE_SOURCE}`,
      ...rules,
      "base-uri 'none'",
      `frame-ancestors 'self'${merchantOrigin === null ? '' : ` ${merchantOrigin}`}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'permissions-policy': `camera=(), microphone=(), geolocation=(), payment=(${delegated}), publickey-credentials-get=(${delegated})`,
    'cross-origin-resource-policy': 'same-origin',
    // A bank may open its own window.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' }),
  }
}
