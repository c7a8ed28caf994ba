import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { simulatorGateway } from '../gateway/adapters/simulator/simulator-gateway.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { newSecret, type SimulatorAccess } from '../gateway/simulator/access.ts'
import { simulatorControl } from '../gateway/simulator/control.ts'
import type { Cents } from '../lib/money.ts'

const PROGRAM = new URL('./simulator-program.ts', import.meta.url)
const NUMBER = '4242424242424242'

describe('The simulators as a program', () => {
  let folder: string
  const children = new Set<ChildProcess>()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-simulator-'))
  })
  after(async () => {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })

  async function start(
    ...args: string[]
  ): Promise<{ child: ChildProcess; access: SimulatorAccess; exited: Promise<unknown[]> }> {
    const child = fork(PROGRAM, args)
    children.add(child)
    const secret = newSecret()
    child.send({ secret })
    const exited = once(child, 'exit')
    const [message] = (await once(child, 'message')) as [{ type: string; port: number }]
    equal(message.type, 'listening')
    return { child, access: { url: `http://127.0.0.1:${message.port}`, secret }, exited }
  }

  function startPlain(...args: string[]): { child: ChildProcess; output: () => Promise<string> } {
    const child = spawn(process.execPath, [PROGRAM.pathname, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    const output = async () => String((await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]))[0])
    return { child, output }
  }

  test('after a kill under load and a restart, the ledger has every acknowledged sale', async () => {
    const file = join(folder, 'killed.jsonl')
    const first = await start('--ledger', file)
    const gateway = simulatorGateway(first.access)
    const acknowledged: string[] = []
    const sellers = Array.from({ length: 16 }, (_, seller) => sellUntilItDies(gateway, `kill-${seller}`, acknowledged))
    while (acknowledged.length < 300) await new Promise((resolve) => setTimeout(resolve, 5))
    first.child.kill('SIGKILL')
    await Promise.all(sellers)
    await gateway.close()
    await appendFile(file, '{"seq":999999,"op":"sale","merchantR')

    const second = await start('--ledger', file)
    const rows = await simulatorControl(second.access).rows({ terminal: 'shop' })
    const kept = new Set(rows.map((row) => row.merchantRef))
    deepEqual(
      acknowledged.filter((merchantRef) => !kept.has(merchantRef)),
      [],
    )
    deepEqual(
      rows.map((row) => row.seq),
      rows.map((_, index) => index + 1),
    )
    second.child.disconnect()
    await second.exited
  })

  test('a restart keeps references, voids, batches and the clock', async () => {
    const file = join(folder, 'again.jsonl')
    const first = await start('--ledger', file)
    const before = simulatorGateway(first.access)
    const simulator = simulatorControl(first.access)
    await simulator.script({ advanceClockMs: 3_600_000 })
    const inClosedBatch = await sell(before, 'again-1')
    await simulator.settle('shop', 'USD')
    const open = await sell(before, 'again-2')
    ok(inClosedBatch.outcome === 'approved' && open.outcome === 'approved')
    await before.close()
    first.child.kill('SIGTERM')
    deepEqual(await first.exited, [0, null])

    const second = await start('--ledger', file)
    const gateway = simulatorGateway(second.access)
    equal((await sell(gateway, 'again-2')).outcome, 'unknown', 'a duplicate')
    equal((await voidOf(gateway, 'again-3', inClosedBatch.gatewayRef)).outcome, 'refused')
    equal((await voidOf(gateway, 'again-4', open.gatewayRef)).outcome, 'approved')
    const rows = await simulatorControl(second.access).rows()
    deepEqual(
      rows.map((row) => row.decidedAt),
      rows.map((row) => row.decidedAt).sort((a, b) => a - b),
    )
    deepEqual(
      rows.slice(0, 3).map(({ state, delivered }) => [state, delivered]),
      [
        ['settled', 'yes'],
        ['settled', 'yes'],
        ['voided', 'yes'],
      ],
    )
    await gateway.close()
    second.child.disconnect()
    deepEqual(await second.exited, [0, null])
  })

  test('the ledger never contains a card number or a CVV', async () => {
    const file = join(folder, 'secret.jsonl')
    const { child, access, exited } = await start('--ledger', file)
    const gateway = simulatorGateway(access)
    await sell(gateway, 'secret-1')
    await gateway.close()
    child.disconnect()
    await exited
    const text = await readFile(file, 'utf8')
    equal(text.includes(NUMBER), false)
    equal(/"cvv"|7391/.test(text), false)
    match(text, /"card":\{"first6":"424242","last4":"4242","hash":"[\w-]{43}"\},"cvvPresent":true/)
  })

  test('it exits when the parent process disconnects', async () => {
    const { child, exited } = await start()
    child.disconnect()
    deepEqual(await exited, [0, null])
  })

  test('started by hand, it prints its address and exits on SIGINT', async () => {
    const { child, output } = startPlain('--secret-file', join(folder, 'plain.secret'))
    match(await output(), /^Gateway simulator at http:\/\/127\.0\.0\.1:\d+\n$/)
    child.kill('SIGINT')
    deepEqual(await once(child, 'exit'), [0, null])
  })

  test('started by hand, it stores its secret in a file with mode 0600, and does not start without one', async () => {
    const file = join(folder, 'by-hand.secret')
    const { child, output } = startPlain('--secret-file', file)
    const [, url = ''] = /at (\S+)/.exec(await output()) ?? []
    const secret = (await readFile(file, 'utf8')).trim()
    equal((await stat(file)).mode & 0o777, 0o600)
    equal((await simulatorControl({ url, secret }).rows()).length, 0)
    child.kill('SIGTERM')

    const without = startPlain()
    const exited = once(without.child, 'exit')
    match(await without.output(), /--secret-file/)
    deepEqual(await exited, [1, null])
  })

  test('it does not start in production', async () => {
    const { child, output } = startPlain('--secret-file', join(folder, 'plain.secret'), '--environment', 'production')
    const exited = once(child, 'exit')
    match(await output(), /does not run in production/)
    deepEqual(await exited, [1, null])
  })

  test('the simulated 3-D Secure server is on the same port, with the same secret', async () => {
    const { child, access, exited } = await start('--public-url', 'https://bank.example')
    const response = await fetch(`${access.url}/3ds/preauth`, {
      method: 'POST',
      headers: { apikey: access.secret },
      body: JSON.stringify({ acctNumber: '4000002020000004' }),
    })
    const { threeDSMethodURL } = (await response.json()) as { threeDSMethodURL: string }
    equal(threeDSMethodURL, 'https://bank.example/sim/acs/method')
    child.disconnect()
    await exited
  })

  test('when the port is in use, it names the port and exits with 1', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { child, output } = startPlain('--secret-file', join(folder, 'plain.secret'), '--port', String(port))
    const exited = once(child, 'exit')
    match(await output(), new RegExp(`^Port ${port} is in use`))
    deepEqual(await exited, [1, null])
    await new Promise((resolve) => other.close(resolve))
  })
})

async function sellUntilItDies(gateway: Gateway, prefix: string, acknowledged: string[]): Promise<void> {
  for (let n = 0; ; n++) {
    const merchantRef = `${prefix}-${n}`
    const { outcome } = await sell(gateway, merchantRef)
    if (outcome !== 'approved') return
    acknowledged.push(merchantRef)
  }
}

function sell(gateway: Gateway, merchantRef: string) {
  return gateway.sale({
    ...transaction(merchantRef),
    amount: 1000 as Cents,
    currency: 'USD',
    source: { kind: 'pan', number: NUMBER, expMonth: 12, expYear: 2090 },
    cvv: '7391',
  })
}

function voidOf(gateway: Gateway, merchantRef: string, gatewayRef: string) {
  return gateway.void({ ...transaction(merchantRef), gatewayRef, originalMerchantRef: 'again' })
}

function transaction(merchantRef: string) {
  return { terminal: { id: 'shop', currency: 'USD' }, merchantRef, signal: AbortSignal.timeout(10_000) } as const
}
