/** Mail server through which letters are sent. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte (`smtps://`). */
  secure: boolean
  /** What happens on a connection without TLS. `required` closes it if the server does not offer STARTTLS. */
  startTls: 'required' | 'if_offered' | 'off'
  auth: { user: string; pass: string } | null
  /** Address of the sender, to which bounces go. */
  from: string
}

const STARTTLS = ['required', 'if_offered', 'off'] as const
const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

/** Parsed `SMTP_URL`; `startTls` is `null` if the environment decides. */
export type SmtpUrl = Omit<SmtpServer, 'startTls' | 'from'> & { startTls: SmtpServer['startTls'] | null }

/** @returns `null` for any text other than `smtp[s]://[user:password@]host[:port][?starttls=…]` */
export function readSmtpUrl(text: string): SmtpUrl | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null
  if (!['', '/'].includes(url.pathname) || url.hash !== '') return null
  const { starttls = null, ...others } = Object.fromEntries(url.searchParams)
  const startTls = starttls === null ? null : STARTTLS.find((word) => word === starttls)
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if (Object.keys(others).length > 0 || startTls === undefined || user === null || pass === null) return null
  if ((user === '') !== (pass === '')) return null
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    secure,
    startTls,
    auth: user === '' ? null : { user, pass },
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/

/**
 * Returns the mail server. STARTTLS is required in production unless the URL says otherwise, and always for a password:
 * an attacker in between could remove the offer, and would receive the password in clear text.
 */
export function smtpServer(
  url: SmtpUrl,
  { from, environment }: { from: string; environment: 'staging' | 'production' },
): SmtpServer {
  const startTls = url.startTls ?? (environment === 'production' ? 'required' : 'if_offered')
  const needsTls = startTls === 'if_offered' && url.auth !== null && !LOOPBACK.test(url.host)
  return { ...url, startTls: needsTls ? 'required' : startTls, from }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
