// Webhooks: deliveries per second, delay after the commit, effect of a slow endpoint on the others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newId } from '../server/lib/ids.ts'
import type { Target } from './processes.ts'
import { median, table } from './report.ts'
import { insertBacklog, insertEndpoint, withDatabase } from './webhook-rows.ts'

const WORKER = fileURLToPath(new URL('./webhook-worker-program.ts', import.meta.url))
const SLOW_MS = 10_000
/** Time between two changes. */
const PAUSE_MS = 25

interface Receiver extends AsyncDisposable {
  url: string
  received(path: string, body: string): void
  respond(path: string, response: ServerResponse): void
}

/** Opens a receiver in this process, which does nothing else during the measurement. */
async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.received(request.url ?? '', Buffer.concat(chunks).toString())
      receiver.respond(request.url ?? '', response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => {},
    respond: (_, response) => response.end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

const load1 = () => (loadavg()[0] ?? 0).toFixed(1)

/**
 * Measures deliveries.
 *
 * @param makeDatabase creates a migrated database for each round
 */
export async function measureDeliveries(
  makeDatabase: (name: string) => Promise<string>,
  { count, rounds }: { count: number; rounds: number },
): Promise<void> {
  const rows: string[][] = []
  for (const endpoints of [1, 100]) {
    const perSecond: number[] = []
    for (let round = 0; round < rounds; round++)
      perSecond.push(await deliverBacklog(await makeDatabase(`deliveries_${endpoints}_${round}`), endpoints, count))
    rows.push([String(endpoints), median(perSecond).toFixed(0), perSecond.map(Math.round).join(' '), load1()])
  }
  console.log(`\nDeliveries a second with one worker, of a backlog of ${count}: medians of ${rounds} rounds`)
  console.log(table(['endpoints', '/s', 'rounds', 'load'], rows))
}

async function deliverBacklog(url: string, endpointCount: number, count: number): Promise<number> {
  await using receiver = await openReceiver()
  return await withDatabase(url, async (client) => {
    const businesses = Array.from({ length: Math.ceil(endpointCount / 10) }, () => newId())
    const endpoints: { businessId: string; id: string }[] = []
    for (let index = 0; index < endpointCount; index++) {
      const businessId = businesses[Math.floor(index / 10)] ?? ''
      endpoints.push({ businessId, id: await insertEndpoint(client, businessId, `${receiver.url}/${index}`) })
    }
    await insertBacklog(client, endpoints, count)
    let received = 0
    let firstMs = 0
    const { promise: done, resolve } = Promise.withResolvers<void>()
    receiver.received = () => {
      received += 1
      if (received === 1) firstMs = performance.now()
      if (received === count) resolve()
    }
    const worker = spawn(process.execPath, [WORKER, url], { stdio: ['ignore', 'ignore', 'inherit'] })
    await done
    const took = performance.now() - firstMs
    const exited = once(worker, 'exit')
    worker.kill('SIGKILL')
    await exited
    return (count / took) * 1_000
  })
}

/**
 * Creates products one after the other.
 *
 * @returns the delays from each response to its webhook, for paths that are counted
 */
async function delaysOf(target: Target, receiver: Receiver, count: number, isCounted: (path: string) => boolean) {
  const delays: number[] = []
  const created = new Map<string, number>()
  const arrived: { id: string; atMs: number }[] = []
  receiver.received = (path, body) => {
    if (isCounted(path)) arrived.push({ id: JSON.parse(body).data.object.id, atMs: performance.now() })
  }
  for (let made = 0; made < count; made++) {
    const response = await fetch(`${target.url}/api/v1/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Product ${made}` }),
    })
    const atMs = performance.now()
    const { id } = (await response.json()) as { id: string }
    created.set(id, atMs)
    await sleep(PAUSE_MS)
  }
  await sleep(1_000)
  for (const { id, atMs } of arrived) {
    const since = created.get(id)
    if (since !== undefined) delays.push(Math.max(0, atMs - since))
  }
  return { delays: delays.sort((a, b) => a - b), expected: count }
}

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** Measures from the response to a change, which is sent after its commit, to the first attempt. */
export async function measureDelay(target: Target, url: string, { count }: { count: number }): Promise<void> {
  await using receiver = await openReceiver()
  await withDatabase(url, async (client) => {
    await insertEndpoint(client, target.businessId, receiver.url)
    await sleep(2_000)
    const { delays } = await delaysOf(target, receiver, count, () => true)
    console.log(`\nFrom the response to its webhook, ${delays.length} of ${count}, load ${load1()}`)
    console.log(table(['p50 ms', 'p99 ms'], [[at(delays, 0.5).toFixed(1), at(delays, 0.99).toFixed(1)]]))
    await client.query('update webhook_endpoint set deleted_at = $1', [new Date()])
  })
}

/** Measures nine endpoints beside one that responds at once, and beside one that takes ten seconds, alternately. */
export async function measureSlowEndpoint(
  target: Target,
  url: string,
  { count, rounds }: { count: number; rounds: number },
): Promise<void> {
  await using receiver = await openReceiver()
  const results: Record<'quick' | 'slow', { p50: number[]; p99: number[] }> = {
    quick: { p50: [], p99: [] },
    slow: { p50: [], p99: [] },
  }
  await withDatabase(url, async (client) => {
    for (let index = 0; index < 10; index++) await insertEndpoint(client, target.businessId, `${receiver.url}/${index}`)
    await sleep(2_000)
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? (['quick', 'slow'] as const) : (['slow', 'quick'] as const)) {
        receiver.respond = (path, response) =>
          path === '/0' && kind === 'slow' ? void setTimeout(() => response.end(), SLOW_MS) : response.end()
        const { delays } = await delaysOf(target, receiver, count, (path) => path !== '/0')
        if (delays.length !== count * 9) console.log(`${delays.length} of ${count * 9} came in time`)
        results[kind].p50.push(at(delays, 0.5))
        results[kind].p99.push(at(delays, 0.99))
        await client.query(`update webhook_delivery set status = 'canceled', due_at = null where due_at is not null`)
      }
    }
    await client.query('update webhook_endpoint set deleted_at = $1', [new Date()])
  })
  const { quick, slow } = results
  console.log(`\nNine endpoints beside one that takes 10 s: medians of ${rounds} alternating rounds, load ${load1()}`)
  const shown = (name: string, { p50, p99 }: { p50: number[]; p99: number[] }) => [
    name,
    median(p50).toFixed(1),
    median(p99).toFixed(1),
  ]
  const ratio = [
    'ratio',
    (median(slow.p50) / median(quick.p50)).toFixed(2),
    (median(slow.p99) / median(quick.p99)).toFixed(2),
  ]
  console.log(table(['the tenth', 'p50 ms', 'p99 ms'], [shown('quick', quick), shown('slow', slow), ratio]))
}
