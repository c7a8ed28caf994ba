import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ROLES, type Role } from '../../contract/permissions.ts'
import { SCOPES, type Scope, scopesOf } from '../../contract/scopes.ts'
import { createClient } from '../../server/access/clients/create-client.ts'
import { createUser } from '../../server/access/people/create-user.ts'
import { startFamily } from '../../server/access/tokens/issue-tokens.ts'
import { newTokenPair } from '../../server/access/tokens/token.ts'
import { requireGrantable, scopesOfToken } from '../../server/access/tokens/token-scopes.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { type AccessServer, startAccessServer } from '../support/access-server.ts'
import { ownerPassword } from '../support/owner-password.ts'
import { refusalOf } from '../support/read-request.ts'

// ACC-8, ACC-77 to ACC-79: for which people a server gets tokens, what these allow, and when they end.

let server: AccessServer
before(async () => {
  server = await startAccessServer({ trustedProxies: ['127.0.0.1'] })
})
after(() => server?.[Symbol.asyncDispose]())

interface Person {
  userId: string
  username: string
  password: string
}

async function person(role: Role, { factor }: { factor?: 'totp' | 'passkey' } = {}): Promise<Person> {
  const hashed = await ownerPassword()
  const username = `${role}-${newId()}@shop.example`
  const businessId = server.merchant.business_id
  return transaction(server.db, async (tx) => {
    const { userId } = await createUser({ ...server, db: tx }, { email: username, name: role, hashed })
    const at = server.clock.now()
    await tx
      .insertInto('business_member')
      .values({ business_id: businessId, user_id: userId, role, created_at: at })
      .execute()
    if (factor === 'totp') {
      await tx
        .insertInto('totp')
        .values({ user_id: userId, secret: Buffer.from('x'), created_at: at })
        .execute()
    }
    if (factor === 'passkey') {
      await tx
        .insertInto('passkey')
        .values({
          id: newId(),
          user_id: userId,
          credential_id: Buffer.from(userId),
          public_key: Buffer.from('x'),
          counter: 0,
          is_synced: false,
          name: 'Phone',
          created_at: at,
        })
        .execute()
    }
    return { userId, username, password: hashed.password }
  })
}

async function client(scopes?: readonly string[]) {
  const wanted = {
    businessId: server.merchant.business_id,
    name: 'Server',
    redirectUrl: 'https://shop.example',
    scopes,
  }
  const made = await transaction(server.db, (tx) => createClient({ ...server, db: tx }, wanted))
  return { client_id: made.client.id, client_secret: made.clientSecret }
}

const token = (body: object, headers = {}) => server.post('/api/oauth/token', body, headers)
const signIn = ({ username, password }: Pick<Person, 'username' | 'password'>, more: object = {}) =>
  token({ grant_type: 'password', ...server.credentials(), username, password, scope: '', ...more })
/** Returns tokens as a sign-in does, without the check of a password, which takes most of the time of a sign-in. */
async function tokensOf({ userId }: Person, scopes: readonly Scope[] | null = null) {
  const pair = newTokenPair()
  const { business_id: businessId, client_id: clientId } = server.merchant
  await transaction(server.db, (tx) =>
    startFamily({ ...server, db: tx }, { pair, businessId, clientId, userId, scopes }),
  )
  return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
}
const refresh = (refresh_token: string, more: object = {}, headers = {}) =>
  token({ grant_type: 'refresh_token', refresh_token, ...server.credentials(), scope: '', ...more }, headers)
const rightsOf = async (accessToken: string) => {
  server.bearerTokens.forgetAll()
  const found = await server.bearerTokens.find(accessToken)
  return found && [...found.caller.scopes]
}
const setRole = async (userId: string, role: Role) => {
  await server.db.updateTable('business_member').set({ role }).where('user_id', '=', userId).execute()
}
const leave = async (userId: string) => {
  await server.db.deleteFrom('business_member').where('user_id', '=', userId).execute()
}

