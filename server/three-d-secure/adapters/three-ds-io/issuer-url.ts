/**
 * Returns the URL to which the payer's browser is sent, normalized; `null` if the browser must not be sent there: the
 * text is not a URL, lacks TLS or contains a user.
 *
 * @param plainHosts hosts that may lack TLS
 */
export function usableIssuerUrl(text: string, plainHosts: readonly string[]): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, href } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && plainHosts.includes(hostname))
  return isSafe && username === '' && password === '' ? href : null
}
