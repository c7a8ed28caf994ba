import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

let service: TestService
let developer: DashboardClient
let receiver: WebhookReceiver
before(async () => {
  receiver = await openReceiver()
  service = await openService({ timeScale: 1 })
  callInProcess(service)
  await service.app.startWorker()
  developer = await signIn(service, { role: 'developer', isSteppedUp: true })
})
after(async () => {
  await service.close()
  await receiver.close()
})

const make = async (more: object = {}) => {
  const body = { url: receiver.url, enabled_events: ['product.created'], ...more }
  const made = await developer.call('POST /webhook_endpoints', { body })
  equal(made.status, 201, JSON.stringify(made.body))
  return made.body
}
const actions = async () => {
  const rows = await service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number').execute()
  return rows.map(({ action }) => action)
}

describe('Webhook endpoints in the dashboard (EVT-12, EVT-20)', () => {
  test('an endpoint is made with step-up, and its secret is shown once', async () => {
    const key = newId()
    const body = { url: receiver.url, enabled_events: ['price.created'] }
    const calm = await signIn(service, { role: 'developer' })
    equal((await calm.call('POST /webhook_endpoints', { body })).body.error.code, 'step_up_required')
    const made = await developer.call('POST /webhook_endpoints', { body, key })
    match(made.body.secret, /^whsec_/)
    const again = await developer.call('POST /webhook_endpoints', { body, key })
    deepEqual([again.status, again.body.id, again.body.secret], [201, made.body.id, null])
    const list = await developer.call('GET /webhook_endpoints')
    const { db } = service.app.services
    const written = [
      await db.selectFrom('audit_entry').selectAll().execute(),
      await db.selectFrom('dashboard_request').selectAll().execute(),
      list.body,
      service.logged(),
    ]
    equal(JSON.stringify(written).includes(made.body.secret), false)
    equal((await actions()).at(-1), 'webhook_endpoint.create')
    const wrong = { ...body, url: 'ftp://shop.example' }
    const refused = await developer.call('POST /webhook_endpoints', { body: wrong })
    deepEqual([refused.status, refused.body.error.param], [422, 'url'])
    await developer.call(`DELETE /webhook_endpoints/${made.body.id}`)
  })

  test('it is edited by the version that was seen, disabled, enabled and deleted', async () => {
    const endpoint = await make()
    const path = `PATCH /webhook_endpoints/${endpoint.id}`
    const disabled = await developer.call(path, { body: { version: endpoint.version, status: 'disabled' } })
    deepEqual([disabled.status, disabled.body.status, disabled.body.disabled_reason], [200, 'disabled', 'manual'])
    const stale = await developer.call(path, { body: { version: endpoint.version, description: 'Orders' } })
    deepEqual([stale.status, stale.body.error.current.status], [409, 'disabled'])
    equal((await developer.call(`POST /webhook_endpoints/${endpoint.id}/test`)).status, 409)
    const enabled = await developer.call(path, { body: { version: disabled.body.version, status: 'enabled' } })
    equal(enabled.body.status, 'enabled')
    equal((await developer.call(`DELETE /webhook_endpoints/${endpoint.id}`)).body.deleted, true)
    equal((await developer.call(`GET /webhook_endpoints/${endpoint.id}`)).status, 404)
    deepEqual((await actions()).slice(-4), [
      'webhook_endpoint.update',
      'webhook_endpoint.update',
      'webhook_endpoint.delete',
      'webhooks.read',
    ])
  })

  test('a rotation shows the new secret once, and until when both sign', async () => {
    const endpoint = await make()
    const rotated = await developer.call(`POST /webhook_endpoints/${endpoint.id}/rotate_secret`)
    match(rotated.body.secret, /^whsec_/)
    ok(rotated.body.secret !== endpoint.secret)
    const { view, secret } = (await developer.call(`GET /webhook_endpoints/${endpoint.id}`)).body
    equal(secret, undefined)
    ok(view.both_secrets_until > Date.now() / 1000 + 86_000)
    await developer.call(`DELETE /webhook_endpoints/${endpoint.id}`)
  })

  test('one of another business is 404, and analysts only read', async () => {
    const endpoint = await make()
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
    for (const name of [
      `GET /webhook_endpoints/${endpoint.id}`,
      `GET /webhook_endpoints/${endpoint.id}/deliveries`,
      `DELETE /webhook_endpoints/${endpoint.id}`,
      `POST /webhook_endpoints/${endpoint.id}/rotate_secret`,
      `POST /webhook_endpoints/${endpoint.id}/test`,
    ]) {
      equal((await stranger.call(name)).status, 404, name)
    }
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call(`GET /webhook_endpoints/${endpoint.id}`)).status, 200)
    equal((await analyst.call(`DELETE /webhook_endpoints/${endpoint.id}`)).status, 403)
    await developer.call(`DELETE /webhook_endpoints/${endpoint.id}`)
  })
})

