import { equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createBusiness } from '../../businesses/create-business.ts'
import { connect } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { createKeyring } from '../../lib/keyring.ts'
import type { AccessContext } from '../shared/context.ts'
import { createApiKeys } from './api-keys.ts'
import { createApiKey } from './create-api-key.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'

const START = new Date('2026-01-01T00:00:00Z')
const OLD_MASTER = randomBytes(32)

const opened = new AsyncDisposableStack()
let ms = 0
let context: AccessContext
let businessId: string
before(async () => {
  const { url } = opened.use(await createTestDatabase())
  const { db, close } = connect({ url })
  opened.defer(close)
  // A clock that stands still.
  const clock = { now: () => addSeconds(START, ms / 1000), monotonicMs: () => ms }
  context = { db, keyring: createKeyring([OLD_MASTER]), clock, environment: 'staging' }
  const shop = { name: 'Shop', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto' } as const
  businessId = (await transaction(db, (tx) => createBusiness({ db: tx, clock }, shop))).id
})
after(() => opened.disposeAsync())

const make = () =>
  transaction(context.db, (tx) =>
    createApiKey({ ...context, db: tx }, { businessId, name: 'Key', allowedIps: ['192.0.2.1'] }),
  )

describe('Cached keys', () => {
  test('ATT-6: expire exactly with their overlap, also when just looked up', async () => {
    const { apiKey, key } = await make()
    await transaction(context.db, (tx) => rotateApiKey({ ...context, db: tx }, { keyId: apiKey.id, overlapHours: 1 }))
    const keys = createApiKeys(context)
    ms += 3_600_000 - 1
    ok(await keys.find(key))
    ms += 1
    equal(await keys.find(key), null)
    equal(await createApiKeys(context).find(key), null)
  })

  test('are looked up again after a second, and not before', async () => {
    const { apiKey, key } = await make()
    const keys = createApiKeys(context)
    ok(await keys.find(key))
    await revokeApiKey(context, apiKey.id)
    ms += 999
    ok(await keys.find(key))
    ms += 1
    equal(await keys.find(key), null)
  })

  test('are found under an older master key too, and not under a foreign one, nor in production', async () => {
    const { key } = await make()
    ok(await createApiKeys({ ...context, keyring: createKeyring([randomBytes(32), OLD_MASTER]) }).find(key))
    equal(await createApiKeys({ ...context, keyring: createKeyring([randomBytes(32)]) }).find(key), null)
    equal(await createApiKeys({ ...context, environment: 'production' }).find(key), null)
  })
})
