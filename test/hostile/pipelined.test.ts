import { deepEqual, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { cpuMs } from '../support/cpu-time.ts'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

const [CONNECTIONS, REQUESTS] = [60, 200]
/** Maximum CPU time of the work on its listener until a request that arrives meanwhile gets its response. */
const LATE_CPU_MS = 600

test('FLT-97: many pipelined requests of documents and files delay nobody else', async () => {
  await using service = await openService({ rateLimits: true })
  const { hostname, port } = new URL(service.formUrl)
  const bytes = 'GET /dashboard HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(REQUESTS)
  let received = ''
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.on('data', (chunk) => {
      received = (received + chunk.toString('latin1')).slice(-1_000_000)
    })
    socket.write(bytes)
    return socket
  })
  await until('the first responses are there', () => received.includes('HTTP/1.1 '))
  const latencies: number[] = []
  for (let round = 0; round < 3; round++) {
    const from = cpuMs()
    ok((await send(`${service.url}/healthz`)).status === 200)
    latencies.push(Math.round(cpuMs() - from))
  }
  ok(Math.max(...latencies) < LATE_CPU_MS, `${latencies} ms of processor time`)
  await until('its address is over its limit', () => received.includes('HTTP/1.1 429'))
  for (const socket of sockets) socket.destroy()
  deepEqual((await send(`${service.url}/healthz`)).status, 200)
})