describe('Deliveries and events in the dashboard (EVT-21, EVT-24)', () => {
  test('what failed is seen with its response, counted, redelivered to one or since a time', async () => {
    receiver.respond = (response) => {
      response.statusCode = 410
      response.setHeader('set-cookie', 'admin=1')
      response.setHeader('x-shop', 'one')
      response.end('Gone for <b>good</b>')
    }
    const endpoint = await make()
    const product = await developer.call('POST /products', { body: { name: 'Tea' } })
    equal(product.status, 201)
    const deliveries = async (query = {}) =>
      (await developer.call(`GET /webhook_endpoints/${endpoint.id}/deliveries`, { query })).body
    const {
      data: [row],
    } = await until('the delivery failed', async () => {
      const found = await deliveries()
      return found.data[0]?.attempt_count > 0 && found
    })
    deepEqual([row.type, row.response_status], ['product.created', 410])
    const disabled = (await developer.call(`GET /webhook_endpoints/${endpoint.id}`)).body
    deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'gone'])
    deepEqual([disabled.view.attempts, disabled.view.successes, disabled.view.last_response_status], [1, 0, 410])
    const events = await developer.call('GET /events', { query: { type: 'product.created', object: product.body.id } })
    deepEqual([events.body.total, events.body.data[0].id], [1, row.event])
    const ofEvent = await developer.call(`GET /events/${row.event}/deliveries`)
    const shown = ofEvent.body.data.find((one: { webhook_endpoint: string }) => one.webhook_endpoint === endpoint.id)
    deepEqual([shown.attempts[0].response_body, shown.view.url], ['Gone for <b>good</b>', receiver.url])
    const { 'set-cookie': cookie, 'x-shop': shop } = shown.attempts[0].response_headers
    deepEqual([cookie, shop], ['[hidden]', 'one'])
    ok(shown.attempts[0].request_headers['webhook-id'])

    receiver.respond = (response) => response.end('ok')
    const path = `PATCH /webhook_endpoints/${endpoint.id}`
    equal((await developer.call(path, { body: { version: disabled.version, status: 'enabled' } })).status, 200)
    const since = Math.floor(Date.now() / 1000) - 3_600
    const preview = await developer.call(`POST /webhook_endpoints/${endpoint.id}/redeliver/preview`, {
      body: { since },
    })
    const redelivered = await developer.call(`POST /webhook_endpoints/${endpoint.id}/redeliver`, { body: { since } })
    equal(preview.body.deliveries, redelivered.body.deliveries)
    ok(redelivered.body.deliveries >= 1)
    await until('it was delivered', async () => (await deliveries({ status: 'succeeded' })).data.length >= 1)
    deepEqual((await deliveries({ status: 'failed' })).data, [])
    deepEqual((await deliveries({ type: 'price.created' })).data, [])
    deepEqual((await deliveries({ to: '2020-01-01' })).data, [])
    deepEqual((await deliveries({ starting_after: row.event, type: 'product.created' })).data.length >= 0, true)
    const one = await developer.call(`POST /events/${row.event}/redeliver`, { body: { webhook_endpoint: endpoint.id } })
    deepEqual([one.status, one.body.deliveries], [200, 1])
    equal((await actions()).at(-1), 'event.redeliver')
  })

  test('a ping is sent, and pages of events follow each other', async () => {
    const endpoint = await make({ enabled_events: ['customer.created'] })
    const ping = await developer.call(`POST /webhook_endpoints/${endpoint.id}/test`)
    deepEqual([ping.status, ping.body.type], [200, 'ping'])
    const first = await developer.call('GET /events', { query: { limit: 1 } })
    deepEqual([first.body.data[0].id, first.body.has_more], [ping.body.id, true])
    const next = await developer.call('GET /events', { query: { limit: 1, starting_after: ping.body.id } })
    ok(next.body.data[0].id < ping.body.id)
    const one = await developer.call(`GET /events/${ping.body.id}`)
    equal(Object.keys(one.body.view.deliveries).length, 4)
    equal((await developer.call(`GET /events/${newId()}`)).status, 404)
    equal((await developer.call('GET /events', { query: { from: '2100-01-01' } })).body.total, 0)
  })
})
