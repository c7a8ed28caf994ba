import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { type BillingService, load, openBillingService, run, subscribe } from '../support/billing.ts'
import { holdLock } from '../support/hold-lock.ts'
import { moneyRows } from '../support/money-rows.ts'
import { resolveAll } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

const DAY = '2027-03-10'

async function sales({ simulator }: BillingService, amount: number): Promise<number> {
  return (await simulator.rows()).filter((row) => row.op === 'sale' && row.amount === amount).length
}

describe('Bills whose steps are written together (BIL-32)', () => {
  let service: BillingService
  before(async () => {
    service = await openBillingService(DAY)
  })
  after(() => service.close())

  /** Creates one due subscription per amount. */
  const subscribeAll = (...amounts: number[]) =>
    Promise.all(amounts.map((amount) => subscribe(service, { startDate: DAY as Day, amount: amount as Cents })))
  const isPaid = async (due: Subscription) => (await load(service, due)).subscription.paidBills === 1
  const areSalesOf = async (...amounts: number[]) =>
    deepEqual(
      await Promise.all(amounts.map((amount) => sales(service, amount))),
      amounts.map(() => 1),
    )

  test('one whose subscription another request holds waits for it alone', async () => {
    const [held, ...others] = await subscribeAll(2_001, 2_002, 2_003)
    await using book = moneyRows(service.databaseUrl)
    await using lock = await holdLock(service, 'select from subscription where id = $1 for no key update', [held?.id])
    const running = run(service)
    await until('the others are paid', async () => (await Promise.all(others.map(isPaid))).every(Boolean))
    equal(await sales(service, 2_001), 0)
    await lock.release()
    equal((await running).approved, 3)
    await areSalesOf(2_001, 2_002, 2_003)
    deepEqual(await book.query('select from bill where status <> $1', ['FULFILLED']), [])
    await assertSoundBooks(service)
  })

  test('an intent that the database refuses takes no other with it', async () => {
    const [refused, ...others] = await subscribeAll(3_001, 3_002, 3_003)
    await using book = moneyRows(service.databaseUrl)
    // The period already has a bill.
    await book.query(
      `insert into bill (business_id, id, subscription_id, segment_no, period_no, period_start, period_end, status,
         closed_reason, created_at) select business_id, $2, id, 0, 0, start_date, start_date + 31, 'CLOSED', 'skipped', $3
       from subscription where id = $1`,
      [refused?.id, newId(), service.clock.now()],
    )
    equal((await run(service)).approved, 2)
    deepEqual(await Promise.all(others.map(isPaid)), [true, true])
    equal(await sales(service, 3_001), 0)
    await areSalesOf(3_002, 3_003)
    await book.query('update subscription set due_at = null where id = $1', [refused?.id])
    await assertSoundBooks(service)
  })

  test('an approval that the database refuses takes no other with it, and is adopted later', async () => {
    const [refused, ...others] = await subscribeAll(4_001, 4_002, 4_003)
    await using book = moneyRows(service.databaseUrl)
    await book.query(`create function refuse_payment() returns trigger language plpgsql as
      $$ begin if new.amount = 4001 then raise exception 'refused'; end if; return new; end $$`)
    await book.query('create trigger refused before insert on payment for each row execute function refuse_payment()')
    const { approved, unknown } = await run(service)
    deepEqual([approved, unknown], [2, 1])
    deepEqual(await Promise.all(others.map(isPaid)), [true, true])
    await book.query('drop trigger refused on payment')
    await resolveAll(service)
    equal(refused && (await isPaid(refused)), true)
    await areSalesOf(4_001, 4_002, 4_003)
    await assertSoundBooks(service)
  })
})
