import { invalid } from './invalid.ts'

// Where a payer may be sent or framed. The URL comes from the API or from the merchant's server, but the no-code trigger
// reads it from the page, where somebody may have written another.

const FORM_PATH = /^\/customer\/checkout(-rapid)?\/[\w-]{64}$/
const LOOPBACK = /^(.+\.)?localhost$|^127\.0\.0\.1$/

/** HTTPS, or plain HTTP on this very machine: staging. `undefined` for anything else. */
export function secureUrl(text: unknown): URL | undefined {
  try {
    const url = new URL(text as string)
    if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url
  } catch {}
}

/**
 * @param base the API's URL
 * @param checkoutOrigin the form's origin, when the merchant has named it
 * @throws ServiceCheckoutError `invalid_options` for a URL that is not the form's
 */
export function readCheckoutUrl(text: unknown, base: string, checkoutOrigin?: string): URL {
  const url = secureUrl(text)
  if (!url || !FORM_PATH.test(url.pathname)) throw invalid('checkout_url')
  const isExpected = url.origin === checkoutOrigin || (!checkoutOrigin && isBeside(url, new URL(base)))
  if (!isExpected) throw invalid('checkoutOrigin')
  return url
}

/** `pay.shop.example` is beside `api.shop.example`. Numbers have no family, and a top-level domain is none. */
function isBeside({ hostname: host }: URL, { hostname: base }: URL): boolean {
  const parent = host.replace(/^[^.]*\./, '')
  return host === base || (/^localhost$|\..*[a-z]$/.test(parent) && base.endsWith(`.${parent}`))
}