describe('The password grant (ACC-77, ACC-78)', () => {
  const MAY = ['owner', 'admin', 'developer']
  for (const role of ROLES) {
    test(`${role}: ${MAY.includes(role) ? 'gets what the role may do' : 'is refused like a wrong password'}`, async () => {
      const known = await person(role)
      const { status, body } = await signIn(known)
      if (MAY.includes(role)) {
        equal(status, 200)
        deepEqual(await rightsOf(body.access_token), scopesOf(role, 'staging'))
        return
      }
      const wrong = await signIn({ ...known, password: 'wrong' })
      deepEqual([status, body.error, body.message], [401, 'invalid_grant', wrong.body.message])
    })
  }

  for (const factor of ['totp', 'passkey'] as const) {
    test(`who has a ${factor} is refused like a wrong password, until an owner allows it for the client`, async () => {
      const known = await person('owner', { factor })
      const refused = await signIn(known)
      const wrong = await signIn({ ...known, password: 'wrong' })
      deepEqual([refused.status, refused.body.error], [401, 'invalid_grant'])
      equal(refused.body.message, wrong.body.message)
      const allowed = await client()
      const allow = { skips_second_factor: true }
      await server.db.updateTable('oauth_client').set(allow).where('id', '=', allowed.client_id).execute()
      equal((await signIn(known, allowed)).status, 200)
      equal((await signIn(known)).status, 401)
    })
  }

  test('right passwords of who is barred lock the name as wrong ones do', async () => {
    const known = await person('admin', { factor: 'totp' })
    equal((await signIn(known)).status, 401)
    // The check of a password takes long, so most of the ten tries are only counted.
    await server.db.updateTable('sign_in_failure').set({ failures: 9 }).execute()
    equal((await signIn(known)).status, 401)
    await server.db.deleteFrom('totp').where('user_id', '=', known.userId).execute()
    equal((await signIn(known)).status, 401)
  })

  test('tokens shrink with a demotion, grow back, and end with the membership', async () => {
    const known = await person('owner')
    const { body } = await signIn(known)
    for (const role of ['developer', 'admin', 'owner'] as const) {
      await setRole(known.userId, role)
      deepEqual(await rightsOf(body.access_token), scopesOf(role, 'staging'))
    }
    for (const role of ['support', 'analyst'] as const) {
      await setRole(known.userId, role)
      equal(await rightsOf(body.access_token), null)
      equal((await server.probe(body.access_token)).status, 401)
      equal((await refresh(body.refresh_token)).status, 401)
    }
    await setRole(known.userId, 'owner')
    equal((await server.probe(body.access_token)).status, 200)
    await leave(known.userId)
    server.bearerTokens.forgetAll()
    equal((await server.probe(body.access_token)).status, 401)
    equal((await refresh(body.refresh_token)).status, 401)
    equal((await signIn(known)).status, 401)
  })

  test('a token never may more than its client, its person and its request: generated cases', async () => {
    const roles = new Map<Role, Person>()
    for (const role of MAY as Role[]) roles.set(role, await person(role))
    const some = (of: Scope[]) => fc.subarray(of, { minLength: 1 })
    const asking = some(SCOPES).chain((ofClient) =>
      fc.tuple(fc.constant(ofClient), fc.oneof(some(ofClient), some(SCOPES))),
    )
    const cases = fc.tuple(fc.constantFrom(...(MAY as Role[])), asking)
    // As many tokens as before cost three seconds for the password, so most cases ask only what a token gets.
    fc.assert(
      fc.property(cases, ([role, [client_scopes, asked]]) => {
        const may = scopesOf(role, 'staging').filter((scope) => client_scopes.includes(scope))
        const given = { client_scopes, role, environment: 'staging' as const }
        const isWithin = asked.every((scope) => may.includes(scope))
        equal(
          refusalOf(() => requireGrantable(asked, scopesOfToken(given)))?.code,
          isWithin ? undefined : 'invalid_scope',
        )
        const granted = SCOPES.filter((scope) => may.includes(scope) && asked.includes(scope))
        deepEqual(scopesOfToken({ ...given, family_scopes: asked }), granted)
        deepEqual(scopesOfToken({ ...given, asked }), granted)
      }),
      { numRuns: 300 },
    )
    const outcomes = new Set<number>()
    for (const [role, [ofClient, asked]] of fc.sample(cases, { numRuns: 8, seed: 7 })) {
      const credentials = await client(ofClient)
      const may = scopesOf(role, 'staging').filter((scope) => ofClient.includes(scope))
      const { status, body } = await signIn(roles.get(role) as Person, { ...credentials, scope: asked.join(' ') })
      outcomes.add(status)
      if (!asked.every((scope) => may.includes(scope))) {
        deepEqual([status, body.error], [400, 'invalid_scope'])
        continue
      }
      const granted = SCOPES.filter((scope) => asked.includes(scope))
      deepEqual([body.scope, await rightsOf(body.access_token)], [granted.join(' '), granted])
    }
    deepEqual([...outcomes].sort(), [200, 400])
  })
})

