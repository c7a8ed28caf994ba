import { equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteExpiredCredentialsJob } from '../../server/access/access-jobs.ts'
import { allowIp } from '../../server/access/shared/allowed-ip.ts'
import { type AccessServer, dumpDatabase, startAccessServer } from '../support/access-server.ts'

// ACC-8 (another address), ACC-10, ATT-7, ATT-13: throttles.

/** Settings of tests behind one proxy, which names the address of the caller. */
const PROXIED = { trustedProxies: ['127.0.0.1'] }
const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (server: AccessServer, changes: object = {}, address = '192.0.2.1') => {
  const { username, password } = server.merchant
  const body = { grant_type: 'password', ...server.credentials(), username, password, ...changes }
  return server.post('/api/oauth/token', body, from(address))
}

const refresh = (server: AccessServer, refresh_token: string, address: string) =>
  server.post(
    '/api/oauth/token',
    { grant_type: 'refresh_token', refresh_token, ...server.credentials() },
    from(address),
  )

// A check of a password takes more processor time than all else here, so counters are set to just below their limit.

/** Sets the counts of all user names whose counter has something. */
const setTries = (server: AccessServer, tries: number) =>
  sql`update rate_limit set counted_at = array_fill(counted_at[1], array[${tries}]::int[])`.execute(server.db)
const setFailures = (server: AccessServer, failures: number) =>
  server.db.updateTable('sign_in_failure').set({ failures }).execute()

/** Longer than any limit and lock, so that the tests of a server do not count for each other. */
const LONG_AGO_SECONDS = 2_000

async function forget(server: AccessServer): Promise<void> {
  server.clock.move(LONG_AGO_SECONDS)
  await server.db.deleteFrom('rate_limit').execute()
  await server.db.deleteFrom('sign_in_failure').execute()
}

describe('Token throttles', () => {
  let server: AccessServer
  before(async () => {
    server = await startAccessServer({ ...PROXIED, rateLimits: true })
  })
  after(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => forget(server))

  test('10 a minute for each IP; the eleventh gets 429 with Retry-After, another address does not', async () => {
    for (let count = 1; count <= 10; count++) equal((await refresh(server, `guess ${count}`, '192.0.2.1')).status, 401)

    const refused = await refresh(server, server.merchant.refresh_token, '192.0.2.1')
    equal(refused.status, 429)
    equal(refused.body.ok, false)
    equal(refused.body.code, 'rate_limited')
    match(String(refused.headers['retry-after']), /^[1-9]\d?$/)

    equal((await refresh(server, server.merchant.refresh_token, '192.0.2.2')).status, 200)
  })

  test('addresses of one IPv6 network count as one', async () => {
    for (let count = 1; count <= 10; count++) await refresh(server, 'guess', `2001:db8::${count}`)
    equal((await refresh(server, 'guess', '2001:db8::ffff')).status, 429)
    equal((await refresh(server, 'guess', '2001:db8:1::1')).status, 401)
  })

  test('a forged X-Forwarded-For counts for nothing when no proxy is trusted', async () => {
    await using direct = await startAccessServer({ rateLimits: true })
    for (let count = 1; count <= 10; count++) await refresh(direct, 'guess', `192.0.2.${count}`)
    equal((await refresh(direct, 'guess', '192.0.2.99')).status, 429)
  })

  test('5 a minute for each user name, from however many addresses', async () => {
    equal((await signIn(server, { password: 'wrong' }, '192.0.2.1')).status, 401)
    await setTries(server, 4)
    equal((await signIn(server, { password: 'wrong' }, '192.0.2.5')).status, 401)
    const refused = await signIn(server, {}, '192.0.2.6')
    equal(refused.status, 429)
    equal(refused.body.code, 'rate_limited')
    match(String(refused.headers['retry-after']), /^[1-9]\d?$/)
    equal((await signIn(server, { username: 'other@shop.example' }, '192.0.2.7')).status, 401)
  })

  test('guesses at the same time get no more through: 10 from an address, 5 of a user name in any spelling', async () => {
    const statuses = async (tries: Promise<{ status: number }>[]) =>
      (await Promise.all(tries)).map(({ status }) => status)
    const refreshed = await statuses(Array.from({ length: 30 }, () => refresh(server, 'guess', '192.0.2.1')))
    equal(refreshed.filter((status) => status === 401).length, 10)
    equal(refreshed.filter((status) => status === 429).length, 20)
    const { username } = server.merchant
    const spellings = [username, username.toUpperCase(), ` ${username}`, `${username} `]
    const guess = (index: number) => {
      const changes = { username: spellings[index % spellings.length], password: `guess ${index}` }
      return signIn(server, changes, `192.0.2.${10 + index}`)
    }
    const signedIn = await statuses(Array.from({ length: 16 }, (_, index) => guess(index)))
    equal(signedIn.filter((status) => status === 401).length, 5)
    equal(signedIn.filter((status) => status === 429).length, 11)
  })

  test('neither address nor user name is stored for them', async () => {
    await signIn(server, { password: 'wrong' })
    const keys = await server.db.selectFrom('rate_limit').select('key').execute()
    equal(keys.length, 2)
    for (const { key } of keys) match(key, /^[\w-]{43}$/)
    const dump = await dumpDatabase(server.url)
    ok(!dump.split('\n').some((line) => /^(rate_limit|sign_in_failure) .*(192\.0\.2|@)/.test(line)))
  })

  test('strangers without the client secret do not use up a user’s attempts', async () => {
    for (let count = 1; count <= 6; count++) await signIn(server, { client_secret: 'wrong' }, `192.0.2.${count}`)
    equal((await signIn(server, {}, '192.0.2.7')).status, 200)
  })
})

