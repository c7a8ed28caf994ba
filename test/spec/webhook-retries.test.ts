import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../support/until.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { openWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts'

// EVT-8, EVT-9, EVT-14, on a clock that is moved over days.

/** Advances in seconds, each longer than its step of the schedule including jitter. */
const STEPS = [6, 361, 2_161, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600 * 1.2 + 1)]

async function attemptsOf({ query }: WebhookWorld) {
  return query(
    'select number, response_status as status, response_body as body, error from webhook_attempt order by number',
  )
}

/** Waits until that many attempts are recorded. */
const recorded = (world: WebhookWorld, count: number) =>
  until(`${count} attempts are recorded`, async () => (await attemptsOf(world)).length === count)

const deliveryOf = async ({ query }: WebhookWorld) =>
  (
    await query('select status, attempts, retries, due_at, finished_at is not null as finished from webhook_delivery')
  )[0]

test('a failed delivery is retried by the schedule with the same id and bytes, and fails after the last', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(500).end('no'))
  await using world = await openWebhookWorld()
  // Only this delivery fails; another success keeps the endpoint enabled.
  const { id } = await world.endpoint(receiver.url)
  world.start()
  const [eventId] = await world.record(1)
  for (const [index, seconds] of STEPS.entries()) {
    await recorded(world, index + 1)
    await world.query('update webhook_endpoint set failing_since = null where id = $1', [id])
    const { due_at: dueAt } = await deliveryOf(world)
    const delay = (dueAt.getTime() - world.clock.now().getTime()) / 1_000
    ok(delay <= seconds && delay > (seconds / 1.2) * 0.8 - 5, `step ${index}: ${delay} s`)
    world.clock.advance(seconds)
  }
  await recorded(world, STEPS.length + 1)
  deepEqual(await deliveryOf(world), { status: 'failed', attempts: 10, retries: 9, due_at: null, finished: true })
  deepEqual(
    (await attemptsOf(world)).map(({ number, status, body, error }) => ({ number, status, body, error })),
    Array.from({ length: 10 }, (_, index) => ({ number: index + 1, status: 500, body: 'no', error: null })),
  )
  equal(receiver.received.length, 10)
  deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([eventId]))
  equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  equal(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size, 10)
})

test('a success ends it', async () => {
  await using receiver = await openReceiver((response, _, count) => response.writeHead(count < 3 ? 503 : 204).end())
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  world.start()
  await world.record(1)
  for (const [index, seconds] of STEPS.slice(0, 2).entries()) {
    await recorded(world, index + 1)
    const [{ failing_since: failingSince }] = await until('failing_since is recorded', async () => {
      const rows = await world.query('select failing_since from webhook_endpoint')
      return rows[0].failing_since && rows
    })
    ok(failingSince <= world.clock.now())
    world.clock.advance(seconds)
  }
  await recorded(world, 3)
  equal((await deliveryOf(world)).status, 'succeeded')
  await until(
    'failing_since is gone',
    async () => (await world.query('select failing_since from webhook_endpoint'))[0].failing_since === null,
  )
})

test('410 disables the endpoint at once, cancels what waits, and notifies the merchant once', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(410).end())
  await using world = await openWebhookWorld()
  const { id } = await world.endpoint(receiver.url)
  await world.record(30)
  world.start()
  await until(
    'the endpoint is disabled',
    async () => (await world.query('select status from webhook_endpoint'))[0].status === 'disabled',
  )
  await until(
    'nothing waits',
    async () => (await world.query('select from webhook_delivery where due_at is not null')).length === 0,
  )
  deepEqual(await world.query('select disabled_reason from webhook_endpoint'), [{ disabled_reason: 'gone' }])
  const byStatus = await world.query(
    'select status, count(*)::int from webhook_delivery group by status order by status',
  )
  ok(byStatus.find(({ status }) => status === 'failed').count <= 16)
  ok(byStatus.find(({ status }) => status === 'canceled').count >= 14)
  deepEqual(await world.query('select type, data from notification where event_id is null'), [
    { type: 'webhook_endpoint.disabled', data: { endpoint_id: id, url: receiver.url, reason: 'gone' } },
  ])
  const { length } = receiver.received
  await world.record(1)
  equal(receiver.received.length, length, 'nothing is sent to a disabled endpoint')
})

test('three days of failures without a success disable the endpoint', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(500).end())
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  world.start()
  await world.record(1)
  await recorded(world, 1)
  for (const [index, seconds] of STEPS.slice(0, -1).entries()) {
    await recorded(world, index + 1)
    equal((await world.query('select status from webhook_endpoint'))[0].status, 'enabled')
    world.clock.advance(seconds)
  }
  await recorded(world, STEPS.length)
  world.clock.advance(72 * 3_600)
  await recorded(world, STEPS.length + 1)
  await until('the endpoint is disabled', async () => {
    const [row] = await world.query('select status, disabled_reason from webhook_endpoint')
    return row.status === 'disabled' && row.disabled_reason === 'failing'
  })
  equal((await world.query("select from notification where type = 'webhook_endpoint.disabled'")).length, 1)
})

test('an event that was recorded while its endpoint was being disabled is canceled', async () => {
  await using receiver = await openReceiver()
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  await world.record(3)
  await world.query("update webhook_endpoint set status = 'disabled', disabled_reason = 'manual'")
  world.start()
  await until(
    'all are canceled',
    async () => (await world.query("select from webhook_delivery where status = 'canceled'")).length === 3,
  )
  equal(receiver.received.length, 0)
})

test('the result of an attempt whose lease has ended does not count: another one has followed', async () => {
  let release = () => {}
  await using receiver = await openReceiver((response, _, count) => {
    if (count === 1) release = () => response.end('late')
    else response.writeHead(count === 2 ? 500 : 200).end()
  })
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  world.start()
  world.start()
  const [late] = await world.record(1)
  await receiver.count(1)
  world.clock.advance(31)
  await receiver.count(2)
  await recorded(world, 1)
  release()
  await world.record(1)
  await recorded(world, 2)
  equal((await world.query("select from webhook_attempt where response_body = 'late'")).length, 0)
  const text = 'select status, attempts from webhook_delivery where event_id = $1'
  deepEqual(await world.query(text, [late]), [{ status: 'pending', attempts: 1 }])
})

test('the log holds no body, no secret and no signature', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(500).end('the words of the receiver'))
  await using world = await openWebhookWorld()
  const { secret } = await world.endpoint(receiver.url)
  world.start()
  await world.record(2)
  await recorded(world, 2)
  const signature = receiver.received[0]?.headers['webhook-signature'] as string
  for (const text of ['Zoë', 'the words of the receiver', secret, secret.slice(6), signature])
    ok(!world.logged().includes(text), text)
})
