import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The message as it was received. */
  raw: string
  isSecure: boolean
}

/** The server's behaviour for the next messages; a number is the status of a refusal. */
export interface MailBehaviour {
  auth?: (user: string, password: string) => number | null
  from?: () => number | null
  recipient?: (address: string) => number | null
  /** Called when a message is complete, before it is accepted. `drop` ends the connection without a response. */
  data?: (mail: ReceivedMail) => Promise<number | 'drop' | null> | number | 'drop' | null
}

/** A real mail server on loopback, which records what it is sent. */
export interface MailServer extends AsyncDisposable {
  port: number
  /** `smtp://127.0.0.1:port` */
  url: string
  /** Accepted messages. */
  accepted: ReceivedMail[]
  /** Complete messages, including those that were refused or dropped. */
  received: ReceivedMail[]
  connections(): number
  behave(behaviour: MailBehaviour): void
}

export async function startMailServer({
  port: wanted = 0,
  startTls = false,
  auth = false,
}: {
  /** Port; any free one by default. */
  port?: number
  /** Whether it offers STARTTLS, with a certificate that nobody trusts. */
  startTls?: boolean
  auth?: boolean
} = {}): Promise<MailServer> {
  const accepted: ReceivedMail[] = []
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let behaviour: MailBehaviour = {}
  const server = new SMTPServer({
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    authOptional: !auth,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      const refused = behaviour.auth?.(username ?? '', password ?? '')
      if (refused) done(refusal(refused))
      else done(null, { user: username })
    },
    onMailFrom: (_address, _session, done) => done(refusal(behaviour.from?.())),
    onRcptTo: ({ address }, _session, done) => done(refusal(behaviour.recipient?.(address))),
    async onData(stream, session, done) {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part as Buffer)
      const { mailFrom, rcptTo } = session.envelope
      const mail = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw: Buffer.concat(parts).toString(),
        isSecure: session.secure,
      }
      received.push(mail)
      const result = await behaviour.data?.(mail)
      if (result === 'drop') return sockets.forEach((socket) => void socket.destroy())
      if (!result) accepted.push(mail)
      done(refusal(result))
    },
  })
  // An error of a client that closes its connection.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(wanted, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    received,
    connections: () => connections,
    behave(next) {
      behaviour = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function refusal(status: number | null | undefined): Error | null {
  return status ? Object.assign(new Error('refused by the test'), { responseCode: status }) : null
}
