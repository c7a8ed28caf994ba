/**
 * Adds `session_token` and `session_id` to the query of a merchant's URL. Both have the token, because the API
 * documents both names. The rest of the query and the fragment are kept.
 */
export function returnUrl<Url extends string | null>(merchantUrl: Url, token: string): Url
export function returnUrl(merchantUrl: string | null, token: string): string | null {
  if (merchantUrl === null) return null
  const url = new URL(merchantUrl)
  url.searchParams.set('session_token', token)
  url.searchParams.set('session_id', token)
  return url.href
}
