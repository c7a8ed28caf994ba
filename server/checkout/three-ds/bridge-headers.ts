import { BRIDGE_SCRIPT_SOURCE, RETURN_SCRIPT_SOURCE, STYLE_SOURCE } from './bridge-document.ts'

/** Who may frame a document: the payment page, and the merchant's page around it. */
export interface Framing {
  /** Of an embedded or rapid session, from its row; otherwise `null`. */
  merchantOrigin: string | null
  isHttps: boolean
}

/**
 * The policy of one transaction's document. The form reaches only the bank, and the frame shows only the bank and where
 * it posts the browser back.
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
    // A bank may open a window of its own.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' }),
  }
}
