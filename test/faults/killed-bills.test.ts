import { deepEqual, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import type { Cents } from '../../server/lib/money.ts'
import { dayOf } from '../../server/subscriptions/plan/calendar.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { load, run, subscribe } from '../support/billing.ts'
import { holdLock } from '../support/hold-lock.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { openService, type TestService } from '../support/service.ts'
import { resolveAll } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// BIL-32: a worker is killed while it charges bills whose steps are committed together. Wherever it is killed, each
// bill is paid once in the end, and the gateway has one sale for it.

const PROGRAM = fileURLToPath(new URL('../support/bill-worker-program.ts', import.meta.url))
const TIME_SCALE = 0.1
const BILLS = 6
/** Longer than the wait of a bill that was not charged. */
const REPEAT_SECONDS = 400

type Service = TestService & { clock: MovableClock; timeScale: number; stored: StoredCardIds }

/** Tables that the group's statement writes: while a test holds a lock on one, the statement is in progress. */
const STEPS = { intents: 'bill', approvals: 'payment' } as const

describe('a worker is killed while it bills', () => {
  let service: Service
  let book: MoneyRows
  before(async () => {
    const clock = movableClock()
    const opened = await openService({ timeScale: TIME_SCALE, clock })
    service = { ...opened, clock, timeScale: TIME_SCALE, stored: await storeCard(opened, 'ana@example.com') }
    book = moneyRows(service.databaseUrl)
  })
  after(async () => {
    await book[Symbol.asyncDispose]()
    await service.close()
  })

  for (const place of ['after:intent_commit', 'after:gateway_result', 'after:result_commit'] as const) {
    test(place, async () => {
      const due = await subscribeAll()
      const worker = startWorker(place)
      await once(worker, 'exit')
      deepEqual(worker.signalCode, 'SIGKILL')
      await assertPaidOnce(due)
    })
  }

  for (const [step, table] of Object.entries(STEPS)) {
    for (const isCommitted of [true, false]) {
      test(`while its ${step} are being committed, which ${isCommitted ? 'happens' : 'does not happen'}`, async () => {
        const due = await subscribeAll()
        await using lock = await holdLock(service, `lock table ${table} in share mode`)
        const worker = startWorker()
        const exited = once(worker, 'exit')
        await until('a group is being committed', async () => (await groupsUnderWay()) > 0)
        worker.kill('SIGKILL')
        await exited
        if (!isCommitted) await book.query(`select pg_terminate_backend(pid) ${UNDER_WAY}`)
        await lock.release()
        await until('no statement is under way', async () => (await groupsUnderWay()) === 0)
        await assertPaidOnce(due)
      })
    }
  }

  const UNDER_WAY = `from pg_stat_activity where datname = current_database() and state = 'active'
    and query like 'with given as%' and pid <> pg_backend_pid()`
  const groupsUnderWay = async () => (await book.query(`select pid ${UNDER_WAY}`)).length

  const startWorker = (fault: FaultPlace | '' = ''): ChildProcess => {
    const { url, secret } = service.simulatorAccess
    const ahead = (service.clock.now().getTime() - Date.now()) / 1_000
    return spawn(
      process.execPath,
      [PROGRAM, service.databaseUrl, url, secret, String(TIME_SCALE), String(ahead), fault],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
  }

  let amounts = 5_000
  const subscribeAll = () => {
    const startDate = dayOf(service.clock.now(), 'America/Toronto')
    return Promise.all(
      Array.from({ length: BILLS }, () => subscribe(service, { startDate, amount: ++amounts as Cents })),
    )
  }

  async function assertPaidOnce(due: readonly Subscription[]): Promise<void> {
    await resolveAll(service)
    service.clock.advance(REPEAT_SECONDS)
    await run(service)
    const rows = await service.simulator.rows()
    const paid = await Promise.all(due.map(async (one) => (await load(service, one)).subscription.paidBills))
    const sales = due.map(({ amount }) => rows.filter((row) => row.op === 'sale' && row.amount === amount).length)
    deepEqual([paid, sales], [due.map(() => 1), due.map(() => 1)])
    ok(rows.every(({ op }) => op !== 'void'))
    await assertSoundBooks(service)
  }
})
