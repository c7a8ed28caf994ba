/** The API documents both names for the token. */
const NAMES = ['session_token', 'session_id']

/**
 * Adds `session_token` and `session_id` to the query of a merchant's URL. The rest of the query and the fragment are
 * kept byte for byte, because the merchant may have signed them.
 *
 * @see CHK-46
 */
export function returnUrl<Url extends string | null>(merchantUrl: Url, token: string): Url
export function returnUrl(merchantUrl: string | null, token: string): string | null {
  if (merchantUrl === null) return null
  const url = new URL(merchantUrl)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isReplaced(pair))
  url.search = [...kept, ...NAMES.map((name) => `${name}=${token}`)].join('&')
  return url.href
}

function isReplaced(pair: string): boolean {
  const [name = ''] = new URLSearchParams(pair).keys()
  return NAMES.includes(name)
}
