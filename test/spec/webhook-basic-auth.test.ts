import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import type { Response } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { dumpRows } from '../support/whole-database.ts'

// EVT-144: endpoints behind HTTP basic authentication.

const USER = 'canary-üser'
const PASSWORD = 'canary:p@ss/wörd "100%"'
const HEADER = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`

let service: TestService
let api: MerchantApiClient
let owner: DashboardClient
let receiver: WebhookReceiver
before(async () => {
  receiver = await openReceiver()
  service = await openService({ timeScale: 1 })
  callInProcess(service)
  await service.app.startWorker()
  api = merchantApiOf(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.respond = (response) => response.end()
  for (const { id } of (await api.get('/webhook_endpoints?limit=100')).body.data)
    await api.delete(`/webhook_endpoints/${id}`)
})

/** Returns the URL of the receiver with user name and password. */
function secretUrl(user = USER, password = PASSWORD, path = '/webhooks'): string {
  const { protocol, host } = new URL(receiver.url)
  return `${protocol}//${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}${path}`
}

const INPUT = { enabled_events: ['price.created'] }
const make = (input: object = {}) => api.made('/webhook_endpoints', { url: secretUrl(), ...INPUT, ...input })

/** Returns the authorization of the next ping of an endpoint. */
async function authorizationOf(id: string): Promise<string | undefined> {
  const count = receiver.received.length
  equal((await api.post(`/webhook_endpoints/${id}/test`)).status, 200)
  return (await receiver.count(count + 1)).at(-1)?.headers.authorization
}

const auditOf = (id: string) =>
  service.app.services.db
    .selectFrom('audit_entry')
    .select(['action', 'before', 'after'])
    .where('object_id', '=', id)
    .orderBy('number')
    .execute()

/** Each API, and how it creates and changes an endpoint. */
const FAMILIES: Record<
  string,
  { create(body: object): Promise<Response>; change(id: string, body: object): Promise<Response> }
> = {
  'the merchant API': {
    create: (body) => api.post('/webhook_endpoints', body),
    change: (id, body) => api.patch(`/webhook_endpoints/${id}`, body),
  },
  'the dashboard': {
    create: (body) => owner.call('POST /webhook_endpoints', { body }),
    async change(id, body) {
      const { version } = (await owner.call(`GET /webhook_endpoints/${id}`)).body
      return owner.call(`PATCH /webhook_endpoints/${id}`, { body: { version, ...body } })
    },
  },
}

