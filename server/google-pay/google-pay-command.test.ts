import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { AccessContext } from '../access/shared/context.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { createBusiness } from '../businesses/create-business.ts'
import { connect, type Database } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { systemClock } from '../lib/clock.ts'
import { createKeyring } from '../lib/keyring.ts'
import { ensureRecipientKey, rotateRecipientKey } from './change-recipient-keys.ts'
import { pointOf } from './curve.ts'
import { type GooglePayContext, googlePayCommand } from './google-pay-command.ts'
import { openPrivateKey } from './recipient-key.ts'
import { findActiveKeys, findNewestPublicKey } from './recipient-key-queries.ts'

// GPY-10: keys of a business, and of the gateway.

let testDatabase: TestDatabase
let database: Database
let context: GooglePayContext
let businessId: string
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'google-pay-'))
  testDatabase = await createTestDatabase()
  database = connect({ url: testDatabase.url, max: 4, preparedStatements: true, onIdleError: () => {} })
  const keyring = createKeyring([Buffer.alloc(32, 1)])
  context = { db: database.db, keyring, clock: systemClock, environment: 'staging', gateway: 'rialto' }
  const shop = { name: 'Shop', currency: 'USD', country: 'US', timeZone: 'America/New_York' } as const
  const business = await transaction(context.db, (tx) => createBusiness({ ...context, db: tx }, shop))
  businessId = business.id
})
after(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
  await testDatabase.drop()
})

const run = (...args: string[]) => googlePayCommand(context, args)
const ofShop = (...args: string[]) => run(...args, '--business', businessId)
const activeKeys = (owner = businessId) => findActiveKeys(context.db, { businessId: owner, environment: 'staging' })
const inside = <Result>(work: (context_: AccessContext & { db: never }) => Promise<Result>) =>
  transaction(context.db, (tx) => work({ ...context, db: tx as never }))

