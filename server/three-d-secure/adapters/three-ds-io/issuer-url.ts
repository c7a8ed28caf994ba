/**
 * Where the payer's browser is sent, as a normal URL; `null` when it must not be sent there: it is not a URL, has no
 * TLS or has a user.
 *
 * @param plainHosts hosts that may be without TLS
 */
export function usableIssuerUrl(text: string, plainHosts: readonly string[]): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, href } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && plainHosts.includes(hostname))
  return isSafe && username === '' && password === '' ? href : null
}
