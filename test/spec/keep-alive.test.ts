import { equal, match } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { openService } from '../support/service.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

async function responseOn(socket: Socket): Promise<string> {
  socket.write(GET)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString()
}

test('OPS-64: by default each listener announces 75 seconds for the next request, and waits longer than it says', async () => {
  await using service = await openService()
  const { api, form, operations } = service.app
  for (const { server } of [api, form, operations]) {
    equal(server.keepAliveTimeout, 75_000)
    equal(server.keepAliveTimeoutBuffer, 5_000)
  }
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  match(await responseOn(socket), /^Keep-Alive: timeout=75, /im)
  socket.destroy()
})

test('OPS-64: a request that arrives while the process is busy, at the end of the wait, gets its response', async () => {
  await using service = await openService({ config: { keepAliveSeconds: 1 } })
  service.app.api.server.keepAliveTimeoutBuffer = 0
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await responseOn(socket)
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()))
    socket.once('close', () => resolve('closed'))
  })
  setTimeout(() => {
    socket.write(GET)
    // The timeout passes while the request waits in the socket of a busy process.
    const until = performance.now() + 1_000
    while (performance.now() < until);
  }, 700)
  match(await answered, /^HTTP\/1\.1 200/)
  socket.destroy()
})
