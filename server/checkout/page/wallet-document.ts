import { html } from 'ghtml'
import type { WalletFrameData } from '../../../contract/wallet-frame.ts'

/** Input for the policy of the frame's document. It comes from configuration and the session's row, not the request. */
export interface WalletPolicy {
  /** `{WALLET_URL}`, the origin of the document. */
  walletOrigin: string
  /** Origins of the payment page and of a merchant's page around it: a browser checks every ancestor. */
  framers: string[]
  scriptUrl: string
  isGoogle: boolean
}

/** Sources that Google's script needs. It also adds inline styles without a nonce. */
const GOOGLE = {
  script: 'https://pay.google.com',
  frame: 'https://pay.google.com',
  connect: 'https://pay.google.com https://google.com/pay https://www.google.com/pay',
  image: 'https://www.gstatic.com https://pay.google.com',
}

/**
 * Returns the headers of the button's document. Its policy contains Google's origins only if Google's script is loaded.
 *
 * @see GPY-1
 */
export function walletHeaders({ walletOrigin, framers, scriptUrl, isGoogle }: WalletPolicy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${scriptUrl}${isGoogle ? ` ${GOOGLE.script}` : ''}`,
    ...(isGoogle
      ? [
          `frame-src ${GOOGLE.frame}`,
          `connect-src ${GOOGLE.connect}`,
          `img-src ${GOOGLE.image}`,
          "style-src 'unsafe-inline'",
        ]
      : [`connect-src ${walletOrigin}/google-pay/simulated-token`]),
    `form-action ${isGoogle ? GOOGLE.frame : "'none'"}`,
    "base-uri 'none'",
    `frame-ancestors ${framers.join(' ')}`,
    ...(isGoogle ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
    'report-to csp',
  ]
  const payment = isGoogle ? `payment=(self "${GOOGLE.frame}")` : 'payment=(self)'
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': `camera=(), microphone=(), geolocation=(), ${payment}`,
    'reporting-endpoints': `csp="${walletOrigin}/csp-report"`,
    'cache-control': 'no-store',
  }
}

/** Returns the document of the button for one session: the data, and the script that reads it. */
export function walletDocument(data: WalletFrameData, script: { url: string; integrity: string }): string {
  return html`<!doctype html>
<html lang="${data.locale}" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<title>Google Pay</title></head>
<body><main aria-label="Google Pay"><h1>Google Pay</h1><div id="wallet"></div></main>
<script type="application/json" id="wallet-data">!${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script src="${script.url}" integrity="${script.integrity}" crossorigin="anonymous"></script>
</body>
</html>
`
}