describe('npm run google-pay', () => {
  test('keys are added, two at most, and the newest is shown to wallets', async () => {
    match(await ofShop('keys'), /none/)
    const first = await inside((all) => ensureRecipientKey(all, { businessId }))
    equal((await inside((all) => ensureRecipientKey(all, { businessId }))).id, first.id)
    match(await ofShop('rotate'), /active/)
    const [newest, oldest] = await activeKeys()
    deepEqual([oldest?.id, newest?.id === first.id], [first.id, false])
    equal(await findNewestPublicKey(context.db, { businessId, environment: 'staging' }), newest?.publicKey)
    await rejects(ofShop('rotate'), { code: 'conflict' })
  })

  test('a private key is sealed for its row, and is that of the public key', async () => {
    const [newest, oldest] = await activeKeys()
    if (!newest || !oldest) throw new Error('two keys are active')
    equal(pointOf(openPrivateKey(context.keyring, newest)).toString('base64'), newest.publicKey)
    await rejects(
      async () => openPrivateKey(context.keyring, { ...newest, sealedPrivateKey: oldest.sealedPrivateKey }),
      /aes-siv|tag/i,
    )
  })

  test('a retired key is wiped; the last one stays', async () => {
    const [newest, oldest] = await activeKeys()
    match(await ofShop('retire', '--key', oldest?.id ?? ''), /retired/)
    await rejects(ofShop('retire', '--key', oldest?.id ?? ''), { code: 'not_found' })
    await rejects(ofShop('retire', '--key', newest?.id ?? ''), { code: 'conflict' })
    const rows = await context.db.selectFrom('google_pay_key').selectAll().execute()
    deepEqual(
      rows.map(({ id, sealed_private_key }) => [id, sealed_private_key === null]).sort(),
      [
        [oldest?.id, true],
        [newest?.id, false],
      ].sort(),
    )
  })

  test('an existing key is taken from a file', async () => {
    const file = (name: string, text: string | Buffer) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    }
    const pem = (curve: string) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve })
      return { text: privateKey.export({ format: 'pem', type: 'sec1' }), publicKey }
    }
    for (const text of ['', 'x', pem('secp384r1').text]) {
      await rejects(ofShop('rotate', '--private-key', file('wrong.pem', text)), { code: 'validation_failed' })
    }
    const { text, publicKey } = pem('prime256v1')
    match(
      await ofShop('rotate', '--private-key', file('key.pem', text)),
      new RegExp(pointOf(publicKey).toString('base64').replaceAll('+', '\\+')),
    )
  })

  test('of the gateway and of the other environment they are apart', async () => {
    match(await run('keys', '--gateway'), /none/)
    match(await run('rotate', '--gateway'), /active/)
    equal((await activeKeys()).length, 2)
    match(await googlePayCommand({ ...context, environment: 'production' }, ['keys', '--gateway']), /none/)
  })

  test('parallel rotations leave two keys', async () => {
    const [, oldest] = await activeKeys()
    await ofShop('retire', '--key', oldest?.id ?? '')
    await Promise.allSettled(Array.from({ length: 5 }, () => inside((all) => rotateRecipientKey(all, { businessId }))))
    equal((await activeKeys()).length, 2)
  })

  test('each change is in the audit log, without a secret', async () => {
    const rows = await context.db
      .selectFrom('audit_entry')
      .select(['action', 'after'])
      .where('business_id', '=', businessId)
      .where('action', 'like', 'google_pay_key.%')
      .execute()
    deepEqual(new Set(rows.map(({ action }) => action)), new Set(['google_pay_key.create', 'google_pay_key.retire']))
    for (const { after } of rows)
      deepEqual(Object.keys(after as object).sort(), ['created_at', 'id', 'public_key', 'retired_at'])
  })

  test('a change of the gateway’s keys is in the audit logs of the businesses that use them', async () => {
    const entries = () =>
      context.db
        .selectFrom('audit_entry')
        .select(['actor_kind', 'action', 'object_id'])
        .where('business_id', '=', businessId)
        .orderBy('number', 'desc')
        .execute()
    const before = (await entries()).length
    const gatewayKeys = () => findActiveKeys(context.db, { businessId: null, environment: 'staging' })
    const [first] = await gatewayKeys()
    match(await run('rotate', '--gateway'), /active/)
    equal((await entries()).length, before, 'Google Pay is off')
    match(await ofShop('on'), /for the gateway rialto/)
    match(await run('retire', '--gateway', '--key', first?.id ?? ''), /retired/)
    const [last] = await entries()
    deepEqual(last, { actor_kind: 'operator', action: 'google_pay_key.retire', object_id: first?.id })
    match(await ofShop('off'), /off/)
  })

  test('Google Pay is switched on, which makes the first key of its recipient, and off', async () => {
    const gatewayKeys = () => findActiveKeys(context.db, { businessId: null, environment: 'production' })
    const live = { ...context, environment: 'production' as const }
    const ofShopLive = (...args: string[]) => googlePayCommand(live, [...args, '--business', businessId])
    match(await ofShopLive('on'), /for the gateway rialto/)
    equal((await gatewayKeys()).length, 0, 'Google registers the key of a gateway')
    match(await ofShopLive('on', '--merchant-id', 'BCR2DN4T', '--cryptogram-only'), /merchant BCR2DN4T/)
    equal((await findActiveKeys(context.db, { businessId, environment: 'production' })).length, 1)
    const business = await findBusiness(context.db, businessId)
    deepEqual(
      [business?.googlePayEnabled, business?.googlePayMerchantId, business?.googlePayCryptogramOnly],
      [true, 'BCR2DN4T', true],
    )
    match(await ofShop('off'), /off/)
    equal((await findBusiness(context.db, businessId))?.googlePayEnabled, false)
    await rejects(googlePayCommand({ ...context, gateway: null }, ['on', '--business', businessId]), {
      code: 'validation_failed',
    })
    equal((await findBusiness(context.db, businessId))?.googlePayEnabled, false)
    await rejects(run('on', '--gateway'), /Name --business/)
  })

  test('an owner is named, and exists', async () => {
    await rejects(run('keys'), /Name --business or --gateway/)
    await rejects(run('keys', '--gateway', '--business', businessId), /Name --business or --gateway/)
    await rejects(run('keys', '--business', 'x'), { code: 'validation_failed' })
    await rejects(ofShop('retire', '--key', 'x'), { code: 'validation_failed' })
    await rejects(ofShop('x'), /Unknown command/)
  })
})
