import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient, revokeClient } from '../../server/access/clients/create-client.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type AccessServer, dumpDatabase, type Response, startAccessServer } from '../support/access-server.ts'

// ACC-3 to ACC-12; ATT-7 to ATT-10, ATT-13, ATT-14.

let server: AccessServer
before(async () => {
  server = await startAccessServer()
})
after(() => server?.[Symbol.asyncDispose]())

const signIn = (changes: object = {}) =>
  server.post('/api/oauth/token', {
    grant_type: 'password',
    ...server.credentials(),
    username: server.merchant.username,
    password: server.merchant.password,
    scope: '',
    ...changes,
  })

const refresh = (refresh_token: string, changes: object = {}) =>
  server.post('/api/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token,
    ...server.credentials(),
    redirect_uri: '',
    scope: '',
    ...changes,
  })

async function otherClient(passwordGrant = true) {
  const businessId = server.merchant.business_id
  const wanted = { businessId, name: 'Other server', redirectUrl: 'https://other.example', passwordGrant }
  const { client, clientSecret } = await transaction(server.db, (tx) => createClient({ ...server, db: tx }, wanted))
  return { client_id: client.id, client_secret: clientSecret }
}

const newPair = async () => (await signIn()).body as { access_token: string; refresh_token: string }

function isRefusal({ status, headers, body }: Response, expected: { status: number; error: string; code?: string }) {
  equal(status, expected.status)
  equal(body.error, expected.error)
  equal(body.ok, false)
  equal(body.code, expected.code ?? expected.error)
  ok(body.message.length > 0)
  equal(body.error_description, body.message)
  equal(body.request_id, headers['request-id'])
  equal(headers['cache-control'], 'no-store')
}

describe('Token response', () => {
  for (const [name, ask] of [
    ['password grant', () => signIn()],
    ['refresh token grant', () => refresh(server.merchant.refresh_token)],
  ] as const) {
    test(`the ${name} returns it, with Cache-Control: no-store`, async () => {
      const { status, headers, body } = await ask()
      equal(status, 200)
      deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
      equal(body.token_type, 'Bearer')
      equal(body.expires_in, 86_400)
      match(body.access_token, /^rc_at_[\w-]{43}$/)
      match(body.refresh_token, /^rc_rt_[\w-]{43}$/)
      equal(headers['cache-control'], 'no-store')
      equal((await server.probe(body.access_token)).status, 200)
    })
  }

  test('a url-encoded form is read like JSON', async () => {
    const { refresh_token } = await newPair()
    const form = { grant_type: 'refresh_token', refresh_token, ...server.credentials(), redirect_uri: '', scope: '' }
    equal((await server.post('/api/oauth/token', new URLSearchParams(form).toString())).status, 200)
  })

  test('the user name is taken in any case', async () => {
    equal((await signIn({ username: server.merchant.username.toUpperCase() })).status, 200)
  })
})

describe('Token: refusals', () => {
  for (const field of ['grant_type', 'refresh_token', 'client_id', 'client_secret']) {
    for (const value of [undefined, '', 7]) {
      test(`refresh with ${field} ${JSON.stringify(value) ?? 'missing'}: 422`, async () => {
        const response = await refresh(server.merchant.refresh_token, { [field]: value })
        isRefusal(response, { status: 422, error: 'invalid_request', code: 'validation_failed' })
        deepEqual(Object.keys(response.body.errors), [field])
      })
    }
  }

  for (const field of ['redirect_uri', 'scope']) {
    test(`refresh with ${field} 7: 422; null is accepted`, async () => {
      const { refresh_token } = (await signIn()).body
      const { status, body } = await refresh(refresh_token, { [field]: 7 })
      deepEqual([status, body.errors], [422, { [field]: ['must be a string or null'] }])
      equal((await refresh(refresh_token, { [field]: null })).status, 200)
    })
  }

  for (const field of ['username', 'password']) {
    test(`password grant without ${field}: 422`, async () => {
      const response = await signIn({ [field]: undefined })
      isRefusal(response, { status: 422, error: 'invalid_request', code: 'validation_failed' })
      deepEqual(Object.keys(response.body.errors), [field])
    })
  }

  for (const grant_type of ['client_credentials', 'authorization_code', 'magic']) {
    test(`grant_type ${grant_type}: 400`, async () => {
      isRefusal(await signIn({ grant_type }), { status: 400, error: 'unsupported_grant_type' })
    })
  }

  test('a client whose password grant is off: 400', async () => {
    const response = await signIn(await otherClient(false))
    isRefusal(response, { status: 400, error: 'unauthorized_client', code: 'unsupported_grant_type' })
  })

  for (const changes of [
    { client_id: 'nobody' },
    { client_id: '0197f9b0-0000-7000-8000-000000000000' },
    { client_secret: 'wrong' },
  ]) {
    test(`${JSON.stringify(changes)}: 401 with a challenge, and the token is not consumed`, async () => {
      const { refresh_token } = await newPair()
      const response = await refresh(refresh_token, changes)
      isRefusal(response, { status: 401, error: 'invalid_client' })
      match(String(response.headers['www-authenticate']), /^Basic /)
      equal((await refresh(refresh_token)).status, 200)
    })
  }

  test('the token of another client: 401, and it is not consumed', async () => {
    const { refresh_token } = await newPair()
    const response = await refresh(refresh_token, await otherClient())
    isRefusal(response, { status: 401, error: 'invalid_grant' })
    equal((await refresh(refresh_token)).status, 200)
  })

  test('a revoked client: 401, and its access tokens end', async () => {
    const credentials = await otherClient()
    const { access_token, refresh_token } = (await signIn(credentials)).body
    equal((await server.probe(access_token)).status, 200)

    await revokeClient(server, credentials.client_id)
    server.clock.move(1)

    isRefusal(await refresh(refresh_token, credentials), { status: 401, error: 'invalid_client' })
    equal((await server.probe(access_token)).status, 401)
  })

  test('a wrong password and an unknown user get the same response', async () => {
    const wrong = await signIn({ password: 'wrong' })
    const unknown = await signIn({ username: 'nobody@shop.example' })
    for (const response of [wrong, unknown]) isRefusal(response, { status: 401, error: 'invalid_grant' })
    equal(wrong.body.message, unknown.body.message)
  })

  test('an unknown refresh token: 401', async () => {
    isRefusal(await refresh('rc_rt_guess'), { status: 401, error: 'invalid_grant' })
  })
})

