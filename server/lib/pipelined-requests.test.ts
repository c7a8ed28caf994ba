import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from '../../test/support/raw-http.ts'
import { until } from '../../test/support/until.ts'
import { serveOneAtATime } from './pipelined-requests.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (body: string) => `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const WAIT_MS = 30_000

let running = 0
let most = 0
const begun: string[] = []

const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  begun.push(request.url ?? '')
  running += 1
  most = Math.max(most, running)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  await sleep(1)
  running -= 1
  response.end(request.method === 'POST' ? Buffer.concat(chunks) : `[${request.url}]`)
})
serveOneAtATime(server)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
after(() => server.close().closeAllConnections())

describe('FLT-97: the requests of a connection are handled one at a time', () => {
  test('in order, with their bodies', async () => {
    most = 0
    const bytes = Array.from({ length: 40 }, (_, index) => get(`/${index}`) + post(`(${index})`)).join('')
    // The last response is complete when the response to one more request begins.
    const { text } = await exchange(url, bytes + get('/last'), { responses: 81, waitMs: WAIT_MS })
    const bodies = text.match(/\[\/\d+\]|\(\d+\)/g)
    deepEqual(bodies, Array.from({ length: 40 }, (_, index) => [`[/${index}]`, `(${index})`]).flat())
    equal(most, 1)
  })

  test('those of other connections meanwhile', async () => {
    most = 0
    const long = exchange(url, get('/long').repeat(200), { responses: 200, waitMs: WAIT_MS })
    await until('the first are handled', () => begun.includes('/long'))
    const { status } = await exchange(url, get('/other'))
    equal(status, 200)
    ok(begun.filter((path) => path === '/long').length < 200, 'it came between')
    equal((await long).responses, 200)
    equal(most, 2)
  })

  test('too many that wait close the connection, and those of a closed one are not begun', async () => {
    const { closed, responses } = await exchange(url, get('/many').repeat(1_000), { responses: 1_000, waitMs: WAIT_MS })
    deepEqual([closed, responses <= 250], [true, true])
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(get('/gone').repeat(100))
    await until('one is handled', () => begun.includes('/gone'))
    socket.destroy()
    await sleep(50)
    ok(begun.filter((path) => path === '/gone').length < 100)
  })
})
