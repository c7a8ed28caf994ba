import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSessionTokens } from '../../server/checkout/sessions/session-token.ts'
import { connect } from '../../server/db/connection.ts'
import { systemClock } from '../../server/lib/clock.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { createVault } from '../../server/vault/vault.ts'
import { type AuthenticationParts, authenticated } from '../support/authentication.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

// TDS-27, FLT-54 to FLT-56: a process that is killed while it uses an authentication never charges twice with it, and
// the next payment needs a new one.

const MASTER_KEY = Buffer.alloc(32, 9)
const ENV = { RIALTO_MASTER_KEY: MASTER_KEY.toString('base64') }

interface KilledShop extends AsyncDisposable {
  service: KillableService
  parts: AuthenticationParts
  token: string
  /** Returns the states of the authentications, and whether each belongs to an existing charge. */
  authentications(): Promise<string[]>
  /** Returns the sales that the gateway got with a proof, as their states there. */
  proved(): Promise<(string | null)[]>
}

/**
 * Opens a business with 3-D Secure, whose payer is authenticated and pays, while the process is killed at the place.
 */
async function openKilled(fault: FaultPlace): Promise<KilledShop> {
  const opened = new AsyncDisposableStack()
  const service = opened.use(await openKillableService({ env: ENV }))
  const database = connect({ url: service.databaseUrl, max: 2 })
  opened.defer(() => database.close())
  const { db } = database
  await db.updateTable('business').set({ three_ds_enabled: true }).execute()
  const keyring = createKeyring([MASTER_KEY])
  const vault = createVault({ db, keyring, clock: systemClock })
  const services = { db, clock: systemClock, keyring, vault, sessionTokens: createSessionTokens({ keyring }) }
  const parts = { app: { services } }
  // A process caches a business for a second.
  const token = await merchantOf(service).sessionToken()
  await until('the business asks for 3-D Secure', async () => (await payerOf(service).pay(token)).status === 408)
  await authenticated(parts, { token })
  await service.dieAt(fault)
  await rejects(payerOf(service).pay(token))
  await service.ended()
  return {
    service,
    parts,
    token,
    async authentications() {
      const rows = await db
        .selectFrom('authentication as a')
        .leftJoin('operation as o', (join) => join.onRef('o.id', '=', 'a.operation_id'))
        .select(['a.state', 'o.state as operation'])
        .orderBy('a.id')
        .execute()
      return rows.map(({ state, operation }) => `${state} ${operation ?? 'for nothing'}`)
    },
    proved: async () => (await service.simulator.rows()).filter(({ threeDs }) => threeDs).map(({ state }) => state),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Asserts that the authentication is used up; with a new one, the session is paid once. */
async function assertPaidWithAnother({ service, parts, token }: KilledShop): Promise<void> {
  // For five seconds after its use, a different request may still be about to charge with it.
  await until('it is used up', async () => (await payerOf(service).pay(token)).body.code === 'three_ds_expired')
  await authenticated(parts, { token })
  const { body } = await payerOf(service).pay(token)
  equal(body.result?.code, 'AA', JSON.stringify(body))
  await assertSoundBooks(service)
}

async function allFinal({ databaseUrl }: KillableService): Promise<void> {
  await using book = moneyRows(databaseUrl)
  await until('every outcome is final', async () => (await book.countOpen()) === 0)
}

describe('a process is killed with an authentication in its hands', { concurrency: 2 }, () => {
  test('FLT-54: between its use and the intent, nothing is charged with it, then or later', async () => {
    await using shop = await openKilled('before:intent_commit')
    deepEqual([await shop.authentications(), await shop.proved()], [['CONSUMED for nothing'], []])
    await shop.service.start({ env: ENV })
    await assertPaidWithAnother(shop)
    deepEqual(await shop.authentications(), ['CONSUMED for nothing', 'CONSUMED APPROVED'])
    deepEqual(await shop.proved(), ['open'])
  })

  test('FLT-55: after the intent, the sale ends as not charged, and its authentication is not used again', async () => {
    await using shop = await openKilled('after:intent_commit')
    deepEqual([await shop.authentications(), await shop.proved()], [['CONSUMED SENT'], []])
    await shop.service.start({ env: ENV })
    await allFinal(shop.service)
    await assertPaidWithAnother(shop)
    deepEqual(await shop.authentications(), ['CONSUMED NOT_CHARGED', 'CONSUMED APPROVED'])
    deepEqual(await shop.proved(), ['open'])
  })

  test('FLT-56: after the response of the gateway, the approval is voided, and the next has a proof of its own', async () => {
    await using shop = await openKilled('after:gateway_result')
    await shop.service.start({ env: ENV })
    await allFinal(shop.service)
    await assertPaidWithAnother(shop)
    deepEqual(await shop.authentications(), ['CONSUMED REVERSED', 'CONSUMED APPROVED'])
    deepEqual(await shop.proved(), ['voided', 'open'])
  })
})