describe('Refresh', () => {
  test('gives new tokens; the old refresh token is invalid afterwards, and the new one works', async () => {
    const first = await newPair()
    const second = (await refresh(first.refresh_token)).body
    isRefusal(await refresh(first.refresh_token), { status: 401, error: 'invalid_grant' })
    equal((await refresh(second.refresh_token)).status, 200)
  })

  test('the access token before it lives on until its own expiry', async () => {
    const first = await newPair()
    await refresh(first.refresh_token)
    equal((await server.probe(first.access_token)).status, 200)
  })

  test('50 at once with one token: exactly one wins, and the family stays', async () => {
    const first = await newPair()
    const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(first.refresh_token)))
    const won = responses.filter(({ status }) => status === 200)
    equal(won.length, 1)
    equal(responses.filter(({ status }) => status === 401).length, 49)
    equal((await server.probe(won[0]?.body.access_token)).status, 200)
    equal((await refresh(won[0]?.body.refresh_token)).status, 200)
  })

  test('a year after the sign-in it ends, however often it was refreshed', async () => {
    let { refresh_token } = await newPair()
    for (const days of [200, 164]) {
      server.clock.move(days * 86_400)
      refresh_token = (await refresh(refresh_token)).body.refresh_token
    }
    server.clock.move(2 * 86_400)
    isRefusal(await refresh(refresh_token), { status: 401, error: 'invalid_grant' })
  })
})

describe('Revoke (RFC 7009)', () => {
  const revoke = (token: string, changes: object = {}) =>
    server.post('/api/oauth/revoke', { token, ...server.credentials(), ...changes })

  test('a refresh token takes its family with it', async () => {
    const { access_token, refresh_token } = await newPair()
    equal((await server.probe(access_token)).status, 200)
    equal((await revoke(refresh_token)).status, 200)
    equal((await server.probe(access_token)).status, 401)
    isRefusal(await refresh(refresh_token), { status: 401, error: 'invalid_grant' })
  })

  test('an access token ends alone', async () => {
    const { access_token, refresh_token } = await newPair()
    equal((await server.probe(access_token)).status, 200)
    equal((await revoke(access_token, { token_type_hint: 'access_token' })).status, 200)
    equal((await server.probe(access_token)).status, 401)
    equal((await refresh(refresh_token)).status, 200)
  })

  test('an unknown token is not an error', async () => {
    equal((await revoke('whatever')).status, 200)
  })

  test('a token of another client stays', async () => {
    const other = await otherClient()
    const { access_token, refresh_token } = await newPair()
    for (const token of [access_token, refresh_token]) equal((await revoke(token, other)).status, 200)
    equal((await server.probe(access_token)).status, 200)
    equal((await refresh(refresh_token)).status, 200)
  })

  test('a wrong client: 401; no token: 422', async () => {
    isRefusal(await revoke('x', { client_secret: 'wrong' }), { status: 401, error: 'invalid_client' })
    isRefusal(await revoke(''), { status: 422, error: 'invalid_request', code: 'validation_failed' })
  })
})

describe('Secrets', () => {
  test('are neither in the log nor in the database', async () => {
    const pair = await newPair()
    const next = (await refresh(pair.refresh_token)).body
    await server.probe(next.access_token)
    const { client_secret, password, access_token, refresh_token } = server.merchant
    const secrets = [client_secret, password, access_token, refresh_token, pair.access_token, pair.refresh_token]
    const kept = { log: server.logged(), database: await dumpDatabase(server.url) }
    // Stored values are found, so that not finding others is meaningful.
    ok(kept.database.includes(server.merchant.client_id))
    ok(kept.log.includes('/api/oauth/token'))
    for (const text of Object.values(kept)) {
      doesNotMatch(text, /rc_(?:at|rt|cs)_/)
      for (const secret of [...secrets, next.access_token, next.refresh_token]) {
        for (const encoding of ['utf8', 'hex', 'base64'] as const) {
          ok(!text.includes(Buffer.from(secret).toString(encoding)))
        }
      }
    }
  })
})
