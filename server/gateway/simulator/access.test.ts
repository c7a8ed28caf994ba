import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { newSecret } from './access.ts'
import { simulatorControl } from './control.ts'
import { type RunningSimulator, startSimulator } from './start-simulator.ts'

/** All paths except `GET /_sim/health`, which needs no secret. */
const PATHS: [method: string, path: string][] = [
  ['POST', '/v1/sale'],
  ['POST', '/v1/void'],
  ['POST', '/v1/refund'],
  ['POST', '/v1/inquire'],
  ['POST', '/v1/list'],
  ['GET', '/_sim/ledger'],
  ['GET', '/_sim/ledger?terminal=shop'],
  ['GET', '/_sim/clock'],
  ['POST', '/_sim/script'],
  ['POST', '/_sim/reset-script'],
  ['POST', '/_sim/settle'],
  ['GET', '/_sim/health?x'],
  ['POST', '/anything'],
]

const WEB_PAGES: [name: string, headers: Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a page of this machine', { origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' }],
  ['a form of another site, without an Origin', { 'sec-fetch-site': 'cross-site' }],
  ['a host name that resolves to 127.0.0.1', { host: 'rebound.example' }],
  ['a host name that resolves to 127.0.0.1, with its port', { host: 'rebound.example:4002' }],
  ['a host name that begins with 127.0.0.1', { host: '127.0.0.1.evil.example' }],
  ['a host name that ends with localhost', { host: 'evil-localhost' }],
  ['an address of this machine that is not loopback', { host: '192.168.1.7:4002' }],
]

describe('Access to the simulator', () => {
  let simulator: RunningSimulator
  before(async () => {
    simulator = await startSimulator()
  })
  after(() => simulator.close())

  function call(path: string, { method = 'POST', headers = {} }: { method?: string; headers?: object }) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    const body = method === 'POST' ? '{"terminal":"shop","currency":"USD"}' : ''
    const options = { port: simulator.port, host: '127.0.0.1', path, method, agent: false, headers: { ...headers } }
    const sent = request(options, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('')
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.once('error', reject).end(body)
    return promise
  }

  for (const [method, path] of PATHS) {
    test(`${method} ${path}: 401 without the secret or with a wrong one, without revealing it`, async () => {
      const wrong = [{}, { 'x-simulator-secret': newSecret() }, { 'x-simulator-secret': '' }]
      for (const headers of [...wrong, { authorization: `Bearer ${simulator.secret}` }]) {
        const { status, text } = await call(path, { method, headers })
        equal(status, 401)
        equal(text.includes(simulator.secret), false)
      }
      notEqual((await call(path, { method, headers: { 'x-simulator-secret': simulator.secret } })).status, 401)
    })
  }

  for (const [name, headers] of WEB_PAGES) {
    test(`${name}: 403 on every path, even with the secret`, async () => {
      const known = { 'x-simulator-secret': simulator.secret }
      for (const [method, path] of [...PATHS, ['GET', '/_sim/health'], ['OPTIONS', '/_sim/script']] as const) {
        for (const more of [{}, known])
          equal((await call(path, { method, headers: { ...more, ...headers } })).status, 403, path)
      }
    })
  }

  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:4002', '[::1]:4002']) {
    test(`the Host ${host} is allowed`, async () => {
      const headers = { host, 'x-simulator-secret': simulator.secret }
      equal((await call('/_sim/ledger', { method: 'GET', headers })).status, 200)
    })
  }

  test('the health path returns nothing but ok', async () => {
    deepEqual(await call('/_sim/health', { method: 'GET' }), { status: 200, text: '{"ok":true}' })
  })

  test('a refused call changes nothing', async () => {
    await call('/_sim/script', { headers: { 'x-simulator-secret': 'x' } })
    equal((await simulatorControl(simulator).rows()).length, 0)
  })

  test('each start makes a new secret', async () => {
    const other = await startSimulator()
    await other.close()
    notEqual(other.secret, simulator.secret)
  })
})
