/** The fields of a create request that must be on the origin of the OAuth client. */
interface ReturnUrls {
  success_url: string
  cancel_url: string
}

type Errors = Record<string, string[]>

const FIELDS = ['success_url', 'cancel_url'] as const
const SCHEME_AND_SLASHES = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i
const USERINFO = /^[^/]*\/\/[^/?#]*@/

/**
 * Requires HTTPS, and refuses characters that the URL parser silently drops or changes, because other parsers would
 * read a different URL.
 *
 * @returns the errors by field
 * @see CHK-7, ATT-68
 */
export function checkReturnUrls(urls: ReturnUrls, redirectUrl: string): Errors {
  const registered = new URL(redirectUrl)
  return errorsOf(urls, (text) => {
    const url = new URL(text)
    // A staging client may have registered http://localhost:PORT. Then that HTTP origin is allowed, and no other.
    if (url.protocol !== 'https:' && url.origin !== registered.origin) return 'must be an https URL'
    if (/[\s\\]/.test(text) || !SCHEME_AND_SLASHES.test(text)) return 'must not contain spaces or backslashes'
    if (USERINFO.test(text)) return 'must not contain a user name or password'
    return null
  })
}

/**
 * Requires the URLs, and the request's Origin if there is one, to be on the origin of the client's registered redirect
 * URL. Origins are compared as parsed by the WHATWG URL parser, so similar-looking text does not match.
 *
 * @returns the errors by field
 * @see CHK-6
 */
export function checkOrigins(
  urls: ReturnUrls,
  { origin, redirectUrl }: { origin: string | null; redirectUrl: string },
): Errors {
  const registered = new URL(redirectUrl).origin
  const message = `must be on ${registered}, the origin of the client's redirect URL`
  const errors = errorsOf(urls, (text) => (new URL(text).origin === registered ? null : message))
  if (origin === null || origin === registered) return errors
  return { ...errors, origin: [`must be ${registered}, the origin of the client's redirect URL`] }
}

function errorsOf(urls: ReturnUrls, messageOf: (text: string) => string | null): Errors {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const message = messageOf(urls[field])
      return message === null ? [] : [[field, [message]]]
    }),
  )
}
