import { equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MOST = 20

async function openSockets(url: string, count: number): Promise<{ sockets: Socket[]; closed: () => number }> {
  let closed = 0
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => (closed += 1))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return { sockets, closed: () => closed }
}

test('FLT-96: on each listener a caller with more silent connections than there are places keeps nobody out', async () => {
  await using service = await openService({ config: { maxConnections: MOST } })
  for (const url of [service.url, service.formUrl, service.operationsUrl, service.simulatorUrl]) {
    const { sockets, closed } = await openSockets(url, MOST + 10)
    if (url !== service.simulatorUrl) await until('the first are closed', () => closed() === 10)
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(`${url}/nowhere`)))
    for (const { status } of responses) ok([401, 404].includes(status), `${url}: ${status}`)
    const youngest = sockets.at(-1) as Socket
    youngest.write('GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    const [response] = (await once(youngest, 'data')) as [Buffer]
    match(response.toString(), /^HTTP\/1\.1 40[14]/)
    for (const socket of sockets) socket.destroy()
  }
  equal(
    service.logged().match(/MAX_CONNECTIONS are open/g)?.length,
    3,
    'said once for each listener, not for each connection',
  )
})
