const ADVICE =
  'percent-encode reserved characters of user and password: / as %2F, # as %23, ? as %3F, @ as %40, : as %3A, % as %25'

/**
 * Returns what to do about a URL that seems to have a reserved character in its password. The text is not quoted.
 *
 * @returns an empty text for any other URL
 */
export function encodingAdvice(text: string): string {
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(text.trim()) ?? []
  if (!authority.includes('@')) return authority !== '' && continuesAuthority(rest) ? ADVICE : ''
  // The host may be absent: `postgres://user@/name?host=/run/postgresql`.
  const isUrl = URL.canParse(text.trim().replace('@/', '@host/'))
  return isUrl && isDecodable(authority.slice(0, authority.lastIndexOf('@'))) ? '' : ADVICE
}

/**
 * Whether the host comes only after the character that ended the authority: in the path, the fragment, or before any
 * `=`.
 */
function continuesAuthority(rest: string): boolean {
  const [beforeValues = ''] = rest.split('=')
  return beforeValues.includes('@')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
