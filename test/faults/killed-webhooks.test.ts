import { deepEqual, doesNotThrow, equal, ok } from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import { bundleProgram } from '../support/bundle-program.ts'
import { bound } from '../support/deep.ts'
import { until } from '../support/until.ts'
import { openReceiver, type ReceivedWebhook } from '../support/webhook-receiver.ts'
import { openWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts'

// EVT-8, EVT-13, EVT-14: no webhook is lost if a worker is killed.

const PROGRAM = fileURLToPath(new URL('../support/webhook-worker-program.ts', import.meta.url))
/** Scale at which attempts end after half a second, and leases after one and a half. */
const TIME_SCALE = 0.05
/** Scale at which attempts end after two seconds, for tests in which a busy machine must not make a second attempt. */
const PATIENT_TIME_SCALE = 0.2
/** Number of kills; the documented figure is that of the deep run. */
const KILLS = bound({ quick: 8, deep: 100 })
/** Number of processes that run concurrently, each until it is killed. */
const SIDE_BY_SIDE = 4
/** Time after its first claim within which a process is killed. A receiver takes up to 30 ms. */
const KILLED_WITHIN_MS = 60
/** Time after which a worker that finds nothing is killed too. */
const IDLE_MS = 2_000
const OBJECTS = 10

let program: Awaited<ReturnType<typeof bundleProgram>>
before(async () => {
  program = await bundleProgram(PROGRAM)
})
after(() => program[Symbol.asyncDispose]())

interface WorkerOptions {
  fault?: FaultPlace
  timeScale?: number
}

async function startWorker(
  { databaseUrl }: WebhookWorld,
  { fault, timeScale = TIME_SCALE }: WorkerOptions = {},
): Promise<ChildProcess> {
  const child = fork(program.path, [databaseUrl, String(timeScale), fault ?? ''])
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const waiting = async ({ query }: WebhookWorld) =>
  (await query('select from webhook_delivery where due_at is not null')).length

/** Counts claims of a delivery without a result: a worker was killed during the delivery. */
async function countInterrupted({ query }: WebhookWorld): Promise<number> {
  const [row] = await query('select sum(lease_epoch - attempts)::int as count from webhook_delivery where not ordered')
  return row.count
}

describe('A worker of webhooks that is killed', () => {
  for (const [fault, posted] of [
    ['after:delivery_claim', 0],
    ['after:delivery_post', 1],
  ] as const) {
    test(`at ${fault}: the next one delivers, with the same id`, async () => {
      await using receiver = await openReceiver()
      await using world = await openWebhookWorld()
      const { secret } = await world.endpoint(receiver.url)
      const [eventId] = await world.record(1)
      const killed = await startWorker(world, { fault, timeScale: PATIENT_TIME_SCALE })
      if (killed.signalCode === null) await once(killed, 'exit')
      equal(killed.signalCode, 'SIGKILL')
      equal(receiver.received.length, posted)
      const next = await startWorker(world, { timeScale: PATIENT_TIME_SCALE })
      await receiver.count(posted + 1)
      await until('it is recorded', async () => (await waiting(world)) === 0)
      await kill(next)
      for (const { headers, body } of receiver.received) {
        equal(headers['webhook-id'], eventId)
        doesNotThrow(() => new Webhook(secret).verify(body, headers as Record<string, string>))
      }
      const rows = await world.query(
        'select status, d.attempts, number from webhook_delivery d join webhook_attempt using (event_id)',
      )
      deepEqual(rows, [{ status: 'succeeded', attempts: 1, number: 1 }])
    })
  }

  test(`at ${KILLS} random moments: nothing is lost, every signature is valid, order is kept`, async (t) => {
    const respond = (response: ServerResponse) =>
      void setTimeout(() => response.writeHead(Math.random() < 0.1 ? 500 : 200).end(), Math.random() * 30)
    await using receiver = await openReceiver(respond)
    await using inOrder = await openReceiver(respond)
    await using world = await openWebhookWorld()
    const plain = await world.endpoint(receiver.url)
    const ordered = await world.endpoint(inOrder.url, { ordered: true })
    const objects = Array.from({ length: OBJECTS }, () => newId())
    const recorded: string[] = []
    let kills = 0
    const recording = (async () => {
      for (let next = 0; kills < KILLS; next++) {
        recorded.push(...(await world.record(1, { objectId: objects[next % OBJECTS] ?? '' })))
        await sleep(10)
      }
    })()
    const killing = Array.from({ length: SIDE_BY_SIDE }, async () => {
      while (kills < KILLS) {
        const child = await startWorker(world)
        await Promise.race([once(child, 'message'), sleep(IDLE_MS, null, { ref: false })])
        await sleep(Math.random() * KILLED_WITHIN_MS)
        await kill(child)
        kills++
      }
    })
    await Promise.all([recording, ...killing])
    const last = await startWorker(world)
    await until('everything is delivered', async () => (await waiting(world)) === 0)
    await kill(last)
    deepEqual(await world.query('select distinct status from webhook_delivery'), [{ status: 'succeeded' }])
    check(receiver.received, recorded, plain.secret)
    check(inOrder.received, recorded, ordered.secret)
    const interrupted = await countInterrupted(world)
    t.diagnostic(
      `${kills} kills interrupted ${interrupted} deliveries of ${recorded.length} events to one of two endpoints; ` +
        `${receiver.received.length} webhooks came there; none lost, every signature valid`,
    )
    ok(interrupted > 0)
    for (const objectId of objects) {
      const sequences = inOrder.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.object.id === objectId)
        .map(({ sequence }) => sequence)
      deepEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
      )
    }
  })
})

/** Asserts that each event was received, with one body, and that every signature is valid. */
function check(received: readonly ReceivedWebhook[], recorded: readonly string[], secret: string): void {
  const bodies = new Map<string, string>()
  const verifiers = [new Webhook(secret), new Svix(secret)]
  for (const { headers, body } of received) {
    const id = headers['webhook-id'] as string
    for (const verifier of verifiers) doesNotThrow(() => verifier.verify(body, headers as Record<string, string>))
    equal(bodies.get(id) ?? body, body)
    bodies.set(id, body)
  }
  deepEqual([...bodies.keys()].sort(), recorded.toSorted())
  ok(received.length >= recorded.length)
}
