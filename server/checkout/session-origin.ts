/** The parts of a create request that must belong to the OAuth client. */
interface ReturnUrls {
  success_url: string
  cancel_url: string
}

/**
 * Spec, «Create rules» 1 and 4: URLs are HTTPS and on the origin of the client's registered redirect URL, and so is the
 * request's Origin when a browser sends one. Origins are compared as the WHATWG reads them, which a look-alike cannot fool.
 *
 * @returns what is wrong with which field
 */
export function checkReturnUrls(
  urls: ReturnUrls,
  { origin, redirectUrl }: { origin: string | null; redirectUrl: string },
): Record<string, string[]> {
  const registered = new URL(redirectUrl)
  const errors: Record<string, string[]> = {}
  for (const field of ['success_url', 'cancel_url'] as const) {
    const wrong = wrongWith(urls[field], registered)
    if (wrong) errors[field] = [wrong]
  }
  if (origin !== null && origin !== registered.origin) {
    errors.origin = [`must be ${registered.origin}, the origin of the client's redirect URL`]
  }
  return errors
}

function wrongWith(text: string, registered: URL): string | null {
  const url = new URL(text)
  // A staging client may have registered http://localhost:PORT; then its own origin is good, and no other plain one.
  if (url.protocol !== 'https:' && url.origin !== registered.origin) return 'must be an https URL'
  if (url.username || url.password) return 'must not carry a user name or password'
  if (url.origin !== registered.origin)
    return `must be on ${registered.origin}, the origin of the client's redirect URL`
  return null
}
