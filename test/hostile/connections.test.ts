import { equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const MOST = 20

async function openSockets(url: string, count: number): Promise<{ sockets: Socket[]; refused: () => number }> {
  let refused = 0
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => (refused += 1))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return { sockets, refused: () => refused }
}

test('each listener keeps a limited number of connections open, and closes further ones', async () => {
  await using service = await openService({ config: { maxConnections: MOST } })
  for (const url of [service.url, service.formUrl, service.operationsUrl]) {
    const { sockets, refused } = await openSockets(url, MOST + 10)
    await until('ten are refused', () => refused() === 10)
    const kept = sockets.find((socket) => !socket.destroyed)
    ok(kept)
    kept.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n')
    const [response] = (await once(kept, 'data')) as [Buffer]
    match(response.toString(), /^HTTP\/1\.1 404/)
    for (const socket of sockets) socket.destroy()
    const isFreeAgain = async () => (await send(`${url}/nowhere`).catch(() => null))?.status === 404
    await until('the places are free again', isFreeAgain)
  }
  equal(
    service.logged().match(/MAX_CONNECTIONS are open/g)?.length,
    3,
    'said once for each listener, not for each connection',
  )
})
