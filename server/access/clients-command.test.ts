import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { businessCommand } from '../businesses/business-command.ts'
import { findTerminal } from '../businesses/terminal-queries.ts'
import { connect } from '../db/connection.ts'
import { systemClock } from '../lib/clock.ts'
import { UsageError } from '../lib/command.ts'
import { createKeyring } from '../lib/keyring.ts'
import { clientsCommand } from './clients-command.ts'
import type { AccessContext } from './shared/context.ts'
import { createBearerTokens } from './tokens/bearer-tokens.ts'

const opened = new AsyncDisposableStack()
let context: AccessContext
let businessId: string
before(async () => {
  const { url } = opened.use(await createTestDatabase())
  const { db, close } = connect({ url })
  opened.defer(close)
  context = { db, keyring: createKeyring([randomBytes(32)]), clock: systemClock, environment: 'production' }
  const shop = '--name Shop --currency CAD --country CA --time-zone America/Toronto --terms-url https://shop.example/t'
  businessId = (await businessCommand(context, ['create', ...shop.split(' ')])).slice(0, 36)
})
after(() => opened.disposeAsync())

const clients = (text: string) => clientsCommand(context, text.split(' '))
const printed = (text: string, field: string) => new RegExp(`^${field} +(\\S+)$`, 'm').exec(text)?.[1] ?? ''
const shopServer = () =>
  `create --business ${businessId} --name Server --redirect-url https://shop.example --user a@b.example`

describe('npm run business', () => {
  test('create makes a business with a terminal in each currency, list shows it', async () => {
    for (const currency of ['USD', 'CAD'] as const) {
      equal((await findTerminal(context.db, businessId, currency))?.gateway, 'simulator')
    }
    equal(await businessCommand(context, ['list']), `${businessId}  CAD  CA  America/Toronto  Shop`)
  })

  const bad: [what: string, args: string, says: RegExp][] = [
    ['no verb', '', /Usage: npm run business/],
    ['an unknown verb', 'destroy', /Unknown command: destroy[\s\S]*Usage/],
    ['an unknown option', 'create --colour red', /--colour[\s\S]*Usage/],
    ['a missing option', 'create --name X', /--currency is required[\s\S]*Usage/],
    ['another currency', 'create --name X --currency EUR --country US --time-zone America/Toronto', /currency must be/],
    ['another country', 'create --name X --currency USD --country FR --time-zone America/Toronto', /country must be/],
    ['no time zone', 'create --name X --currency USD --country US --time-zone Mars/Base', /time_zone must be/],
    ['an offset', 'create --name X --currency USD --country US --time-zone +02:00', /time_zone must be/],
  ]
  for (const [what, args, says] of bad) {
    test(`${what} is refused with what would be right`, async () => {
      await rejects(businessCommand(context, args.split(' ').filter(Boolean)), says)
    })
  }
})

describe('npm run clients', () => {
  test('create prints working credentials once, list shows no secret', async () => {
    const text = await clients(shopServer())
    const token = await createBearerTokens(context).find(printed(text, 'access_token'))
    equal(token?.caller.clientId, printed(text, 'client_id'))
    equal(token?.caller.business.id, businessId)
    const listed = await clients(`list --business ${businessId}`)
    match(listed, new RegExp(printed(text, 'client_id')))
    equal(/rc_/.test(listed), false)
  })

  test('each change has its audit entry, without a secret (ACC-32)', async () => {
    const text = await clients(shopServer())
    await clients(`allow-ip --business ${businessId} --ip 192.0.2.66`)
    await clients(`disallow-ip --business ${businessId} --ip 192.0.2.66`)
    await clients(`revoke --client ${printed(text, 'client_id')}`)
    const entries = await context.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').limit(4).execute()
    deepEqual(
      entries.map(({ action, actor_kind }) => [action, actor_kind]),
      ['oauth_client.revoke', 'allowed_ip.remove', 'allowed_ip.add', 'oauth_client.create'].map((action) => [
        action,
        'operator',
      ]),
    )
    equal(/rc_/.test(JSON.stringify(entries)), false)
  })

  test('an existing user keeps the password', async () => {
    await clients(shopServer())
    match(await clients(shopServer()), /^password +\(unchanged\)$/m)
  })

  test('revoke ends a client, and fails the second time', async () => {
    const text = await clients(shopServer())
    await clients(`revoke --client ${printed(text, 'client_id')}`)
    equal(await createBearerTokens(context).find(printed(text, 'access_token')), null)
    await rejects(clients(`revoke --client ${printed(text, 'client_id')}`), /no active client/)
  })

  test('allow-ip and disallow-ip keep the list of this environment, in one spelling', async () => {
    const token = printed(await clients(shopServer()), 'access_token')
    await clients(`allow-ip --business ${businessId} --ip ::ffff:203.0.113.7`)
    await clients(`allow-ip --business ${businessId} --ip 203.0.113.7`)
    await clients(`allow-ip --business ${businessId} --ip 2001:DB8:0:1:1:1:1:1`)
    const found = await createBearerTokens(context).find(token)
    deepEqual([...(found?.allowedIps ?? [])].sort(), ['2001:db8:0:1:1:1:1:1', '203.0.113.7'])
    equal((await createBearerTokens({ ...context, environment: 'staging' }).find(token)) === null, true)
    await clients(`disallow-ip --business ${businessId} --ip 203.0.113.7`)
    await rejects(clients(`disallow-ip --business ${businessId} --ip 203.0.113.7`), /is not on the list/)
    notEqual(await createBearerTokens(context).find(token), null)
  })

  for (const [address, says] of [
    ['203.0.113.0/24', /a single address/],
    ['2001:db8::/64', /a single address/],
    ['010.0.0.1', /must be the IPv4 or IPv6 address of one server/],
    ['shop.example', /must be the IPv4 or IPv6 address of one server/],
    ['2001:db8::7%eth0', /must be the IPv4 or IPv6 address of one server/],
    ['0.0.0.0', /must be the IPv4 or IPv6 address of one server/],
    ['::', /must be the IPv4 or IPv6 address of one server/],
    ['*', /must be the IPv4 or IPv6 address of one server/],
  ] as const) {
    test(`the address ${address} is refused`, async () => {
      await rejects(clients(`allow-ip --business ${businessId} --ip ${address}`), says)
    })
  }

  test('http is refused in production, and so is an unknown business', async () => {
    await rejects(clients(shopServer().replace('https://shop', 'http://shop')), /redirect_url must be https/)
    await rejects(clients('list --business 0197f9b0-0000-7000-8000-000000000000'), /no business has the id/)
    await rejects(clients('list'), UsageError)
  })
})
