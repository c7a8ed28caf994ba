import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { simulatorControl } from './control.ts'
import { type RunningSimulator, startSimulator } from './start-simulator.ts'

const SALE = {
  merchantRef: 'a',
  amount: 1000,
  currency: 'USD',
  card: { number: '4242424242424242', expMonth: 12, expYear: 2090 },
}

describe('The simulator over HTTP', () => {
  let simulator: RunningSimulator
  before(async () => {
    simulator = await startSimulator({ seed: 'TEST' })
  })
  after(() => simulator.close())

  async function post(path: string, body: unknown, headers: Record<string, string> = { authorization: 'Bearer shop' }) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(simulator.url + path, {
      method: 'POST',
      headers: { ...headers, 'x-simulator-secret': simulator.secret },
      body: text,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('a sale gets a JSON response, and unknown fields are ignored', async () => {
    const { status, body } = await post('/v1/sale', { ...SALE, colour: 'green' })
    equal(status, 200)
    deepEqual(body, {
      outcome: 'approved',
      code: 'AA',
      issuerCode: '00',
      message: 'APPROVAL',
      gatewayRef: 'SIMTEST-1',
      issuerReference: 'A00001',
      networkTransactionId: 'NTI-SIMTEST-1',
      requestedAmount: 1000,
      approvedAmount: 1000,
      avs: 'Y',
      funding: 'credit',
      issuerCountry: 'US',
    })
  })

  const refused: [name: string, body: unknown, message: RegExp][] = [
    ['null', null, /^body /],
    ['a list', [], /^body /],
    ['no card', { ...SALE, card: undefined }, /^body .*card/],
    ['a card number with letters', { ...SALE, card: { ...SALE.card, number: '42424242x4242' } }, /^\/card\/number /],
    ['an amount of zero', { ...SALE, amount: 0 }, /^\/amount /],
    ['an amount with a fraction', { ...SALE, amount: 10.5 }, /^\/amount /],
    ['a reference that is too long', { ...SALE, merchantRef: 'x'.repeat(26) }, /^\/merchantRef /],
    ['another currency', { ...SALE, currency: 'EUR' }, /^\/currency /],
  ]
  for (const [name, body, message] of refused) {
    test(`${name} is refused with the name of the field, without its value`, async () => {
      const response = await post('/v1/sale', body)
      deepEqual([response.status, response.body.outcome, response.body.reason], [200, 'refused', 'invalid_request'])
      match(String(response.body.message), message)
      equal(/\d{6}/.test(String(response.body.message)), false)
    })
  }

  test('a request without a terminal is a configuration error', async () => {
    equal((await post('/v1/sale', SALE, {})).body.reason, 'configuration')
  })

  test('malformed requests are refused, and the simulator keeps running', async () => {
    equal((await post('/v1/sale', '{"merchantRef":')).status, 400)
    equal((await post('/v1/sale', `"${'x'.repeat(1_100_000)}"`)).status, 400)
    equal((await post('/v1/nothing', {})).status, 404)
    equal((await post('//', {})).status, 404)
    equal((await post('/_sim/script', { down: 3 })).status, 400)
    for (const bytes of [
      '\u0000\u0001\u0002',
      'GET',
      `POST /v1/sale HTTP/1.1\r\nhost: localhost\r\nx-simulator-secret: ${simulator.secret}\r\ncontent-length: 50\r\n\r\n{`,
    ]) {
      const socket = connect(simulator.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.end(bytes).resume()
      await once(socket, 'close')
    }
    const health = (await (await fetch(`${simulator.url}/_sim/health`)).json()) as { ok: boolean }
    equal(health.ok, true)
  })

  test('the ledger is filtered by reference and by terminal', async () => {
    const control = simulatorControl(simulator)
    await post('/v1/sale', { ...SALE, merchantRef: 'filter-1' }, { authorization: 'Bearer filter' })
    await post('/v1/sale', { ...SALE, merchantRef: 'filter-2' }, { authorization: 'Bearer filter' })
    const refs = async (filter: object) => (await control.rows(filter)).map((row) => row.merchantRef)
    deepEqual(await refs({ terminal: 'filter' }), ['filter-1', 'filter-2'])
    deepEqual(await refs({ merchantRef: 'filter-2' }), ['filter-2'])
    deepEqual(await refs({ merchantRef: 'filter-2', terminal: 'shop' }), [])
    deepEqual(await control.rows(), simulator.rows())
  })

  test('the ledger records whether the response was delivered', async () => {
    const control = simulatorControl(simulator)
    const terminal = { authorization: 'Bearer delivery' }
    for (const [number, delivered] of [
      ['4242424242424242', 'yes'],
      ['4000990000001705', 'partly'],
      ['4000990000001606', 'no'],
      ['4000990000001903', 'no'],
    ] as const) {
      const merchantRef = `to-${number}`
      await post('/v1/sale', { ...SALE, merchantRef, card: { ...SALE.card, number } }, terminal).catch(() => {})
      deepEqual(
        (await control.rows({ merchantRef })).map((row) => row.delivered),
        [delivered],
      )
    }
  })

  test('the control client throws when the simulator refuses a script', async () => {
    await rejects(simulatorControl(simulator).script({ advanceClockMs: -1 }), /advanceClockMs/)
  })
})
