import { invalid } from './errors.ts'

// Checks where a payer may be sent, and what may be framed. The URL comes from the API or from the merchant's server,
// but the no-code trigger reads it from the page, where an attacker may have written a different one.

const FORM_PATH = /^\/customer\/checkout(-rapid)?\/[\w-]{64}$/
const LOOPBACK = /^(.+\.)?localhost$|^127\.0\.0\.1$/

/**
 * The service inserts the origin of its form here when it serves `/js/rialto-checkout.js`; a released file and the
 * package leave it blank.
 */
let scriptOrigin: string | undefined = '{{checkout_origin}}'

/** Sets the origin from `data-checkout-origin` of the script tag. */
export function nameScriptOrigin(origin: string | undefined): void {
  if (origin) scriptOrigin = origin
}

/** Reads an HTTPS URL, or an HTTP URL of this machine, for staging. `undefined` for anything else. */
export function secureUrl(text: unknown): URL | undefined {
  try {
    const url = new URL(text as string)
    if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url
  } catch {}
}

/**
 * Returns the only origin that the form may have.
 *
 * @param named the merchant's option, which takes precedence over the script's own value
 * @throws ServiceCheckoutError `invalid_options` if there is none
 */
export function formOrigin(named = scriptOrigin): string {
  const url = secureUrl(named)
  if (!url) throw invalid('checkoutOrigin')
  return url.origin
}

/**
 * Reads and checks the URL of a form.
 *
 * @param checkoutOrigin the form's origin, if the merchant has set it
 * @throws ServiceCheckoutError `invalid_options` for a URL on a different origin
 */
export function readCheckoutUrl(text: unknown, checkoutOrigin?: string): URL {
  const url = secureUrl(text)
  if (!url || !FORM_PATH.test(url.pathname)) throw invalid('checkout_url')
  if (url.origin !== formOrigin(checkoutOrigin)) throw invalid('checkoutOrigin')
  return url
}
