import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { businessCommand } from '../../businesses/business-command.ts'
import { connect } from '../../db/connection.ts'
import { systemClock } from '../../lib/clock.ts'
import { UsageError } from '../../lib/command.ts'
import { createKeyring } from '../../lib/keyring.ts'
import type { AccessContext } from '../shared/context.ts'
import { createApiKeys } from './api-keys.ts'
import { keysCommand } from './keys-command.ts'

const opened = new AsyncDisposableStack()
let context: AccessContext
let businessId: string
before(async () => {
  const { url } = opened.use(await createTestDatabase())
  const { db, close } = connect({ url })
  opened.defer(close)
  context = { db, keyring: createKeyring([randomBytes(32)]), clock: systemClock, environment: 'production' }
  await rejects(keysCommand(context, create()), /there is no business yet. Create one: npm run business/)
  businessId = await makeBusiness()
})
after(() => opened.disposeAsync())

const makeBusiness = async () => {
  const shop = '--name Shop --currency CAD --country CA --time-zone America/Toronto'
  return (await businessCommand(context, ['create', ...shop.split(' ')])).slice(0, 36)
}
const keys = (...args: string[]) => keysCommand(context, args)
const create = (...more: string[]) => ['create', '--name', 'Shop server', '--allow-ip', '203.0.113.7', ...more]
const printed = (text: string, field: string) => new RegExp(`^${field} +(.+)$`, 'm').exec(text)?.[1] ?? ''
const find = (key: string) => createApiKeys(context).find(key)

describe('npm run keys', () => {
  test('create prints a working key; the only business need not be named', async () => {
    const text = await keys(...create('--allow-ip', '2001:DB8::7'))
    const key = printed(text, 'api_key')
    match(key, /^rc_sk_live_/)
    const found = await find(key)
    equal(found?.caller.keyId, printed(text, 'key_id'))
    equal(found?.caller.business.id, businessId)
    deepEqual([...(found?.allowedIps ?? [])], ['203.0.113.7', '2001:db8::7'])
    const listed = await keys('list')
    match(
      listed,
      new RegExp(
        `${printed(text, 'key_id')}  …${key.slice(-4)}  Shop server\\n +active; from 203.0.113.7, 2001:db8::7; never used`,
      ),
    )
    equal(/rc_/.test(listed), false)
  })

  test('rotate prints a new key of the same name and addresses; the old one works for 24 hours', async () => {
    const old = await keys(...create())
    const text = await keys('rotate', '--key', printed(old, 'key_id'))
    notEqual(printed(text, 'key_id'), printed(old, 'key_id'))
    deepEqual([printed(text, 'name'), printed(text, 'allowed_ips')], ['Shop server', '203.0.113.7'])
    const [, end = ''] = /The old key works until (\S+)\.$/.exec(text) ?? []
    ok(Math.abs(Date.parse(end) - Date.now() - 24 * 3_600_000) < 60_000, end)
    ok((await find(printed(old, 'api_key'))) && (await find(printed(text, 'api_key'))))
    match(await keys('list'), new RegExp(`${printed(old, 'key_id')}.*\\n +expires ${end}`))
    await rejects(keys('rotate', '--key', printed(old, 'key_id')), /no key in production with this id can be rotated/)
  })

  test('each change has its audit entry, without the key (ACC-32)', async () => {
    const made = await keys(...create())
    const id = printed(made, 'key_id')
    const rotated = await keys('rotate', '--key', id)
    await keys('revoke', '--key', id)
    const entries = await context.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').limit(3).execute()
    deepEqual(
      entries.map(({ action, actor_kind, object_id }) => [action, actor_kind, object_id]),
      ['revoke', 'rotate', 'create'].map((verb) => [`api_key.${verb}`, 'operator', id]),
    )
    const text = JSON.stringify(entries)
    for (const key of [made, rotated]) equal(text.includes(printed(key, 'api_key')), false)
  })

  test('rotate takes other addresses and another overlap', async () => {
    const old = await keys(...create())
    const text = await keys(
      'rotate',
      '--key',
      printed(old, 'key_id'),
      '--overlap-hours',
      '0',
      '--allow-ip',
      '192.0.2.1',
    )
    equal(printed(text, 'allowed_ips'), '192.0.2.1')
    equal(await find(printed(old, 'api_key')), null)
    match(await keys('list'), new RegExp(`${printed(old, 'key_id')}.*\\n +expired `))
    for (const hours of ['169', '-1', '1.5', '1e1', ' 1', 'day']) {
      const id = printed(text, 'key_id')
      await rejects(keys('rotate', '--key', id, `--overlap-hours=${hours}`), /whole number from 0 to 168/, hours)
    }
    ok(await find(printed(text, 'api_key')))
  })

  test('revoke ends a key, and fails the second time', async () => {
    const text = await keys(...create())
    const id = printed(text, 'key_id')
    equal(await keys('revoke', '--key', id), `${id} is revoked.`)
    equal(await find(printed(text, 'api_key')), null)
    match(await keys('list', '--business', businessId), new RegExp(`${id}.*\\n +revoked 2`))
    await rejects(keys('revoke', '--key', id), /no active key in production/)
    await rejects(keys('rotate', '--key', id), /no key in production with this id can be rotated/)
  })

  test('another environment has its own keys', async () => {
    const text = await keys(...create())
    const staging: AccessContext = { ...context, environment: 'staging' }
    equal(await keysCommand(staging, ['list']), 'Keys in staging:\nnone')
    await rejects(keysCommand(staging, ['revoke', '--key', printed(text, 'key_id')]), /no active key in staging/)
    ok(await find(printed(text, 'api_key')))
  })

  const wrong: [what: string, args: string[], message: RegExp][] = [
    ['no address', ['create', '--name', 'X'], /allowed_ips must be 1 to 2 addresses.*; 0 given/],
    ['three addresses', create('--allow-ip', '192.0.2.1', '--allow-ip', '192.0.2.2'), /; 3 given/],
    ['a range', create('--allow-ip', '192.0.2.0/24'), /a single address/],
    ['a host name', create('--allow-ip', 'localhost'), /IPv4 or IPv6 address/],
    ['no name', ['create', '--allow-ip', '192.0.2.1'], /--name is required/],
    ['a blank name', create('--name', ' '), /one line of 1 to 255 characters/],
    ['a name of two lines', create('--name', 'a\nb'), /one line of 1 to 255 characters/],
    ['a name of 256 characters', create('--name', 'x'.repeat(256)), /one line of 1 to 255 characters/],
    ['an unknown business', create('--business', '0197f9b0-0000-7000-8000-000000000000'), /no business has the id/],
    ['the key instead of its id', ['revoke', '--key', 'rc_sk_live_X'], /the id of a key, not the key itself/],
  ]
  for (const [what, args, message] of wrong) {
    test(`${what} is refused with what would be right`, async () => {
      await rejects(keys(...args), message)
    })
  }

  test('an unknown verb gets the usage', async () => {
    await rejects(keys('show'), UsageError)
  })

  test('with two businesses one must be named', async () => {
    const other = await makeBusiness()
    await rejects(keys(...create()), /there are 2 businesses: choose one with --business ID/)
    const text = await keys(...create('--business', other, '--name', 'x'.repeat(255)))
    equal((await find(printed(text, 'api_key')))?.caller.business.id, other)
    equal((await keys('list', '--business', other)).split('\n').length, 5)
  })
})
