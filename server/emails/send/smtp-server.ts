/** The mail server that letters are sent through. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte (`smtps://`). */
  secure: boolean
  /** What a connection without TLS does. `required` closes it when the server offers no STARTTLS. */
  startTls: 'required' | 'if_offered' | 'off'
  auth: { user: string; pass: string } | null
  /** The address that sends, and that bounces go to. */
  from: string
}

const STARTTLS = ['required', 'if_offered', 'off'] as const
const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

/** An `SMTP_URL` as read; `startTls` is null where the environment decides. */
export type SmtpUrl = Omit<SmtpServer, 'startTls' | 'from'> & { startTls: SmtpServer['startTls'] | null }

/** @returns `null` for anything but `smtp[s]://[user:password@]host[:port][?starttls=…]` */
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
 * STARTTLS is required in production unless the URL says otherwise, and everywhere for a password: somebody on the way
 * could take out the offer, and would be sent the password in clear.
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