describe('The scope of a token request (ACC-79)', () => {
  for (const scope of ['everything', 'customers', 'customers:read all', 'CUSTOMERS:READ', 'customers:read,sell', '*']) {
    test(`${scope}: 400 invalid_scope for both grants, and nothing is spent`, async () => {
      const known = await person('owner')
      const body = await tokensOf(known)
      for (const refused of [await signIn(known, { scope }), await refresh(body.refresh_token, { scope })]) {
        deepEqual([refused.status, refused.body.error, refused.body.code], [400, 'invalid_scope', 'invalid_scope'])
      }
      equal((await refresh(body.refresh_token)).status, 200)
    })
  }

  test('a refresh narrows its access token, never widens the sign-in, and the next one has all of it again', async () => {
    const known = await person('owner')
    const asked: Scope[] = ['customers:read', 'customers:write', 'sell']
    const first = (await signIn(known, { scope: asked.join(' ') })).body
    const wider = await refresh(first.refresh_token, { scope: 'customers:read refunds' })
    deepEqual([wider.status, wider.body.error], [400, 'invalid_scope'])
    const narrow = (await refresh(first.refresh_token, { scope: 'sell' })).body
    deepEqual([narrow.scope, await rightsOf(narrow.access_token)], ['sell', ['sell']])
    const whole = (await refresh(narrow.refresh_token)).body
    deepEqual([whole.scope, await rightsOf(whole.access_token)], ['', asked])
  })
})

describe('Two credentials in one request (RFC 6749 2.3)', () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })

  test('the same in both places is accepted, different ones are refused, and no token is spent', async () => {
    const known = await person('owner')
    const other = await client()
    const { client_id, client_secret } = server.credentials()
    const header = basic(client_id, client_secret)
    const body = await tokensOf(known)
    for (const more of [other, { client_id: other.client_id }, { client_secret: other.client_secret }]) {
      for (const [path, request] of [
        ['/api/oauth/token', { grant_type: 'refresh_token', refresh_token: body.refresh_token }],
        ['/api/oauth/token', { grant_type: 'password', username: known.username, password: known.password }],
        ['/api/oauth/revoke', { token: body.refresh_token }],
      ] as const) {
        const refused = await server.post(path, { ...request, client_id, client_secret, ...more }, header)
        deepEqual([refused.status, refused.body.error], [422, 'invalid_request'], JSON.stringify(more))
      }
    }
    const same = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id, client_secret }
    equal((await server.post('/api/oauth/token', same, header)).status, 200)
  })
})

describe('A refresh token that was used comes again (ACC-8)', () => {
  const used = async () => {
    const first = await tokensOf(await person('owner'))
    const second = (await refresh(first.refresh_token)).body
    return { first, second }
  }
  const reuseOf = async (clientId: string) => {
    const columns = ['refresh_reused_at', 'refresh_reused_from', 'refresh_reuse_ended'] as const
    return server.db.selectFrom('oauth_client').select(columns).where('id', '=', clientId).executeTakeFirstOrThrow()
  }
  const isAlive = async (pair: { access_token: string; refresh_token: string }) => {
    server.bearerTokens.forgetAll()
    return (await server.probe(pair.access_token)).status === 200
  }

  for (const seconds of [0, 59, 61, 86_000]) {
    test(`from its client after ${seconds} s: refused, says that another worker was faster, ends nothing`, async () => {
      const { first, second } = await used()
      server.clock.move(seconds)
      const again = await refresh(first.refresh_token)
      deepEqual([again.status, again.body.error], [401, 'invalid_grant'])
      match(again.body.message, /another worker/i)
      ok(await isAlive(second))
      const reuse = await reuseOf(server.merchant.client_id)
      deepEqual([reuse.refresh_reused_from, reuse.refresh_reuse_ended], ['127.0.0.1', false])
      equal((await refresh(second.refresh_token)).status, 200)
    })
  }

  test('from an address that is not allowed it ends the family at once', async () => {
    const { first, second } = await used()
    const again = await refresh(first.refresh_token, {}, { 'x-forwarded-for': '198.51.100.7' })
    deepEqual([again.status, again.body.error], [401, 'invalid_grant'])
    equal(await isAlive(second), false)
    equal((await refresh(second.refresh_token)).status, 401)
    const reuse = await reuseOf(server.merchant.client_id)
    deepEqual([reuse.refresh_reused_from, reuse.refresh_reuse_ended], ['198.51.100.7', true])
  })

  for (const [name, more] of [
    ['a wrong secret', { client_secret: 'rc_cs_wrong' }],
    ['no secret', { client_secret: undefined }],
    ['an unknown client', { client_id: newId() }],
  ] as const) {
    test(`with ${name} it ends the family at once; a token that was not used stays`, async () => {
      const { first, second } = await used()
      await refresh(second.refresh_token, more)
      ok(await isAlive(second))
      ok([401, 422].includes((await refresh(first.refresh_token, more)).status))
      equal(await isAlive(second), false)
      equal((await refresh(second.refresh_token)).status, 401)
    })
  }

  test('from another client it ends the family at once', async () => {
    const { first, second } = await used()
    const other = await client()
    equal((await refresh(second.refresh_token, other)).status, 401)
    ok(await isAlive(second))
    equal((await refresh(first.refresh_token, other)).status, 401)
    equal(await isAlive(second), false)
  })
})