for (const [family, { create, change }] of Object.entries(FAMILIES))
  describe(`User name and password of an endpoint, by ${family}`, () => {
    const made = async (url = secretUrl()): Promise<string> => {
      const { status, body } = await create({ url, ...INPUT })
      deepEqual([status, body.url, body.basic_auth], [201, receiver.url, url !== receiver.url], JSON.stringify(body))
      return body.id
    }

    test('are sent with each delivery, and shown as a mark alone', async () => {
      const id = await made()
      equal(await authorizationOf(id), HEADER)
      equal((await api.get(`/webhook_endpoints/${id}`)).body.basic_auth, true)
    })

    test('are added, replaced, kept with the origin, and removed', async () => {
      const id = await made(receiver.url)
      equal(await authorizationOf(id), undefined)
      equal((await change(id, { url: secretUrl('me', 'key') })).body.basic_auth, true)
      equal(await authorizationOf(id), `Basic ${btoa('me:key')}`)
      equal((await change(id, { url: secretUrl('me', '') })).body.basic_auth, true)
      equal(await authorizationOf(id), `Basic ${btoa('me:')}`)
      const moved = await change(id, { url: `${receiver.url}/elsewhere?x`, description: 'Orders' })
      deepEqual([moved.body.url, moved.body.basic_auth], [`${receiver.url}/elsewhere?x`, true])
      equal(await authorizationOf(id), `Basic ${btoa('me:')}`)
      const removed = await change(id, { basic_auth: false })
      deepEqual([removed.status, removed.body.basic_auth], [200, false])
      equal(await authorizationOf(id), undefined)
    })

    test('go to no other origin', async () => {
      await using other = await openReceiver()
      const id = await made()
      const { body } = await change(id, { url: other.url })
      deepEqual([body.url, body.basic_auth], [other.url, false])
      equal((await api.post(`/webhook_endpoints/${id}/test`)).status, 200)
      equal((await other.count(1))[0]?.headers.authorization, undefined)
      const { body: back } = await change(id, { url: receiver.url })
      equal(back.basic_auth, false, 'they are gone')
    })

    test('are refused by field where they cannot be sent, and by contradiction', async () => {
      const { protocol, host } = new URL(receiver.url)
      const id = await made()
      for (const before of ['a%3Ab:c', 'a:%FF', 'a:%0A', `a:${'x'.repeat(1_025)}`]) {
        const url = `${protocol}//${before}@${host}/webhooks`
        for (const response of [await create({ url, ...INPUT }), await change(id, { url })]) {
          deepEqual([response.status, response.body.error.param], [422, 'url'], before)
        }
      }
      const both = await change(id, { url: secretUrl(), basic_auth: false })
      deepEqual([both.status, both.body.error.param], [422, 'basic_auth'])
      equal((await change(id, { basic_auth: true })).status, 200)
      await change(id, { basic_auth: false })
      deepEqual((await change(id, { basic_auth: true })).body.error.param, 'basic_auth')
    })

    test('are in the audit log as a mark, also when the password alone changes', async () => {
      const id = await made()
      await change(id, { url: secretUrl(USER, 'another') })
      await change(id, { basic_auth: false })
      const rows = await auditOf(id)
      const marks = rows.map(({ before, after }) =>
        [before, after].map((one) => (one as { basic_auth?: unknown } | null)?.basic_auth),
      )
      deepEqual(marks, [
        [undefined, true],
        [true, 'replaced'],
        [true, false],
      ])
    })
  })

