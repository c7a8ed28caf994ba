import { hostname } from 'node:os'
import type { Message } from './build-message.ts'
import { ATTEMPT_SECONDS } from './letter-schedule.ts'
import type { SmtpServer } from './smtp-server.ts'

/** Hands messages to a mail server. */
export interface Mailer {
  /** The address that sends. */
  readonly from: string
  /**
   * Resolves when the server has taken responsibility for the message.
   *
   * @throws the error of nodemailer; `smtpFailure` reads it
   */
  send(message: Message, signal: AbortSignal): Promise<void>
  close(): void
}

/** Connections that stay open for the next letter. */
export const CONNECTIONS = 4
/** Until the greeting of the server. */
const CONNECT_MS = 20_000

/** nodemailer is loaded, and a connection opened, with the first message. */
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
 * The name in `EHLO`. A container has none that means anything outside, and some servers refuse `[127.0.0.1]`; then it
 * is the domain of the sender.
 */
export function greetingName(from: string, own = hostname()): string {
  return own.includes('.') && !own.endsWith('.localdomain') && !own.endsWith('.local') ? own : domainOf(from)
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)
