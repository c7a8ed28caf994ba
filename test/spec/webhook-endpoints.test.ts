import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { EVENT_TYPES } from '../../contract/event.ts'
import { findSecrets } from '../../server/events/webhooks/webhook-endpoint-queries.ts'
import { openWebhookSecret } from '../../server/events/webhooks/webhook-secret.ts'
import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// EVT-7, EVT-10, EVT-12, EVT-20: endpoints for events.

const URL_OF_SHOP = 'https://shop.example/webhooks'
const ENDPOINT = { url: URL_OF_SHOP, enabled_events: ['*'] }

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())
beforeEach(async () => {
  for (const { id } of await all()) await api.delete(`/webhook_endpoints/${id}`)
})

const all = async (): Promise<{ id: string }[]> => (await api.get('/webhook_endpoints?limit=100')).body.data
const make = (input: object = {}) => api.made('/webhook_endpoints', { ...ENDPOINT, ...input })
const withoutSecret = ({ secret: _secret, ...endpoint }: Record<string, unknown>) => endpoint

async function secretsOf(id: string): Promise<(string | null)[]> {
  const { db, keyring } = service.app.services
  const sealed = await findSecrets(db, service.demo.business_id, id)
  return [sealed?.secret, sealed?.previousSecret].map((one) =>
    one ? openWebhookSecret(keyring, { businessId: service.demo.business_id, id }, one) : null,
  )
}

describe('POST /api/v1/webhook_endpoints', () => {
  test('makes an endpoint: 201, enabled, with its secret', async () => {
    const response = await api.post('/webhook_endpoints', ENDPOINT)
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id, created, secret, ...rest } = response.body
    match(id, /^[0-9a-f-]{36}$/)
    match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    equal(Math.abs(created - Date.now() / 1000) < 60, true)
    deepEqual(rest, {
      object: 'webhook_endpoint',
      url: URL_OF_SHOP,
      basic_auth: false,
      description: null,
      enabled_events: ['*'],
      ordered: false,
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
    })
    deepEqual(await secretsOf(id), [secret, null])
  })

  test('shows the secret at no other time', async () => {
    const made = await make()
    deepEqual((await api.get(`/webhook_endpoints/${made.id}`)).body, withoutSecret(made))
    deepEqual(await all(), [withoutSecret(made)])
    deepEqual((await api.patch(`/webhook_endpoints/${made.id}`, {})).body, withoutSecret(made))
  })

  test('keeps all that it is given', async () => {
    const input = {
      url: `https://shop.example:8443/a?b=${'c'.repeat(2_000)}`,
      description: `${'d'.repeat(498)}\n.`,
      enabled_events: EVENT_TYPES.filter((type) => type !== 'ping'),
      ordered: true,
    }
    const { url, description, enabled_events, ordered } = await make(input)
    deepEqual({ url, description, enabled_events, ordered }, input)
  })

  const refused: [what: string, body: object, param: string][] = [
    ['no URL', { enabled_events: ['*'] }, 'url'],
    ['a text that is not a URL', { ...ENDPOINT, url: 'shop' }, 'url'],
    ['a URL of another scheme', { ...ENDPOINT, url: 'ftp://shop.example' }, 'url'],
    ['a user name with a colon', { ...ENDPOINT, url: 'https://a%3Ab:c@shop.example' }, 'url'],
    ['a private address', { ...ENDPOINT, url: 'https://10.0.0.1/hooks' }, 'url'],
    ['the metadata service', { ...ENDPOINT, url: 'http://169.254.169.254/latest' }, 'url'],
    ['a port of another service', { ...ENDPOINT, url: 'http://shop.example:25' }, 'url'],
    ['a URL of 2049 characters', { ...ENDPOINT, url: `https://shop.example/${'x'.repeat(2028)}` }, 'url'],
    ['a description of 501 characters', { ...ENDPOINT, description: 'd'.repeat(501) }, 'description'],
    ['a description that is a number', { ...ENDPOINT, description: 1 }, 'description'],
    ['no events', { url: URL_OF_SHOP }, 'enabled_events'],
    ['an empty list of events', { ...ENDPOINT, enabled_events: [] }, 'enabled_events'],
    ['events as a text', { ...ENDPOINT, enabled_events: '*' }, 'enabled_events'],
    ['an unknown event', { ...ENDPOINT, enabled_events: ['*', 'payment.lost'] }, 'enabled_events.1'],
    ['a ping', { ...ENDPOINT, enabled_events: ['ping'] }, 'enabled_events.0'],
    ['an event twice', { ...ENDPOINT, enabled_events: ['payment.failed', 'payment.failed'] }, 'enabled_events'],
    ['ordered as a text', { ...ENDPOINT, ordered: 'true' }, 'ordered'],
  ]
  for (const [what, body, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      assertMerchantRefused(await api.post('/webhook_endpoints', body), 422, 'parameter_invalid', param)
      deepEqual(await all(), [])
    })
  }

  test('refuses the URLs of the service itself, its operations and its simulator', async () => {
    const inner = [4002, 4003].map((port) => `http://localhost:${port}`)
    for (const origin of [service.url, service.formUrl, ...inner]) {
      const url = `${origin}/hooks`
      assertMerchantRefused(await api.post('/webhook_endpoints', { ...ENDPOINT, url }), 422, 'parameter_invalid', 'url')
    }
  })

  test('an eleventh is refused with 409, until one is deleted', async () => {
    for (let made = 0; made < 10; made++) await make()
    assertMerchantRefused(await api.post('/webhook_endpoints', ENDPOINT), 409, 'conflict', null)
    await api.delete(`/webhook_endpoints/${(await all())[0]?.id}`)
    equal((await api.post('/webhook_endpoints', ENDPOINT)).status, 201)
  })

  test('of many at once, ten are made', async () => {
    const responses = await Promise.all(Array.from({ length: 25 }, () => api.post('/webhook_endpoints', ENDPOINT)))
    const made = responses.filter(({ status }) => status === 201)
    deepEqual([made.length, (await all()).length], [10, 10])
    deepEqual(new Set(responses.map(({ status }) => status)), new Set([201, 409]))
  })
})

