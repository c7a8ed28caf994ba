import { hostname } from 'node:os'
import type { Message } from './build-message.ts'
import { ATTEMPT_SECONDS } from './letter-schedule.ts'
import type { SmtpServer } from './smtp-server.ts'

/** Hands messages to a mail server. */
export interface Mailer {
  /** Address of the sender. */
  readonly from: string
  /**
   * Resolves when the server has taken responsibility for the message.
   *
   * @throws the error of nodemailer, to be read by `sendFailure`
   */
  send(message: Message, signal: AbortSignal): Promise<void>
  close(): void
}

/** Number of connections that stay open for the next letters. */
export const CONNECTIONS = 4
/** Time limit until the server's greeting. */
const CONNECT_MS = 20_000

/** Returns the mailer. It loads nodemailer and opens a connection with the first message. */
export function smtpMailer(server: SmtpServer): Mailer {
  const { host, port, secure, startTls, auth, from } = server
  const options = {
    pool: true as const,
    host,
    port,
    secure,
    requireTLS: startTls === 'required',
    ignoreTLS: startTls === 'off',
    ...(auth && { auth }),
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: ATTEMPT_SECONDS * 1_000,
    name: greetingName(from),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let opened: ReturnType<typeof open> | null = null
  const open = async () => (await import('nodemailer')).createTransport(options)
  return {
    from,
    async send({ from, to, bytes }, signal) {
      opened ??= open()
      await (await opened).sendMail({ envelope: { from, to: [to] }, raw: bytes, signal })
    },
    close() {
      void opened?.then((transport) => transport.close())
    },
  }
}

/**
 * Returns the name for `EHLO`. A container's name means nothing outside, and some servers refuse `[127.0.0.1]`; then
 * the sender's domain is used.
 */
export function greetingName(from: string, own = hostname()): string {
  return own.includes('.') && !own.endsWith('.localdomain') && !own.endsWith('.local') ? own : domainOf(from)
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)
