import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import { commitUnflushed } from '../db/unflushed.ts'
import { newId } from '../lib/ids.ts'
import type { Cents } from '../lib/money.ts'
import { type Authentication, type AuthenticationState, expiryOf } from './authentication.ts'
import {
  consumeAuthentication,
  findAuthentication,
  insertAuthentication,
  markMethodDone,
} from './authentication-queries.ts'
import {
  claimInquiry,
  claimSending,
  countBegun,
  expireUnfinished,
  recordLookup,
  recordVerdict,
} from './authentication-state-queries.ts'

let created: TestDatabase
let database: Database
before(async () => {
  created = await createTestDatabase()
  database = connect({ url: created.url })
})
after(async () => {
  await database.close()
  await created.drop()
})

const now = new Date('2026-11-22T12:00:00Z')
const CARD = Buffer.alloc(32, 1)

/** Creates an authentication in the given state. */
async function made(state: AuthenticationState = 'STARTED', sessionId = newId(), transStatus: string | null = null) {
  const { db } = database
  const place = { businessId: newId(), id: newId(), sessionId }
  await insertAuthentication(db, {
    ...place,
    source: 'new_card',
    cardFingerprint: CARD,
    storedCardId: null,
    amount: 100 as Cents,
    currency: 'USD',
    createdAt: now,
    expiresAt: expiryOf(now),
  })
  const lookup = { serverTransactionId: newId(), messageVersion: '2.2.0', methodUrl: null, now } as const
  equal(await recordLookup(db, place, { ...lookup, sealedCard: Buffer.from('card') }), true)
  await db.updateTable('authentication').set({ state, trans_status: transStatus }).where('id', '=', place.id).execute()
  return read(place)
}

async function read(place: Pick<Authentication, 'businessId' | 'id' | 'sessionId'>): Promise<Authentication> {
  const found = await findAuthentication(database.db, place)
  if (!found) throw new Error('no such authentication')
  return found
}

const verdict = (transStatus: 'Y' | 'N') => ({
  transStatus,
  reason: null,
  cardholderInfo: null,
  eci: null,
  dsTransactionId: null,
  sealedValue: Buffer.from('value'),
  expiresAt: now,
  counted: false,
  now,
})

describe('An authentication', () => {
  test('is sent by one of ten calls that have read it at the same time', async () => {
    const started = await made()
    const sending = { challengeWindow: '02', again: null, now }
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimSending(database.db, started, sending)))
    equal(claims.filter((claim) => claim !== null).length, 1)
    equal((await read(started)).state, 'SENT')
  })

  test('is not sent with a transaction that another call has renewed', async () => {
    const started = await made()
    await database.db
      .updateTable('authentication')
      .set({ server_transaction_id: newId() })
      .where('id', '=', started.id)
      .execute()
    equal(await claimSending(database.db, started, { challengeWindow: '02', again: null, now }), null)
  })

  test('waits for the disk where it counts or is used, and not before (TDS-30)', async () => {
    const [started, sent, alsoSent, done] = [await made(), await made('SENT'), await made('SENT'), await made()]
    const proved = await made('AUTHENTICATED')
    await database.db.updateTable('authentication').set({ decided_at: now }).where('id', '=', proved.id).execute()
    const use = { ...proved, operationId: newId(), now, decidedAfter: new Date(0) }
    const waits = (step: (tx: Tx) => Promise<unknown>) =>
      transaction(database.db, async (tx) => {
        await sql`set local synchronous_commit = on`.execute(tx)
        equal(Boolean(await step(tx)), true)
        const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(tx)
        return rows[0]?.synchronous_commit === 'on'
      })
    equal(await waits((tx) => recordVerdict(tx, sent, verdict('N'))), true)
    equal(await waits((tx) => consumeAuthentication(tx, use)), true)
    equal(await waits((tx) => recordVerdict(tx, alsoSent, verdict('Y'))), false)
    equal(await waits((tx) => claimSending(tx, started, { challengeWindow: '02', again: null, now })), false)
    equal(await waits((tx) => markMethodDone(tx, done, now).then(() => true)), false)
    equal(await waits((tx) => commitUnflushed(tx).then(() => true)), false)
  })

  test('has one result: of ten that arrive at once the first stays', async () => {
    const sent = await made('SENT')
    const recorded = await Promise.all(
      Array.from({ length: 10 }, (_, index) => recordVerdict(database.db, sent, verdict(index % 2 ? 'Y' : 'N'))),
    )
    equal(recorded.filter(Boolean).length, 1)
    const { state, transStatus } = await read(sent)
    equal(state, transStatus === 'Y' ? 'AUTHENTICATED' : 'FAILED')
  })

  test('that a newer one has ended takes no result', async () => {
    const sent = await made('SENT')
    await transaction(database.db, (tx) => expireUnfinished(tx, sent))
    equal(await recordVerdict(database.db, sent, verdict('Y')), false)
    const row = await database.db
      .selectFrom('authentication')
      .select(['state', 'sealed_value'])
      .where('id', '=', sent.id)
      .executeTakeFirst()
    deepEqual(row, { state: 'EXPIRED', sealed_value: null })
  })

  test('keeps its value only with Y and A', async () => {
    const sent = await made('SENT')
    await recordVerdict(database.db, sent, verdict('N'))
    const { sealed_value } = await database.db
      .selectFrom('authentication')
      .select('sealed_value')
      .where('id', '=', sent.id)
      .executeTakeFirstOrThrow()
    equal(sealed_value, null)
  })

  test('does what its table of states has, and nothing else', async () => {
    for (const state of ['CONSUMED', 'FAILED', 'EXPIRED', 'STARTED'] as const)
      await rejects(async () => recordVerdict(database.db, await made(state), verdict('Y')), /does not "authenticated"/)
  })

  test('is asked about by one of ten polls', async () => {
    const challenge = await made('CHALLENGE')
    const since = new Date(now.getTime() - 900)
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => claimInquiry(database.db, challenge, { now, since })),
    )
    equal(claims.filter(Boolean).length, 1)
    const later = { now: new Date(now.getTime() + 1_000), since: now }
    equal(await claimInquiry(database.db, challenge, later), true)
  })
})

describe('A newer authentication', () => {
  test('ends those that have no result, and no other', async () => {
    const sessionId = newId()
    for (const [state, after] of [
      ['STARTED', 'EXPIRED'],
      ['SENT', 'EXPIRED'],
      ['CHALLENGE', 'EXPIRED'],
      ['AUTHENTICATED', 'AUTHENTICATED'],
      ['CONSUMED', 'CONSUMED'],
      ['FAILED', 'FAILED'],
    ] as const) {
      const one = await made(state, sessionId)
      const other = await made(state)
      await transaction(database.db, (tx) => expireUnfinished(tx, one))
      deepEqual([(await read(one)).state, (await read(other)).state], [after, state])
    }
  })

  test('is refused for a card that the issuer has rejected in this session', async () => {
    const rejected = await made('FAILED', newId(), 'R')
    const place = { businessId: rejected.businessId, sessionId: rejected.sessionId }
    const of = (cardFingerprint: Buffer) => countBegun(database.db, { ...place, cardFingerprint })
    deepEqual(await of(CARD), { begun: 1, rejectedId: rejected.id })
    deepEqual(await of(Buffer.alloc(32, 2)), { begun: 1, rejectedId: null })
    deepEqual(await countBegun(database.db, { ...place, sessionId: newId(), cardFingerprint: CARD }), {
      begun: 0,
      rejectedId: null,
    })
  })
})
