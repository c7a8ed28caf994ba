import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSessionTokens } from '../../server/checkout/sessions/session-token.ts'
import { connect, type Database } from '../../server/db/connection.ts'
import { systemClock } from '../../server/lib/clock.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { createVault } from '../../server/vault/vault.ts'
import { type AuthenticationParts, authenticated } from '../support/authentication.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { fromNow, type Since, sharedKillableService } from '../support/shared-services.ts'
import { openedLink, planInput, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

// A process is killed while a payer pays, signs up or uses an authentication. All tests have one service and its books.

const MASTER_KEY = Buffer.alloc(32, 9)
const ENV = { RIALTO_MASTER_KEY: MASTER_KEY.toString('base64') }

let database: Database
let book: MoneyRows
after(async () => {
  await book[Symbol.asyncDispose]()
  await database.close()
})
const opened = sharedKillableService({ env: ENV })
before(async () => {
  database = connect({ url: opened().databaseUrl, max: 2 })
  book = moneyRows(opened().databaseUrl)
  // Before the first request, because a process caches a business for a second.
  await book.query("update business set cvv_policy = 'decline_mismatch'")
})

const start = () => opened().start({ env: ENV })
const sessionToken = (input: Record<string, unknown> = {}) =>
  merchantOf(opened()).sessionToken({ customer_email: `${newId()}@example.com`, ...input })
const pay = (token: string, body?: unknown) => payerOf(opened()).pay(token, body)
const attemptsOf = async (token: string) =>
  (await merchantOf(opened()).details(token)).body.checkout_session.attempt_count
const allFinal = () => until('every outcome is final', async () => (await book.countOpen()) === 0)

async function eventsById(): Promise<Map<string, string>> {
  const rows = await book.query<{ id: string; type: string }>('select id, type from event')
  return new Map(rows.map(({ id, type }) => [id, type]))
}

/** Pays a session while the process is killed at the place. */
async function killedAt(place: FaultPlace, token: string, body?: unknown): Promise<void> {
  await opened().dieAt(place)
  await rejects(pay(token, body))
  equal(await opened().ended(), null)
}

describe('a process is killed in the middle of a payment', () => {
  test('FLT-1: killed before the intent is committed, nothing is recorded and the customer submits again', async () => {
    const [since, token] = [await fromNow(opened()), await sessionToken()]
    await killedAt('before:intent_commit', token)
    deepEqual([await since.states(), await since.rows()], [[], []])

    await start()

    equal((await pay(token)).body.result.code, 'AA')
  })

  test('FLT-2: killed before the request is sent, the sale ends as not charged and the customer submits again', async () => {
    const [since, token] = [await fromNow(opened()), await sessionToken()]
    await killedAt('after:intent_commit', token)
    deepEqual(await since.rows(), [])

    await start()

    equal((await pay(token)).body.code, 'payment_in_progress')
    await allFinal()
    deepEqual(await since.states(), ['NOT_CHARGED'])
    equal(await attemptsOf(token), 0)
    equal((await pay(token)).body.result.code, 'AA')
  })

  test('FLT-3: killed while the gateway responds, the approval is found and voided', async () => {
    const [since, token] = [await fromNow(opened()), await sessionToken()]
    await opened().simulator.script({ latency: { minMs: 500, maxMs: 500 } })
    const lost = rejects(pay(token))
    await until('the gateway has recorded it', async () => (await since.rows()).length === 1)
    await opened().kill()
    await lost
    await opened().simulator.resetScript()

    await start()

    await assertReversedAndPayable(since, token)
  })

  test('FLT-4: killed after the response arrived, the approval is found and voided', async () => {
    const [since, token] = [await fromNow(opened()), await sessionToken()]
    await killedAt('after:gateway_result', token)

    await start()

    await assertReversedAndPayable(since, token)
  })

  test('FLT-5: killed before the payer gets the response, the session is paid once and shows it', async () => {
    const [earlier, token] = [await eventsById(), await sessionToken()]
    await killedAt('after:result_commit', token)

    await start()

    equal((await payerOf(opened()).validate(token)).body.status, 'COMPLETED')
    equal((await pay(token)).body.code, 'session_completed')
    const events = [...(await eventsById())].flatMap(([id, type]) => (earlier.has(id) ? [] : [type]))
    deepEqual(events.sort(), ['checkout.session.completed', 'customer.created'])
  })

  for (const [what, card] of [
    ['a partial approval', CARDS.partial],
    ['an approval that the policy refuses', CARDS.approvedCvvMismatch],
  ] as const)
    test(`FLT-18: killed between ${what} and its void, it is voided and the attempt counts`, async () => {
      const [since, token] = [await fromNow(opened()), await sessionToken()]
      await killedAt('after:result_commit', token, payBody(card))
      deepEqual(await since.states(), ['REVERSING', 'SENT'])

      await start()

      await allFinal()
      deepEqual(await since.states(), ['REVERSED', 'APPROVED'])
      equal(await attemptsOf(token), 1)
    })

  test('killed again and again while it recovers, it ends the same', async () => {
    const [since, token] = [await fromNow(opened()), await sessionToken()]
    await killedAt('after:gateway_result', token)
    await opened().simulator.script({ latency: { minMs: 400, maxMs: 400 } })

    for (const inquired of [1, 2]) {
      await start()
      await until('recovery has taken it', async () => ((await since.operations('sale'))[0]?.epoch ?? 0) > inquired)
      await opened().kill()
    }
    await opened().simulator.resetScript()
    await start()

    await assertReversedAndPayable(since, token)
  })

  async function assertReversedAndPayable(since: Since, token: string): Promise<void> {
    await allFinal()
    deepEqual(await since.states(), ['REVERSED', 'APPROVED'])
    equal((await pay(token)).body.result.code, 'AA')
  }
})

// CHK-20, SUB-3: a process that is killed while a customer signs up leaves everything or nothing, and charges once.
describe('a process is killed while a customer signs up', () => {
  const MADE = ['customer', 'stored_card', 'subscription', 'bill', 'payment', 'product', 'price']
  const LOST = ['before:intent_commit', 'after:intent_commit', 'after:gateway_result'] as const

  async function counts(): Promise<Record<string, number>> {
    const of = MADE.map((table) => `(select count(*)::int from ${table}) as ${table}`)
    const [row = {}] = await book.query<Record<string, number>>(`select ${of.join(', ')}`)
    return row
  }

  /** Returns a function that asserts how many rows each table has got since. */
  async function countingFromNow() {
    const before = await counts()
    return async (count: number): Promise<void> => {
      const now = await counts()
      deepEqual(
        MADE.map((table) => [table, (now[table] ?? 0) - (before[table] ?? 0)]),
        MADE.map((table) => [table, count]),
      )
    }
  }

  const planToken = () => {
    const name = `Tea ${newId()}`
    return sessionToken({
      ...planInput({}, { name }),
      line_items: [{ name, quantity: 1, unit_amount: 25.5, total: 25.5 }],
    })
  }

  for (const fault of LOST)
    test(`${fault}: nothing of the subscription is left, and the customer pays again`, async () => {
      const assertMade = await countingFromNow()
      const token = await planToken()
      await killedAt(fault, token)
      await assertMade(0)

      await start()

      await allFinal()
      await assertMade(0)
      equal((await pay(token)).body.ok, true)
      await assertMade(1)
    })

  test('after:result_commit: everything is there once, and the session shows it', async () => {
    const assertMade = await countingFromNow()
    const token = await planToken()
    await killedAt('after:result_commit', token)

    await start()

    await assertMade(1)
    equal((await pay(token)).body.code, 'session_completed')
  })

  test('after:gateway_result, on the link of a subscription: it still waits, and the customer pays again', async () => {
    const api = merchantApiOf(opened())
    const made = await waitingSubscription(api)
    const body = payBody(undefined, {}, { amount: 25 })
    const token = await openedLink(made.checkout_url)
    await killedAt('after:gateway_result', token, body)

    await start()

    await allFinal()
    equal((await api.get(`/subscriptions/${made.id}`)).body.status, 'pending_payment_method')
    const paid = await pay(token, body)
    equal(paid.body.ok, true)
    const { body: payments } = await api.get(`/subscriptions/${made.id}/payments`)
    deepEqual([payments.data.length, payments.data[0].id], [1, paid.body.result.recordID])
  })
})

test('LTR-10: killed between composing and the commit, the letters are composed exactly once', async () => {
  const DUE = 'notification where due_at is not null'
  const count = async (what: string) => {
    const [row] = await book.query<{ count: number }>(`select count(*)::int as count from ${what}`)
    return row?.count ?? 0
  }
  // The lease of a killed process ends a minute later.
  const endLeases = () => book.query("update notification set due_at = '-infinity' where due_at is not null")
  await endLeases()
  await until('all earlier letters are composed', async () => (await count(DUE)) === 0)
  const [payments, letters] = [await count('payment'), await count('letter')]
  const token = await sessionToken(planInput())
  await opened().dieAt('before:letter_commit')
  await pay(token).catch(() => null)
  await opened().ended()
  deepEqual([(await count('payment')) - payments, (await count('letter')) - letters, await count(DUE)], [1, 0, 2])
  await endLeases()

  await start()

  await until('the letters are composed', async () => (await count(DUE)) === 0)
  equal((await count('letter')) - letters, 2)
})

test('FLT-39: on SIGTERM the payments in flight are finished, and the process ends with 0', async () => {
  const service = opened()
  // In real time: ten concurrent payments take a busy machine longer than a tenth of the gateway's 15 seconds.
  await service.kill()
  await service.start({ env: { ...ENV, RIALTO_TIME_SCALE: '1' } })
  const since = await fromNow(opened())
  await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
  const tokens = await Promise.all(Array.from({ length: 10 }, () => sessionToken()))
  const responses = tokens.map((token) => pay(token))
  await until('all are at the gateway', async () => (await since.rows()).length === 10)

  equal(await service.terminate(), 0)

  for (const response of await Promise.all(responses))
    equal(response.body.result?.code, 'AA', JSON.stringify(response.body))
  deepEqual(await since.states(), Array(10).fill('APPROVED'))
})

// TDS-27, FLT-54 to FLT-56: a process that is killed while it uses an authentication never charges twice with it, and
// the next payment needs a new one.
describe('a process is killed with an authentication in its hands', () => {
  let parts: AuthenticationParts
  before(async () => {
    const { db } = database
    await db.updateTable('business').set({ three_ds_enabled: true }).execute()
    const keyring = createKeyring([MASTER_KEY])
    const vault = createVault({ db, keyring, clock: systemClock })
    const services = { db, clock: systemClock, keyring, vault, sessionTokens: createSessionTokens({ keyring }) }
    parts = { app: { services } }
  })

  /** Opens a session whose payer is authenticated and pays, while the process is killed at the place. */
  async function openKilled(place: FaultPlace): Promise<{ token: string; since: Since }> {
    // A process caches a business for a second.
    await until('the business asks for 3-D Secure', async () => (await pay(await sessionToken())).status === 408)
    const token = await sessionToken()
    const since = await fromNow(opened())
    await authenticated(parts, { token })
    await killedAt(place, token)
    return { token, since }
  }

  /** Asserts that the authentication is used up; with a new one, the session is paid once. */
  async function assertPaidWithAnother(token: string): Promise<void> {
    // For five seconds after its use, a different request may still be about to charge with it.
    await until('it is used up', async () => (await pay(token)).body.code === 'three_ds_expired')
    await authenticated(parts, { token })
    const { body } = await pay(token)
    equal(body.result?.code, 'AA', JSON.stringify(body))
    await assertSoundBooks(opened())
  }

  /** Returns the states of the authentications of a session, and whether each belongs to an existing charge. */
  async function authentications(token: string): Promise<string[]> {
    const rows = await database.db
      .selectFrom('authentication as a')
      .leftJoin('operation as o', (join) => join.onRef('o.id', '=', 'a.operation_id'))
      .select(['a.state', 'o.state as operation'])
      .where('a.session_id', '=', parts.app.services.sessionTokens.open(token)?.id ?? '')
      .orderBy('a.id')
      .execute()
    return rows.map(({ state, operation }) => `${state} ${operation ?? 'for nothing'}`)
  }

  /** Returns the sales that the gateway got with a proof, as their states there. */
  const proved = async (since: Since) => (await since.rows()).filter(({ threeDs }) => threeDs).map(({ state }) => state)

  test('FLT-54: between its use and the intent, nothing is charged with it, then or later', async () => {
    const { token, since } = await openKilled('before:intent_commit')
    deepEqual([await authentications(token), await proved(since)], [['CONSUMED for nothing'], []])
    await start()
    await assertPaidWithAnother(token)
    deepEqual(await authentications(token), ['CONSUMED for nothing', 'CONSUMED APPROVED'])
    deepEqual(await proved(since), ['open'])
  })

  test('FLT-55: after the intent, the sale ends as not charged, and its authentication is not used again', async () => {
    const { token, since } = await openKilled('after:intent_commit')
    deepEqual([await authentications(token), await proved(since)], [['CONSUMED SENT'], []])
    await start()
    await allFinal()
    await assertPaidWithAnother(token)
    deepEqual(await authentications(token), ['CONSUMED NOT_CHARGED', 'CONSUMED APPROVED'])
    deepEqual(await proved(since), ['open'])
  })

  test('FLT-56: after the response of the gateway, the approval is voided, and the next has a proof of its own', async () => {
    const { token, since } = await openKilled('after:gateway_result')
    await start()
    await allFinal()
    await assertPaidWithAnother(token)
    deepEqual(await authentications(token), ['CONSUMED REVERSED', 'CONSUMED APPROVED'])
    deepEqual(await proved(since), ['voided', 'open'])
  })
})
