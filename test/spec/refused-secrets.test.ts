import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../support/dashboard.ts'
import { type Response, SESSION, send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'

test('ACC-31: a client secret that is sent, wherever it is, is neither among the refused requests nor in the log', async () => {
  await using service = await openService()
  const { db } = service.app.services
  const { client_id, client_secret: secret, business_id, api_key: key, access_token: token } = service.demo
  const call = (credential: string) => (method: string, path: string, body?: object) =>
    send(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const refusals: Promise<Response>[] = []
  for (const [credential, create, read] of [
    [key, '/api/v1/products', '/api/v1/products'],
    [token, `/api/${business_id}/checkout/create`, `/api/${business_id}/checkout`],
  ] as const) {
    const sent = call(credential)
    const product = { ...SESSION, name: 'Gold' }
    refusals.push(
      sent('POST', create, { client_id, client_secret: secret }),
      sent('POST', create, { [secret]: { [secret]: secret } }),
      sent('POST', create, { [secret]: { card_number: secret } }),
      sent('POST', create, { ...product, metadata: { [secret]: { deep: secret } } }),
      sent('POST', create, { ...product, metadata: { [secret]: secret } }),
      sent('POST', create, { ...product, name: [secret], line_items: [{ [secret]: secret }] }),
      sent('POST', `${create}?${secret}=1&limit=${secret}`, {}),
      sent('GET', `${read}/${secret}/details?limit=${secret}&${secret}=${secret}`),
      sent('GET', `${read}?limit=${secret}&${secret}=${secret}`),
    )
  }
  const grant = { grant_type: 'password', client_id, client_secret: secret, username: secret, password: secret }
  for (const body of [grant, { ...grant, grant_type: secret }, { ...grant, [secret]: secret }])
    refusals.push(call(token)('POST', '/api/oauth/token', body))
  for (const { status, body } of await Promise.all(refusals)) ok(status >= 400, JSON.stringify(body))

  const developer = await signIn(service, { role: 'developer' })
  const listed = async () => (await developer.call('GET /refusals')).body
  await until('the calls with either credential are listed', async () => (await listed()).total >= 14)
  const rows = await db.selectFrom('refused_request').select(['credential_kind', 'param']).execute()
  for (const kind of ['api_key', 'oauth_client'])
    ok(
      rows.some(({ credential_kind, param }) => credential_kind === kind && param === 'metadata'),
      kind,
    )
  const everything = [await db.selectFrom('refused_request').selectAll().execute(), await listed()]
  equal(JSON.stringify(everything).includes(secret), false)
  equal(service.logged().includes(secret), false)
})
