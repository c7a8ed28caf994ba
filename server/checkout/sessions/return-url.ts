/**
 * A merchant's URL as the payer is sent to it: `session_token` and `session_id` are merged into its query (the interface names
 * both), what it had is kept, the fragment too.
 */
export function returnUrl(merchantUrl: string, token: string): string {
  const url = new URL(merchantUrl)
  url.searchParams.set('session_token', token)
  url.searchParams.set('session_id', token)
  return url.href
}
