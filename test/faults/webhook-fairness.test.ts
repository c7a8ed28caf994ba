import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { openWebhookWorld } from '../support/webhook-world.ts'

// EVT-11.

const EVENTS = 30
/** Timeout of a hanging attempt: far longer than the others take, even on a busy machine. */
const TIMEOUT_MS = 120_000

test('one of ten endpoints that never responds, with a backlog, delays none of the others', async () => {
  let hanging = 0
  let hangingMax = 0
  const responses: (() => void)[] = []
  await using dead = await openReceiver((response) => {
    hangingMax = Math.max(hangingMax, ++hanging)
    responses.push(() => response.end())
    response.once('close', () => hanging--)
  })
  await using receiver = await openReceiver()
  await using world = await openWebhookWorld()
  await world.endpoint(dead.url)
  await world.record(200)
  for (let count = 0; count < 9; count++) await world.endpoint(`${receiver.url}/${count}`)
  const other = await world.business()
  await world.endpoint(`${receiver.url}/other`, { businessId: other })
  world.start({ timings: { ...world.services.timings, timeoutMs: TIMEOUT_MS, leaseMs: 3 * TIMEOUT_MS } })
  const lastHangsAtMs = Math.max(...(await dead.count(8)).map(({ atMs }) => atMs))
  await Promise.all([world.record(EVENTS), world.record(EVENTS, { businessId: other })])
  await receiver.count(EVENTS * 10)
  equal(hanging, 8, 'all of this while eight attempts hang')
  equal(hangingMax, 8, 'at most eight attempts at once')
  const slowAtMs = lastHangsAtMs + world.services.timings.slowMs
  await until('each of the eight has hung for long', () => performance.now() > slowAtMs)
  for (const respond of responses.splice(0)) respond()
  // It was slow: two concurrent attempts from now on.
  await until('two more attempts hang', () => hanging === 2)
  hangingMax = hanging
  await sleep(500)
  equal(hangingMax, 2)
  for (const respond of responses.splice(0)) respond()
  dead.respond = (response) => response.end()
})

test('a commit wakes the worker of its process: the first attempt does not wait for a poll', async () => {
  await using receiver = await openReceiver()
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  world.start({ timings: { ...world.services.timings, pollMs: 60_000 } })
  await world.record(1)
  await receiver.count(1, 20_000)
})

test('what another process left is found by a poll', async () => {
  await using receiver = await openReceiver()
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  await world.record(20)
  world.start()
  await receiver.count(20)
})

test('several workers send each webhook once', async () => {
  await using receiver = await openReceiver()
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  for (let workers = 0; workers < 4; workers++) world.start()
  await world.record(200)
  await until(
    'all are recorded',
    async () => (await world.query("select from webhook_delivery where status = 'succeeded'")).length === 200,
  )
  equal(receiver.received.length, 200)
})
