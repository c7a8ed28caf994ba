import { equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { greetingName, smtpMailer } from './mailer.ts'
import { readSmtpUrl, smtpServer } from './smtp-server.ts'

const FROM = 'billing@pay.example'

describe('The name that greets a mail server', () => {
  for (const [own, name] of [
    ['mail.shop.example', 'mail.shop.example'],
    ['3f2a9c1b7d0e', 'pay.example'],
    ['localhost', 'pay.example'],
    ['localhost.localdomain', 'pay.example'],
    ['laptop.local', 'pay.example'],
    ['', 'pay.example'],
  ] as const)
    test(`on ${own || 'a host without a name'}: ${name}`, () => equal(greetingName(FROM, own), name))

  test('is in EHLO', async () => {
    const server = createServer((socket: Socket) => socket.write('220 ready\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = readSmtpUrl(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)
    if (!url) throw new Error('not a URL')
    const mailer = smtpMailer(smtpServer(url, { from: FROM, environment: 'staging' }))
    const stopping = new AbortController()
    const sending = mailer.send({ from: FROM, to: 'ana@x.example', bytes: Buffer.from('x') }, stopping.signal)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    equal(greeting.toString(), `EHLO ${greetingName(FROM)}\r\n`)
    stopping.abort()
    await rejects(sending)
    mailer.close()
    socket.destroy()
    server.close()
  })
})
