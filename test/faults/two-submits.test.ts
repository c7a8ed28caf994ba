import { doesNotMatch, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expireSessions } from '../../server/checkout/sessions/expire-sessions.ts'
import { CARDS } from '../support/card-numbers.ts'
import { bound } from '../support/deep.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { openOtherTab } from '../support/other-tab.ts'
import { openService, type TestService } from '../support/service.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { until } from '../support/until.ts'

const DAY_SECONDS = 24 * 3_600
const SESSIONS = bound({ quick: 40, deep: 300 })

const COPY_OF_THE_SALE = `insert into operation (business_id, id, kind, state, merchant_ref, owner_kind, owner_id, terminal_id,
    amount, currency, deadline_at, sent_at)
  select business_id, gen_random_uuid(), kind, 'SENT', 'ANOTHER', owner_kind, owner_id, terminal_id, amount, currency,
    deadline_at, sent_at from operation order by id desc limit 1`

describe('two at once on one session', () => {
  const opened = sharedService({ timeScale: 1 })

  test(`FLT-11: ${SESSIONS} sessions, each submitted twice at once, are each charged once`, async () => {
    const service = opened()
    const since = await fromNow(service)
    const tokens = await inTurns(SESSIONS, () => merchantOf(service).sessionToken())

    const responses = await inTurns(SESSIONS, (index) => submitTwice(service, tokens[index] ?? ''))

    for (const [first, second] of responses) {
      const [won, lost] = first.status === 200 ? [first, second] : [second, first]
      equal(won.body.result?.code, 'AA')
      ok(['payment_in_progress', 'session_completed'].includes(lost.body.code), JSON.stringify(lost.body))
    }
    equal((await since.rows()).length, SESSIONS)
  })

  test('FLT-12: a second submit that waits for the first is refused when the first commits its approval', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()
    await using first = await openOtherTab(service, token)
    await first.begin()
    await first.finish()

    const second = payerOf(service).pay(token)
    await untilAtLock(service)
    await first.commit()

    equal((await second).body.code, 'session_completed')
    equal((await since.rows()).length, 1)
  })

  test('FLT-12: a second submit that waits for the first is refused when the first has only begun', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()
    await using first = await openOtherTab(service, token)
    await first.begin()

    const second = payerOf(service).pay(token)
    await untilAtLock(service)
    await first.commit()

    equal((await second).body.code, 'payment_in_progress')
    equal((await since.rows()).length, 0)
    await first.finish()
  })

  test('FLT-12: a second submit at the lock while the first is approved violates the index, and does not deadlock', async () => {
    const service = opened()
    const since = await fromNow(service)
    const token = await merchantOf(service).sessionToken()
    // Longer than it takes to lock the session meanwhile.
    await service.simulator.script({ latency: { minMs: 3_000, maxMs: 3_000 } })
    const first = payerOf(service).pay(token)
    await until('the gateway has recorded it', async () => (await since.rows()).length === 1)
    await using second = await holdLock(service, 'select from checkout_session for no key update')
    await untilAtLock(service)

    await rejects(second.query(COPY_OF_THE_SALE), { code: '23505' })
    await second.release()

    equal((await first).body.result.code, 'AA')
    doesNotMatch(service.logged(), /could not be written down/)
  })

  test('two tabs that both decline are two attempts, also when the second began before the first ended', async () => {
    const service = opened()
    const token = await merchantOf(service).sessionToken()
    await using first = await openOtherTab(service, token, CARDS.declined)
    await first.begin()
    await first.finish()

    const second = payerOf(service).pay(token, payBody(CARDS.declined))
    await untilAtLock(service)
    await first.commit()

    equal((await second).body.attempt_count, 2)
  })

  test('a cancel that waits for a payment to begin is refused', async () => {
    const service = opened()
    const merchant = merchantOf(service)
    const token = await merchant.sessionToken()
    await using payment = await openOtherTab(service, token)
    await payment.begin()

    const cancel = merchant.cancel(token)
    await untilAtLock(service)
    await payment.commit()

    equal((await cancel).body.code, 'payment_in_progress')
    await payment.finish()
    equal((await merchant.details(token)).body.checkout_session.session_status, 'COMPLETED')
  })

  test('FLT-20: when its 24 hours end, a session whose payment begins is not expired, and its approval completes it', async () => {
    const service = opened()
    const [payer, tokens] = [payerOf(service), await inTurns(2, () => merchantOf(service).sessionToken())]
    const [paid = '', other = ''] = tokens
    await using book = moneyRows(service.databaseUrl)
    const pending = (await book.query("select from checkout_session where status = 'PENDING'")).length
    await using payment = await openOtherTab(service, paid)
    service.clock.advance(DAY_SECONDS - 8)
    await payment.begin()
    service.clock.advance(9)
    equal((await payer.pay(other)).body.code, 'session_expired', 'a payment cannot begin a moment later')

    const expiry = expireSessions(service.app.services)
    await untilAtLock(service)
    await payment.commit()

    equal(await expiry, pending - 1, 'all others')
    equal((await payer.validate(other)).body.status, 'EXPIRED')
    equal((await payer.pay(paid)).body.code, 'payment_in_progress')
    await payment.finish()
    equal((await payer.pay(paid)).body.code, 'session_completed')
  })
})

test('FLT-11, the control: without the unique index and the lock, two submits are two charges', async () => {
  await using service = await openService({ timeScale: 1 })
  await using book = moneyRows(service.databaseUrl)
  await book.query('drop index operation_one_sale_an_owner')
  const token = await merchantOf(service).sessionToken()
  await using other = await openOtherTab(service, token)
  await other.begin()
  await other.commit()
  // Like a service that has read the session before: it does not see the other tab.
  await using late = await openOtherTab(service, token)
  await late.begin()
  await late.commit()

  equal((await book.operations('sale')).length, 2)
})

function submitTwice(service: TestService, token: string): Promise<[Response, Response]> {
  const payer = payerOf(service)
  return Promise.all([payer.pay(token), payer.pay(token)])
}

/** Runs ten at a time: the pool is not under test. */
async function inTurns<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  const made: Value[] = []
  while (made.length < count) {
    const start = made.length
    const turn = Math.min(10, count - start)
    made.push(...(await Promise.all(Array.from({ length: turn }, (_, index) => make(start + index)))))
  }
  return made
}