/** A server that counts nothing but failures. */
let server: AccessServer
before(async () => {
  server = await startAccessServer(PROXIED)
})
after(() => server?.[Symbol.asyncDispose]())

describe('Sign-in lock', () => {
  beforeEach(() => forget(server))

  /** Fails for the last of so many times; the first one counts all others but the last. */
  const fail = async (times: number, username = server.merchant.username) => {
    equal((await signIn(server, { username, password: 'wrong' })).status, 401)
    if (times === 1) return
    await setFailures(server, times - 1)
    equal((await signIn(server, { username, password: 'wrong' })).status, 401)
  }

  test('10 failures lock a user name for 30 minutes, the right password included', async () => {
    await fail(10)
    const locked = await signIn(server)
    equal(locked.status, 401)
    equal(locked.body.error, 'invalid_grant')
    server.clock.move(1_790)
    equal((await signIn(server)).status, 401)
    server.clock.move(20)
    equal((await signIn(server)).status, 200)
  })

  test('a success in between starts the count anew', async () => {
    await fail(9)
    equal((await signIn(server)).status, 200)
    await fail(1)
    equal((await signIn(server)).status, 200)
  })

  test('guesses at the same time do not outrun the count', async () => {
    await fail(6)
    // A password check costs processor time: on a busy machine some wait too long for their turn, and have to guess
    // twice.
    const guess = async (): Promise<number> => {
      const { status } = await signIn(server, { password: 'wrong' })
      return status === 503 ? guess() : status
    }
    for (const status of await Promise.all(Array.from({ length: 8 }, guess))) equal(status, 401)
    const { failures } = await server.db.selectFrom('sign_in_failure').select('failures').executeTakeFirstOrThrow()
    equal(failures, 11)
  })

  test('counts that no longer lock a user are deleted by the daily job', async () => {
    await fail(1)
    await deleteExpiredCredentialsJob.run(server, {})
    equal((await server.db.selectFrom('sign_in_failure').selectAll().execute()).length, 1)
    server.clock.move(1_801)
    await deleteExpiredCredentialsJob.run(server, {})
    equal((await server.db.selectFrom('sign_in_failure').selectAll().execute()).length, 0)
  })

  test('an unknown user and a locked one take as long as a wrong password (ACC-10)', async () => {
    const fastest = async (username: (count: number) => string) => {
      const times: number[] = []
      for (let count = 0; count < 2; count++) {
        const start = performance.now()
        await signIn(server, { username: username(count), password: 'wrong' })
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    await signIn(server)
    const wrong = await fastest(() => server.merchant.username)
    const unknown = await fastest((count) => `nobody${count}@shop.example`)
    await fail(10, 'locked@shop.example')
    const locked = await fastest(() => 'locked@shop.example')
    // The hash takes most of the time; without it a response is ten times as fast.
    ok(Math.min(unknown, locked) > wrong / 4, `wrong ${wrong} ms, unknown ${unknown} ms, locked ${locked} ms`)
  })
})

describe('A used refresh token from an address that is not allowed', () => {
  test('ends its family at once', async () => {
    const pair = (await refresh(server, server.merchant.refresh_token, '192.0.2.1')).body
    equal((await refresh(server, server.merchant.refresh_token, '192.0.2.2')).status, 401)
    equal((await refresh(server, pair.refresh_token, '192.0.2.1')).status, 401)
  })

  test('from an allowed one in another spelling is only refused', async () => {
    const address = '2001:db8:0:1:1:1:1:1'
    await allowIp(server, { businessId: server.merchant.business_id, address })
    const given = (await signIn(server)).body.refresh_token
    const pair = (await refresh(server, given, '2001:db8:0:1:1:1:1:1')).body
    equal((await refresh(server, given, '2001:DB8::1:1:1:1:1')).status, 401)
    equal((await refresh(server, pair.refresh_token, '192.0.2.1')).status, 200)
  })
})