describe('GET /api/v1/webhook_endpoints', () => {
  test('lists newest first, page by page', async () => {
    const made: string[] = []
    for (let n = 0; n < 3; n++) made.unshift((await make()).id)
    const first = (await api.get('/webhook_endpoints?limit=2')).body
    const second = (await api.get(`/webhook_endpoints?limit=2&starting_after=${made[1]}`)).body
    deepEqual([first.has_more, second.has_more, first.object], [true, false, 'list'])
    deepEqual(
      [...first.data, ...second.data].map(({ id }) => id),
      made,
    )
  })
})

describe('PATCH /api/v1/webhook_endpoints/{id}', () => {
  test('changes what is given, and nothing else', async () => {
    const made = await make({ description: 'Old' })
    const change = async (input: object) => (await api.patch(`/webhook_endpoints/${made.id}`, input)).body
    let expected = withoutSecret(made)
    for (const input of [
      { url: 'https://shop.example/other' },
      { description: 'New' },
      { description: null },
      { enabled_events: ['payment.failed'] },
      { ordered: true },
    ]) {
      expected = { ...expected, ...input }
      deepEqual(await change(input), expected)
    }
    deepEqual(await secretsOf(made.id), [made.secret, null])
  })

  test('disables and enables again, which clears the reason and failing_since', async () => {
    const { id } = await make()
    const disabled = (await api.patch(`/webhook_endpoints/${id}`, { status: 'disabled' })).body
    deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'manual'])
    await service.app.services.db
      .updateTable('webhook_endpoint')
      .set({ disabled_reason: 'failing', failing_since: new Date('2026-11-20T12:00:00Z') })
      .where('id', '=', id)
      .execute()
    const again = (await api.patch(`/webhook_endpoints/${id}`, { status: 'disabled' })).body
    deepEqual([again.disabled_reason, again.failing_since], ['failing', 1_795_176_000])
    const enabled = (await api.patch(`/webhook_endpoints/${id}`, { status: 'enabled' })).body
    deepEqual([enabled.status, enabled.disabled_reason, enabled.failing_since], ['enabled', null, null])
  })

  const refused: [what: string, body: object, param: string][] = [
    ['a private address', { url: 'https://192.168.1.1' }, 'url'],
    ['a URL that is null', { url: null }, 'url'],
    ['no events at all', { enabled_events: [] }, 'enabled_events'],
    ['a ping', { enabled_events: ['ping'] }, 'enabled_events.0'],
    ['an event twice', { enabled_events: ['*', '*'] }, 'enabled_events'],
    ['an unknown status', { status: 'paused' }, 'status'],
    ['a status that is null', { status: null }, 'status'],
    ['ordered as a number', { ordered: 1 }, 'ordered'],
  ]
  for (const [what, body, param] of refused) {
    test(`refuses ${what}: 422 on ${param}, and changes nothing`, async () => {
      const made = await make()
      const response = await api.patch(`/webhook_endpoints/${made.id}`, { description: 'Changed', ...body })
      assertMerchantRefused(response, 422, 'parameter_invalid', param)
      deepEqual((await api.get(`/webhook_endpoints/${made.id}`)).body, withoutSecret(made))
    })
  }
})

