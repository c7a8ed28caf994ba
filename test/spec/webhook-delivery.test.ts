import { deepEqual, doesNotThrow, equal, match, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { transaction } from '../../server/db/transaction.ts'
import { redeliver } from '../../server/events/webhooks/webhook-delivery-queries.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

test('a payment is delivered as a webhook that the public packages verify (EVT-7, EVT-8)', async () => {
  await using receiver = await openReceiver()
  await using service = await openService({ timeScale: 1 })
  const { app, demo } = service
  await app.startWorker()
  const { secret } = await makeEndpoint(app.services, { businessId: demo.business_id, url: receiver.url })

  await payerOf(service).pay(await merchantOf(service).sessionToken())

  const completed = await until('the payment was delivered', () =>
    receiver.received.find(({ body }) => body.includes('checkout.session.completed')),
  )
  const headers = completed.headers as Record<string, string>
  const event = JSON.parse(completed.body)
  deepEqual(new Webhook(secret).verify(completed.body, headers), event)
  doesNotThrow(() => new SvixWebhook(secret).verify(completed.body, headers))
  throws(() => new SvixWebhook(secret).verify(`${completed.body} `, headers))
  equal(event.id, headers['webhook-id'])
  equal(event.object, 'event')
  equal(event.business_id, demo.business_id)
  equal(event.livemode, false)
  match(headers['content-type'] ?? '', /^application\/json$/)
  match(headers['user-agent'] ?? '', /^Rialto-Webhooks$/)
  const figures = await (await fetch(`${service.operationsUrl}/metrics`)).text()
  match(figures, /^rialto_webhook_deliveries_total\{outcome="succeeded"\} [1-9]/m)
  match(figures, /^rialto_webhook_oldest_due_seconds 0$/m)
})

test('of an event that is delivered again and again the newest 20 attempts are kept, short (EVT-111, EVT-112)', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(410).end('x'.repeat(100_000)))
  await using service = await openService({ timeScale: 1 })
  const { app, demo } = service
  const { db, clock } = app.services
  await app.startWorker()
  const { id: endpointId } = await makeEndpoint(app.services, { businessId: demo.business_id, url: receiver.url })
  await payerOf(service).pay(await merchantOf(service).sessionToken())
  const attempts = () => db.selectFrom('webhook_attempt').selectAll().orderBy('number').execute()
  await until('it was delivered', async () => (await attempts()).length > 0)
  const [{ event_id: eventId = '' } = {}] = await attempts()
  const enabled = () =>
    db.updateTable('webhook_endpoint').set({ status: 'enabled', disabled_reason: null }).where('id', '=', endpointId)
  const own = async () => (await attempts()).filter(({ event_id }) => event_id === eventId)
  for (let number = 2; number <= 23; number++) {
    await enabled().execute()
    const again = { businessId: demo.business_id, eventId, endpointIds: [endpointId], at: clock.now() }
    await transaction(db, (tx) => redeliver(tx, again))
    await until(`attempt ${number} was made`, async () => (await own()).at(-1)?.number === number)
  }
  const kept = await own()
  deepEqual([kept.length, kept[0]?.number, kept.at(-1)?.number], [20, 4, 23])
  for (const { response_body: body } of kept) equal(body?.length, 1_025)
})
