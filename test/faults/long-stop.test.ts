import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expireSessions } from '../../server/checkout/sessions/expire-sessions.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { holdLock } from '../support/hold-lock.ts'
import { merchantOf } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { paidSale } from '../support/reconciled-service.ts'
import { openService, type TestService } from '../support/service.ts'

// Two jobs read rows in the order of a timestamp, starting at their recorded progress: there is no index of open rows,
// because each payment would have to write it. Neither a stop of any length nor a wrong clock may hide a row from them.

/** More rows than one portion of either job. */
const MANY = 21_000

/**
 * Inserts a payment whose process was killed after it sent the sale, `days` ago; the job's progress was a day before
 * that.
 */
async function leftSent(service: TestService, book: MoneyRows, days: number): Promise<string> {
  const sale = await paidSale(service)
  await book.query('delete from payment; delete from gateway_reference')
  await book.query("update checkout_session set status = 'PENDING', completed_at = null")
  await book.setState('SENT')
  await book.query(
    'update operation set gateway_ref = null, finalized_at = null, sent_at = sent_at - make_interval(days => $1)',
    [days],
  )
  await reachedBefore(book, 'claim abandoned operations', days + 1)
  return sale
}

const reachedBefore = (book: MoneyRows, job: string, days: number) =>
  book.query(
    `insert into job_progress values ($1, clock_timestamp() - make_interval(days => $2))
     on conflict (job) do update set reached_at = excluded.reached_at`,
    [job, days],
  )

/** Inserts as many payments as if they were made since then. */
const manySales = (book: MoneyRows, days: number) =>
  book.query(
    `insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, terminal_id, amount, currency,
       sent_at, deadline_at)
     select business_id, gen_random_uuid(), 'sale', 'APPROVED', 'session', gen_random_uuid(), 'MANY-' || n, terminal_id, amount,
       currency, sent_at - make_interval(days => $1) + make_interval(secs => n / 100), deadline_at
     from operation, generate_series(1, ${MANY}) n`,
    [days],
  )

const stateOf = async (book: MoneyRows, merchantRef: string) =>
  (await book.operations('sale')).find((one) => one.merchant_ref === merchantRef)?.state

describe('after recovery stopped for a month', () => {
  test('an abandoned sale is found, also behind more sales than one statement reads', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const sale = await leftSent(service, book, 30)
    // A day before it, where the job begins.
    await manySales(book, 1)

    equal(await resolveOperations(service.app.services), 1)
    equal(await stateOf(book, sale), 'REVERSED')
  })

  test('one that another process is recording at that moment is not skipped', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const sale = await leftSent(service, book, 30)
    await using other = await holdLock(service, 'select from operation for update')

    equal(await resolveOperations(service.app.services), 0)
    await other.release()
    equal(await resolveOperations(service.app.services), 1)
    equal(await stateOf(book, sale), 'REVERSED')
  })

  test('one whose process had a slow clock is found', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const sale = await leftSent(service, book, 0)
    await book.query("update operation set sent_at = sent_at - interval '4 minutes'")
    await book.query(
      "insert into job_progress values ('claim abandoned operations', clock_timestamp()) on conflict (job) do update set reached_at = excluded.reached_at",
    )

    equal(await resolveOperations(service.app.services), 1)
    equal(await stateOf(book, sale), 'REVERSED')
  })
})

describe('after a clock that ran a day ahead was corrected', () => {
  const aheadByADay = (book: MoneyRows, job: string) => reachedBefore(book, job, -1)
  const progressIsPast = async (book: MoneyRows, job: string) => {
    const [row] = await book.query<{ past: boolean }>(
      'select reached_at <= clock_timestamp() as past from job_progress where job = $1',
      [job],
    )
    return row?.past
  }

  test('an abandoned sale is found, also when recovery then stopped for hours', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const sale = await leftSent(service, book, 0)
    await aheadByADay(book, 'claim abandoned operations')
    await book.query("update operation set sent_at = sent_at - interval '3 hours'")

    equal(await resolveOperations(service.app.services), 1)
    equal(await stateOf(book, sale), 'REVERSED')
    await resolveOperations(service.app.services)
    equal(await progressIsPast(book, 'claim abandoned operations'), true)
  })

  test('an expired session is closed, also when the job then stopped for hours', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    await merchantOf(service).createSession()
    await book.query("update checkout_session set expires_at = clock_timestamp() - interval '3 hours'")
    await aheadByADay(book, 'expire sessions')

    equal(await expireSessions(service.app.services), 1)
    equal(await progressIsPast(book, 'expire sessions'), true)
  })
})

describe('after the closing of sessions stopped for a month', () => {
  test('an expired session is closed, also behind more sessions than one statement reads', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    await merchantOf(service).createSession()
    const expired = "update checkout_session set expires_at = expires_at - interval '30 days'"
    await book.query(expired)
    await reachedBefore(book, 'expire sessions', 31)
    const columns = `business_id, client_id, token_key_id, customer_named_by, search_text, ui_mode, mode, currency, amount_total,
      success_url, cancel_url, parent_origin, created_at`
    await book.query(
      `insert into checkout_session (id, status, expires_at, ${columns})
       select gen_random_uuid(), 'COMPLETED', expires_at - interval '1 day' + make_interval(secs => n / 100), ${columns}
       from checkout_session, generate_series(1, ${MANY}) n`,
    )

    equal(await expireSessions(service.app.services), 1)
    const statuses = await book.query('select status, count(*)::int as n from checkout_session group by 1 order by 1')
    deepEqual(statuses, [
      { status: 'COMPLETED', n: MANY },
      { status: 'EXPIRED', n: 1 },
    ])
  })

  test('progress is recorded, so that old sessions are not read again', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    await reachedBefore(book, 'expire sessions', 31)
    await expireSessions(service.app.services)
    const [row] = await book.query<{ recent: boolean }>(
      "select reached_at > clock_timestamp() - interval '1 minute' as recent from job_progress where job = 'expire sessions'",
    )
    equal(row?.recent, true)
  })
})