describe('DELETE /api/v1/webhook_endpoints/{id}', () => {
  test('removes it with its secrets; a second one is the same', async () => {
    const { id } = await make()
    await api.post(`/webhook_endpoints/${id}/rotate_secret`)
    const deleted = { id, object: 'webhook_endpoint', deleted: true }
    for (let times = 0; times < 2; times++) {
      const { status, body } = await api.delete(`/webhook_endpoints/${id}`)
      deepEqual([status, body], [200, deleted])
    }
    assertMerchantRefused(await api.get(`/webhook_endpoints/${id}`), 404, 'resource_missing', 'id')
    assertMerchantRefused(await api.patch(`/webhook_endpoints/${id}`, {}), 404, 'resource_missing', 'id')
    for (const action of ['rotate_secret', 'test', 'redeliver']) {
      const response = await api.post(`/webhook_endpoints/${id}/${action}`, { since: 1_763_740_800 })
      assertMerchantRefused(response, 404, 'resource_missing', 'id')
    }
    const [row] = await service.app.services.db
      .selectFrom('webhook_endpoint')
      .select(['secret', 'previous_secret'])
      .where('id', '=', id)
      .execute()
    deepEqual([row?.secret.length, row?.previous_secret], [0, null])
  })

  test('of one that never was is 404', async () => {
    assertMerchantRefused(await api.delete(`/webhook_endpoints/${newId()}`), 404, 'resource_missing', 'id')
  })
})

describe('POST /api/v1/webhook_endpoints/{id}/rotate_secret', () => {
  test('shows a new secret; the previous one signs for 24 hours more', async () => {
    const made = await make()
    const before = Date.now()
    const { status, body } = await api.post(`/webhook_endpoints/${made.id}/rotate_secret`)
    equal(status, 200)
    notEqual(body.secret, made.secret)
    deepEqual(withoutSecret(body), withoutSecret(made))
    deepEqual(await secretsOf(made.id), [body.secret, made.secret])
    const sealed = await findSecrets(service.app.services.db, service.demo.business_id, made.id)
    const hours = ((sealed?.previousSecretUntil?.getTime() ?? 0) - before) / 3_600_000
    equal(hours >= 24 && hours < 24.1, true)
  })

  test('twice: the last two sign', async () => {
    const { id } = await make()
    const [first, second] = [
      (await api.post(`/webhook_endpoints/${id}/rotate_secret`)).body.secret,
      (await api.post(`/webhook_endpoints/${id}/rotate_secret`)).body.secret,
    ]
    deepEqual(await secretsOf(id), [second, first])
  })
})

test('DSH-15: every change by a key is in the audit log, without the secret; what is refused is not', async () => {
  const { id } = await make()
  equal((await api.patch(`/webhook_endpoints/${id}`, { status: 'disabled' })).status, 200)
  equal((await api.post(`/webhook_endpoints/${id}/rotate_secret`)).status, 200)
  equal((await api.delete(`/webhook_endpoints/${id}`)).status, 200)
  equal((await api.patch(`/webhook_endpoints/${newId()}`, { status: 'disabled' })).status, 404)
  const entries = await service.app.services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_kind', 'actor_name', 'before', 'after', 'outcome'])
    .where('object_id', '=', id)
    .orderBy('number')
    .execute()
  const state = (status: string) => ({
    url: URL_OF_SHOP,
    basic_auth: false,
    description: null,
    enabled_events: ['*'],
    ordered: false,
    status,
  })
  deepEqual(
    entries.map(({ action, before, after }) => [action, before, after]),
    [
      ['webhook_endpoint.create', null, state('enabled')],
      ['webhook_endpoint.update', state('enabled'), state('disabled')],
      ['webhook_endpoint.rotate_secret', null, null],
      ['webhook_endpoint.delete', state('disabled'), null],
    ],
  )
  for (const { actor_kind: kind, actor_name: name, outcome } of entries)
    deepEqual([kind, typeof name, outcome], ['key', 'string', 'done'])
})
