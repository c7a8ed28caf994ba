import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { moveTestClock } from '../../server/businesses/test-clock-queries.ts'
import { createAdvanceTestClock, type TestClockServices } from '../../server/test-clock/advance-test-clock.ts'
import type { DueWork } from '../../server/test-clock/due-work.ts'
import { setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { type StillClock, stillClock } from '../support/still-clock.ts'

// OPS-21, OPS-42, OPS-43: how an advance moves from one instant to the next, with the test's own work.

const START = '2027-01-31T15:00:00Z'
const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000)

let clock: StillClock
let service: TestService
let id: string
before(async () => {
  clock = stillClock(START)
  service = await openService({ clock })
  id = service.demo.business_id
})
after(() => service.close())
beforeEach(() => setBusiness(service, { clock_offset_seconds: 0 }))

const offset = async () => {
  const rows = await service.app.services.db
    .selectFrom('business')
    .select('clock_offset_seconds')
    .where('id', '=', id)
    .execute()
  return rows[0]?.clock_offset_seconds
}

/**
 * Returns work that is due at these seconds after the start. @param run called at each, with the offset of the clock
 */
function workAt(
  seconds: number[],
  run: (offset: number) => Promise<void> = async () => {},
): DueWork & { ranAt: number[] } {
  const ranAt: number[] = []
  const waiting = [...seconds]
  return {
    ranAt,
    nextAt: async (_id, since) => waiting.map(at).find((instant) => instant > since) ?? null,
    async run() {
      const now = Number(await offset())
      const due = waiting.findIndex((second) => second <= now)
      if (due === -1) return {}
      await run(now)
      ranAt.push(now)
      waiting.splice(due, 1)
      return { bills: 1 }
    },
  }
}

function advanceOf(dueWork: DueWork[], more: Partial<TestClockServices> = {}) {
  const { db, log, timings } = service.app.services
  const nothing = { resolve: async () => {}, composeLetters: async () => {}, forgetBusinesses: () => {} }
  return createAdvanceTestClock({ db, clock, log, timings, dueWork, ...nothing, ...more })
}

describe('an advance of the test clock', { concurrency: false }, () => {
  test('stands at each instant at which something falls due, in order, and ends at its target', async () => {
    const bills = workAt([10, 10, 300])
    const sessions = workAt([20, 400])
    const { now, offset_seconds, ran, done } = await advanceOf([bills, sessions])({ id }, { seconds: 350 })
    deepEqual([bills.ranAt, sessions.ranAt], [[10, 10, 300], [20]])
    deepEqual([ran.bills, done, offset_seconds, now], [4, true, 350, Math.floor(at(350).getTime() / 1_000)])
  })

  test('what was due before it began is done first', async () => {
    const late = workAt([0])
    await advanceOf([late])({ id }, { seconds: 5 })
    deepEqual(late.ranAt, [0])
  })

  test('a failure leaves the clock where it was, and the next advance goes on from there', async () => {
    let failures = 1
    const work = workAt([10, 20, 30], async (now) => {
      if (now === 20 && failures-- > 0) throw new Error('The process died')
    })
    const advance = advanceOf([work])
    await rejects(advance({ id }, { seconds: 60 }), /The process died/)
    equal(await offset(), 20)
    deepEqual((await advance({ id }, { seconds: 40 })).offset_seconds, 60)
    deepEqual(work.ranAt, [10, 20, 30])
  })

  test('another process that moves the clock meanwhile stops it', async () => {
    const work = workAt([10, 20], async () => {
      await moveTestClock(service.app.services.db, id, { from: 10, to: 15 })
    })
    await rejects(advanceOf([work])({ id }, { seconds: 60 }), { code: 'conflict' })
    equal(await offset(), 15)
  })

  test('work that can never be done ends an instant after some runs, and time goes on', async () => {
    const stuck: DueWork = { nextAt: async () => null, run: async () => ({ bills: 1 }) }
    const { ran, done } = await advanceOf([stuck])({ id }, { seconds: 5 })
    deepEqual([done, ran.bills], [true, 1_000])
  })

  test('an unknown outcome is waited for, for a while', async () => {
    let resolved = 0
    const unresolved: DueWork = { nextAt: async () => null, run: async () => ({}), countWaiting: async () => 1 }
    const begin = performance.now()
    const advance = advanceOf([unresolved, workAt([10, 20])], {
      resolve: async () => {
        resolved += 1
      },
    })
    const { done, ran, offset_seconds } = await advance({ id }, { seconds: 60 })
    deepEqual([done, ran.in_doubt, ran.bills, offset_seconds], [true, 1, 2, 60])
    ok(resolved >= 2)
    // 30 seconds in total, and this service's times are divided by twenty.
    ok(performance.now() - begin < 25_000)
  })

  test('after 90 seconds it says how far it came, and the rest is another advance', async () => {
    let passedMs = 0
    const slow = { now: clock.now, monotonicMs: () => passedMs }
    const work = workAt([10, 20, 30], async () => {
      passedMs += 50_000
    })
    const advance = advanceOf([work], { clock: slow })
    const part = await advance({ id }, { seconds: 60 })
    deepEqual([part.done, part.offset_seconds, work.ranAt], [false, 20, [10, 20]])
    const rest = await advance({ id }, { to: part.target })
    deepEqual([rest.done, rest.offset_seconds, work.ranAt], [true, 60, [10, 20, 30]])
  })
})