describe('User name and password of an endpoint', () => {
  test('are in no table, response or log, whatever was done with the endpoint', async () => {
    const shown: string[] = []
    const ask = async (response: Promise<Response>) => {
      const { status, body, headers } = await response
      shown.push(JSON.stringify([body, [...headers]]))
      return { status, body }
    }
    receiver.respond = (response, { headers, body }) => {
      const [, base64 = ''] = headers.authorization?.split(' ') ?? []
      const credentials = Buffer.from(base64, 'base64').toString()
      response.statusCode = 500
      response.setHeader('x-received', `${'x'.repeat(150)} ${headers.authorization}`)
      response.setHeader('x-decoded', encodeURIComponent(credentials))
      response.end(JSON.stringify({ headers, credentials, encoded: encodeURIComponent(credentials), body }))
    }
    const { body: made } = await ask(api.post('/webhook_endpoints', { url: secretUrl(), enabled_events: ['*'] }))
    const { body: also } = await ask(owner.call('POST /webhook_endpoints', { body: { url: secretUrl(), ...INPUT } }))
    await ask(api.patch(`/webhook_endpoints/${made.id}`, { url: secretUrl(USER, PASSWORD, '/moved') }))
    const { version } = (await ask(owner.call(`GET /webhook_endpoints/${also.id}`))).body
    const moved = { version, url: secretUrl(USER, PASSWORD, '/also') }
    await ask(owner.call(`PATCH /webhook_endpoints/${also.id}`, { body: moved }))
    await ask(owner.call(`PATCH /webhook_endpoints/${also.id}`, { body: { ...moved, ordered: true } }))
    await ask(api.post('/webhook_endpoints', { url: secretUrl(), unknown: true }))
    await ask(api.post('/webhook_endpoints', { url: secretUrl(`${USER}:`), ...INPUT }))
    await ask(api.post('/webhook_endpoints', `{"url": "${secretUrl()}", `))
    const { body: ping } = await ask(api.post(`/webhook_endpoints/${made.id}/test`))
    const deliveries = () => ask(api.get(`/events/${ping.id}/deliveries`))
    await until('it failed', async () => (await deliveries()).body.data[0].attempt_count > 0)
    equal(receiver.received.at(-1)?.headers.authorization, HEADER)
    await ask(api.post(`/events/${ping.id}/redeliver`))
    await until('it failed again', async () => (await deliveries()).body.data[0].attempt_count > 1)
    const [{ attempts }] = (await deliveries()).body.data
    equal(attempts[0].response_body.includes('[hidden]'), true)
    equal('authorization' in attempts[0].request_headers, false)
    for (const name of [
      'GET /webhook_endpoints',
      `GET /webhook_endpoints/${made.id}`,
      `GET /webhook_endpoints/${made.id}/deliveries`,
      `GET /events/${ping.id}/deliveries`,
      'GET /events',
      'GET /audit',
      'GET /requests',
    ])
      await ask(owner.call(name))
    await ask(api.get('/webhook_endpoints'))
    await ask(api.get('/events'))
    await ask(api.delete(`/webhook_endpoints/${also.id}`))

    const texts = { responses: shown.join('\n'), tables: await dumpRows(service.databaseUrl), log: service.logged() }
    for (const [where, text] of Object.entries(texts))
      for (const secret of [USER, PASSWORD, `${USER}:${PASSWORD}`]) {
        const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
        const json = JSON.stringify(secret).slice(1, -1)
        for (const spelling of [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), base64])
          ok(!text.includes(spelling), `${where}: ${spelling}`)
        ok(!/canary/i.test(text), `${where}: ${/.{80}canary.{80}/i.exec(text)?.[0]}`)
      }
  })

  test('are gone with the endpoint', async () => {
    const { id } = await make()
    await api.delete(`/webhook_endpoints/${id}`)
    const row = await service.app.services.db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).execute()
    deepEqual([row[0]?.basic_auth, row[0]?.url], [null, receiver.url])
  })

  test('are sent with a redelivery, and to no redirect', async () => {
    const { id } = await make()
    await using other = await openReceiver()
    receiver.respond = (response) => {
      response.statusCode = 307
      response.setHeader('location', other.url)
      response.end()
    }
    const count = receiver.received.length
    const { body: ping } = await api.post(`/webhook_endpoints/${id}/test`)
    await receiver.count(count + 1)
    await api.post(`/events/${ping.id}/redeliver`)
    const received = (await receiver.count(count + 2)).slice(count)
    deepEqual(
      received.map(({ headers }) => headers.authorization),
      [HEADER, HEADER],
    )
    equal(other.received.length, 0)
  })

  test('are a new place: a person proves again who they are to send to them, not to remove them', async () => {
    const { id } = await make()
    const calm = await signIn(service)
    const patch = async (body: object) => {
      const { version } = (await calm.call(`GET /webhook_endpoints/${id}`)).body
      return calm.call(`PATCH /webhook_endpoints/${id}`, { body: { version, ...body } })
    }
    equal((await patch({ url: secretUrl(USER, 'another') })).body.error.code, 'step_up_required')
    equal((await patch({ url: receiver.url })).status, 200)
    equal((await patch({ basic_auth: false })).status, 200)
  })

  test('change the version that a page has seen', async () => {
    const { id } = await make()
    const { version } = (await owner.call(`GET /webhook_endpoints/${id}`)).body
    await api.patch(`/webhook_endpoints/${id}`, { url: secretUrl(USER, 'another') })
    const stale = await owner.call(`PATCH /webhook_endpoints/${id}`, { body: { version, ordered: true } })
    equal(stale.status, 409)
  })

  test('are refused for this service itself, as any URL of it is', async () => {
    const own = new URL(service.url)
    const url = `${own.protocol}//a:b@${own.host}/hooks`
    assertMerchantRefused(await api.post('/webhook_endpoints', { url, ...INPUT }), 422, 'parameter_invalid', 'url')
  })
})
