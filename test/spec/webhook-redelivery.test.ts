import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { merchantApiOf } from '../support/merchant-api.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

test('a ping is delivered; redelivered after a rotation it has the same id and body, and two signatures (EVT-7, EVT-21)', async () => {
  await using receiver = await openReceiver()
  await using service = await openService({ timeScale: 1 })
  await service.app.startWorker()
  const api = merchantApiOf(service)
  const made = await api.made('/webhook_endpoints', { url: receiver.url, enabled_events: ['payment.failed'] })
  const { body: ping } = await api.post(`/webhook_endpoints/${made.id}/test`)
  const deliveryOf = async () => (await api.get(`/events/${ping.id}/deliveries`)).body.data[0]
  await until('the ping was recorded', async () => (await deliveryOf()).status === 'succeeded')
  const { secret } = (await api.post(`/webhook_endpoints/${made.id}/rotate_secret`)).body
  equal((await api.post(`/events/${ping.id}/redeliver`)).body.deliveries, 1)
  const [first, second] = await receiver.count(2)
  deepEqual(JSON.parse(first?.body ?? ''), (await api.get(`/events/${ping.id}`)).body)
  deepEqual([second?.body, second?.headers['webhook-id']], [first?.body, ping.id])
  const verify = (webhook: typeof first, key: string) =>
    new Webhook(key).verify(webhook?.body ?? '', webhook?.headers as Record<string, string>)
  throws(() => verify(first, secret))
  for (const key of [secret, made.secret]) deepEqual(verify(second, key), ping)

  await until('both attempts are shown', async () => (await deliveryOf()).attempt_count === 2)
  const { attempts } = await deliveryOf()
  for (const [shown, came] of [[attempts[0], second] as const, [attempts[1], first] as const]) {
    for (const [name, value] of Object.entries(shown.request_headers)) equal(came?.headers[name], value, name)
    deepEqual([shown.url, shown.response_status, shown.error], [receiver.url, 200, null])
  }
})
