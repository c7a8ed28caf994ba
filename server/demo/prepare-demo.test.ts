import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { ownerPassword } from '../../test/support/owner-password.ts'
import { authenticateClient } from '../access/clients/client-credentials.ts'
import { newApiKey } from '../access/keys/api-key.ts'
import { listApiKeys } from '../access/keys/api-key-queries.ts'
import { createApiKeys } from '../access/keys/api-keys.ts'
import { revokeApiKey } from '../access/keys/revoke-api-key.ts'
import { passwordMatches } from '../access/people/password.ts'
import { findPassword } from '../access/people/user-queries.ts'
import type { Environment } from '../access/shared/context.ts'
import { createBearerTokens } from '../access/tokens/bearer-tokens.ts'
import { findRefreshToken, spendRefreshToken } from '../access/tokens/token-queries.ts'
import { createBusiness } from '../businesses/create-business.ts'
import { connect } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { addSeconds } from '../lib/clock.ts'
import { createKeyring, credentialHashes } from '../lib/keyring.ts'
import { newDemoCredentials } from './create-demo-business.ts'
import { prepareDemo } from './prepare-demo.ts'

type Place = Awaited<ReturnType<typeof openPlace>>

async function openPlace(environment: Environment = 'staging') {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await createTestDatabase())
  const { db, close } = connect({ url: database.url })
  opened.defer(close)
  const dataDir = await mkdtemp(join(tmpdir(), 'rialto-demo-'))
  opened.defer(() => rm(dataDir, { recursive: true }))
  let ahead = 0
  const clock = { now: () => addSeconds(new Date(), ahead), monotonicMs: () => performance.now() + ahead * 1000 }
  const context = {
    db,
    keyring: createKeyring([randomBytes(32)]),
    clock,
    environment,
    dataDir,
    baseUrl: 'http://localhost:4000',
    dashboardUrl: 'http://localhost:4001',
  }
  const resources = opened.move()
  return {
    ...context,
    file: join(dataDir, 'demo.json'),
    move(seconds: number) {
      ahead += seconds
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const start = async (place: Place) => {
  const credentials = await prepareDemo(place)
  if (!credentials) throw new Error('there is a demo business')
  deepEqual(JSON.parse(await readFile(place.file, 'utf8')), credentials)
  return credentials
}

const works = async (place: Place, credentials: Awaited<ReturnType<typeof start>>) => {
  const { client_id: clientId, client_secret: clientSecret, username: email, password } = credentials
  notEqual(await authenticateClient(place, { clientId, clientSecret }), null)
  notEqual(await createBearerTokens(place).find(credentials.access_token), null)
  const found = await findPassword(place.db, { businessId: credentials.business_id, email })
  equal(await passwordMatches(password, found?.passwordHash ?? null), true)
  const key = await createApiKeys(place).find(credentials.api_key)
  deepEqual([key?.caller.business.id, key?.caller.keyName], [credentials.business_id, 'Demo key'])
  deepEqual([...(key?.allowedIps ?? [])].sort(), ['127.0.0.1', '::1'])
}

/** Returns the demo's keys that somebody could still use. */
const keysNow = async (place: Place) => {
  const keys = await listApiKeys(place.db, { environment: 'staging', businessId: undefined })
  return keys.filter(({ revokedAt }) => revokedAt === null).map(({ lastFour }) => lastFour)
}

describe('Demo business', () => {
  test('the first start on an empty database creates it, and writes demo.json for the owner only', async () => {
    await using place = await openPlace()
    const credentials = await start(place)
    const fields =
      'access_token,api_key,base_url,business_id,client_id,client_secret,dashboard_url,password,redirect_url,refresh_token,username,webhook_secret'
    equal(Object.keys(credentials).sort().join(), fields)
    equal(credentials.redirect_url, 'https://shop.example')
    equal((await stat(place.file)).mode & 0o777, 0o600)
    deepEqual(await readdir(place.dataDir), ['demo.json'])
    await works(place, credentials)
    const token = await createBearerTokens(place).find(credentials.access_token)
    deepEqual([...(token?.allowedIps ?? [])].sort(), ['127.0.0.1', '::1'])
    equal(token?.caller.business.currency, 'USD')
  })

  test('two concurrent first starts create one business and one file', async () => {
    await using place = await openPlace()
    const [one, two] = await Promise.all([prepareDemo(place), prepareDemo(place)])
    deepEqual(one, two)
    equal((await place.db.selectFrom('business').select('id').execute()).length, 1)
  })

  test('a later start changes nothing, or only what no longer works: tokens, key, addresses', async () => {
    await using place = await openPlace()
    const first = await start(place)
    place.move(600)
    deepEqual(await start(place), first, 'soon after')

    equal((await start({ ...place, baseUrl: 'http://localhost:5000' })).base_url, 'http://localhost:5000')
    equal((await start(place)).access_token, first.access_token, 'new addresses of the hosts')

    place.move(2 * 86_400)
    const next = await start(place)
    await works(place, next)
    notEqual(next.access_token, first.access_token, 'the next day')
    notEqual(next.refresh_token, first.refresh_token)
    const { access_token, refresh_token } = first
    deepEqual({ ...next, access_token, refresh_token }, first)

    const now = place.clock.now()
    const token = await findRefreshToken(place.db, credentialHashes(place.keyring, next.refresh_token), now)
    const spent = { hash: token?.hash ?? Buffer.alloc(0), usedAt: now, usedFrom: null }
    equal(await transaction(place.db, (tx) => spendRefreshToken(tx, spent)), true)
    const refreshed = await start(place)
    notEqual(refreshed.refresh_token, next.refresh_token, 'a spent refresh token')

    const id = (await createApiKeys(place).find(refreshed.api_key))?.caller.keyId ?? ''
    await revokeApiKey(place, id)
    await works(place, await start(place))
  })

  test('a file that is lost, cut off or of something else is replaced by one with working secrets', async () => {
    await using place = await openPlace()
    let known = await start(place)
    for (const content of [null, '{"business_id": "', '{}']) {
      await rm(place.file)
      if (content !== null) await writeFile(place.file, content)
      const next = await start(place)
      await works(place, next)
      equal(next.business_id, known.business_id, String(content))
      notEqual(next.client_secret, known.client_secret, String(content))
      known = next
    }
  })

  test('a file without a key that works gets one, and keeps the rest', async () => {
    await using place = await openPlace()
    let known = await start(place)
    for (const [what, api_key] of [
      ['of the version before, without a key', null],
      ['with a key that is not text', 7],
      ['with the key of another database', newApiKey('staging')],
      ['with a key of production', newApiKey('production')],
    ] as const) {
      await writeFile(place.file, JSON.stringify({ ...known, api_key }))
      const next = await start(place)
      await works(place, next)
      deepEqual({ ...next, api_key: known.api_key }, known, what)
      known = next
    }
  })

  test('a second process on the database, with a data directory of its own, keeps the credentials of the first', async () => {
    await using place = await openPlace()
    await using elsewhere = await openPlace()
    const second = { ...place, dataDir: elsewhere.dataDir, file: elsewhere.file }
    const first = await start(place)
    const mine = await start(second)
    equal(mine.business_id, first.business_id)
    await works(place, mine)
    await works(place, first)
    const hashes = credentialHashes(place.keyring, first.refresh_token)
    equal((await findRefreshToken(place.db, hashes, place.clock.now()))?.usedAt, null)
    // They do not compete from now on either: each start finds its own file valid.
    deepEqual(await start(place), first)
    deepEqual(await start(second), mine)
    // A process without a given master key has its own: it can check nothing of the first one, and changes nothing.
    const stranger = { ...second, keyring: createKeyring([randomBytes(32)]) }
    await works(stranger, await start(stranger))
    await works(place, first)
  })

  test('of a database whose data directories are thrown away, only the newest twenty sets work', async () => {
    await using place = await openPlace()
    const first = await start(place)
    // As starts do it, without a new password for each, which would take seconds.
    const hashed = await ownerPassword()
    for (let restart = 1; restart < 19; restart++)
      await transaction(place.db, (tx) => newDemoCredentials({ ...place, db: tx }, first.business_id, { hashed }))
    await rm(place.file)
    await start(place)
    await works(place, first)
    await rm(place.file)
    const last = await start(place)
    await works(place, last)
    equal(await authenticateClient(place, { clientId: first.client_id, clientSecret: first.client_secret }), null)
    equal(await createApiKeys(place).find(first.api_key), null)
    equal((await keysNow(place)).length, 20)
  })

  test('the file of another database is replaced', async () => {
    await using place = await openPlace()
    const elsewhere = { business_id: 'x', client_id: 'x', client_secret: 'x', access_token: 'x', refresh_token: 'x' }
    await writeFile(place.file, JSON.stringify({ ...elsewhere, password: 'x' }))
    await works(place, await start(place))
  })

  test('there is none in production, nor beside another business', async () => {
    await using production = await openPlace('production')
    equal(await prepareDemo(production), null)
    await using place = await openPlace()
    const shop = { name: 'Shop', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto' } as const
    await transaction(place.db, (tx) => createBusiness({ db: tx, clock: place.clock }, shop))
    equal(await prepareDemo(place), null)
    deepEqual(await readdir(place.dataDir), [])
  })
})
