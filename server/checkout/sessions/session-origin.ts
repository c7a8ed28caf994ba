/** The parts of a create request that must belong to the OAuth client. */
interface ReturnUrls {
  success_url: string
  cancel_url: string
}

type Errors = Record<string, string[]>

const FIELDS = ['success_url', 'cancel_url'] as const
const SCHEME_AND_SLASHES = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i
const USERINFO = /^[^/]*\/\/[^/?#]*@/

/**
 * Session URLs are HTTPS (CHK-7). Beside that nothing may stand in them that the URL parser drops or turns
 * around in silence, because other readers would see another address (ATT-68).
 *
 * @returns what is wrong with which field
 */
export function checkReturnUrls(urls: ReturnUrls, redirectUrl: string): Errors {
  const registered = new URL(redirectUrl)
  return errorsOf(urls, (text) => {
    const url = new URL(text)
    // A staging client may have registered http://localhost:PORT; then its own origin is good, and no other plain one.
    if (url.protocol !== 'https:' && url.origin !== registered.origin) return 'must be an https URL'
    if (/[\s\\]/.test(text) || !SCHEME_AND_SLASHES.test(text)) return 'must be written without spaces and backslashes'
    if (USERINFO.test(text)) return 'must not carry a user name or password'
    return null
  })
}

/**
 * CHK-6: URLs are on the origin of the client's registered redirect URL, and so is the request's Origin when
 * a browser sends one. Origins are compared as the WHATWG reads them, which a look-alike cannot fool.
 *
 * @returns what is elsewhere
 */
export function checkOrigins(
  urls: ReturnUrls,
  { origin, redirectUrl }: { origin: string | null; redirectUrl: string },
): Errors {
  const registered = new URL(redirectUrl).origin
  const says = `must be on ${registered}, the origin of the client's redirect URL`
  const errors = errorsOf(urls, (text) => (new URL(text).origin === registered ? null : says))
  if (origin === null || origin === registered) return errors
  return { ...errors, origin: [`must be ${registered}, the origin of the client's redirect URL`] }
}

function errorsOf(urls: ReturnUrls, wrongWith: (text: string) => string | null): Errors {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const says = wrongWith(urls[field])
      return says === null ? [] : [[field, [says]]]
    }),
  )
}
