import { invalid } from './errors.ts'

// Where a payer may be sent, and what may be framed. The URL comes from the API or from the merchant's server, but the
// no-code trigger reads it from the page, where an attacker may have written another.

const FORM_PATH = /^\/customer\/checkout(-rapid)?\/[\w-]{64}$/
const LOOPBACK = /^(.+\.)?localhost$|^127\.0\.0\.1$/

/**
 * A service writes the origin of its form in here when it serves `/js/rialto-checkout.js`; a released file and the
 * package keep it blank.
 */
let scriptOrigin: string | undefined = '{{checkout_origin}}'

/** From `data-checkout-origin` of the script tag. */
export function nameScriptOrigin(origin: string | undefined): void {
  if (origin) scriptOrigin = origin
}

/** HTTPS, or plain HTTP on this machine, for staging. `undefined` for anything else. */
export function secureUrl(text: unknown): URL | undefined {
  try {
    const url = new URL(text as string)
    if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url
  } catch {}
}

/**
 * The one origin that the form has.
 *
 * @param named the option of the merchant, which comes before what the script knows
 * @throws ServiceCheckoutError `invalid_options` when none is named
 */
export function formOrigin(named = scriptOrigin): string {
  const url = secureUrl(named)
  if (!url) throw invalid('checkoutOrigin')
  return url.origin
}

/**
 * @param checkoutOrigin the form's origin, when the merchant has named it
 * @throws ServiceCheckoutError `invalid_options` for a URL that is not the form's
 */
export function readCheckoutUrl(text: unknown, checkoutOrigin?: string): URL {
  const url = secureUrl(text)
  if (!url || !FORM_PATH.test(url.pathname)) throw invalid('checkout_url')
  if (url.origin !== formOrigin(checkoutOrigin)) throw invalid('checkoutOrigin')
  return url
}
