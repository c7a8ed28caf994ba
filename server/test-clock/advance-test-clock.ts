import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { TestClockAdvance, TestClockAdvanced } from '../../contract/test-clock.ts'
import { type Business, businessNow } from '../businesses/business.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { offsetFor, targetOf } from '../businesses/test-clock.ts'
import { moveTestClock } from '../businesses/test-clock-queries.ts'
import type { Db } from '../db/connection.ts'
import { type Clock, epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import type { DueWork, Ran } from './due-work.ts'

export interface TestClockServices {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  timings: { scale: number }
  /** Kinds of work, in the order in which work due at the same instant is done. */
  dueWork: readonly DueWork[]
  /** Resolves charges with an unknown outcome, if their inquiry is due. */
  resolve(): Promise<unknown>
  /** Composes the letters about what was done, so that they exist when the advance responds. */
  composeLetters(businessId: string): Promise<void>
  /** Clears this process's cache of businesses, which otherwise lasts a second. */
  forgetBusinesses(): void
}

/** Real-time limit of one advance: connections without a byte are closed after 120 seconds. */
const ADVANCE_MS = 90_000
/** Total real time that one advance waits for unknown outcomes. */
const DOUBT_MS = 30_000
const DOUBT_LOOK_MS = 200
/** Each run charges a subscription only once, so missed days need several runs. */
const RUNS_MAX = 1_000

interface Advance {
  businessId: string
  /** Business's time when the advance began. */
  since: Date
  ran: Ran
  doubtMsLeft: number
}

export type AdvanceTestClock = (business: Pick<Business, 'id'>, input: TestClockAdvance) => Promise<TestClockAdvanced>

/**
 * Returns the function that advances clocks. Within a process, a second concurrent advance of the same clock is
 * refused. After a crash, the clock stands at an instant at which something fell due, and the workers do that work.
 *
 * @see OPS-20, OPS-21
 */
export function createAdvanceTestClock(services: TestClockServices): AdvanceTestClock {
  const advancing = new Set<string>()
  return async ({ id }, input) => {
    if (advancing.has(id)) throw clockIsMoving()
    advancing.add(id)
    try {
      return await advance(services, id, input)
    } finally {
      advancing.delete(id)
    }
  }
}

const clockIsMoving = () =>
  new ApiError('conflict', { message: 'Another advance of this test clock is running. Wait until it has responded.' })

async function advance(services: TestClockServices, businessId: string, input: TestClockAdvance) {
  const { db, clock } = services
  const since = await readNow(services, businessId)
  const target = targetOf(input, since.now, since.offset)
  const ran = { bills: 0, approved: 0, declined: 0, expired_sessions: 0 }
  const advanced: Advance = { businessId, since: since.now, ran, doubtMsLeft: DOUBT_MS * services.timings.scale }
  const endMs = clock.monotonicMs() + ADVANCE_MS
  let offset = since.offset
  const moveTo = async (instant: Date) => {
    const to = Math.max(offset, offsetFor(instant, clock.now()))
    if (!(await moveTestClock(db, businessId, { from: offset, to }))) throw clockIsMoving()
    offset = to
    services.forgetBusinesses()
  }
  for (;;) {
    await runDue(services, advanced)
    const next = await nextInstant(services, advanced, offset)
    if (next === null || next > target) break
    if (clock.monotonicMs() >= endMs) return respond(services, advanced, { offset, target, done: false })
    await moveTo(next)
  }
  await moveTo(target)
  return respond(services, advanced, { offset, target, done: true })
}

/** Reads the time from the database: the data of the caller's credential may be a second old. */
async function readNow({ db, clock }: TestClockServices, businessId: string): Promise<{ now: Date; offset: number }> {
  const business = await findBusiness(db, businessId)
  if (!business) throw new Error(`The business ${businessId} does not exist`)
  return { now: businessNow(clock, business), offset: business.clockOffsetSeconds }
}

async function nextInstant({ dueWork, clock }: TestClockServices, { businessId }: Advance, offset: number) {
  const now = businessNow(clock, { clockOffsetSeconds: offset })
  const instants = await Promise.all(dueWork.map((work) => work.nextAt(businessId, now)))
  return instants.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null)
}

/** Does everything that is due, and waits a while for unknown outcomes: later work may depend on them. */
async function runDue(services: TestClockServices, advanced: Advance): Promise<void> {
  await runUntilNothingIsDone(services, advanced)
  while (advanced.doubtMsLeft > 0 && (await countWaiting(services, advanced)) > 0) {
    await sleep(DOUBT_LOOK_MS)
    advanced.doubtMsLeft -= DOUBT_LOOK_MS
    await services.resolve()
    await runUntilNothingIsDone(services, advanced)
  }
}

async function runUntilNothingIsDone({ dueWork }: TestClockServices, { businessId, since, ran }: Advance) {
  let working = dueWork
  for (let runs = 0; runs < RUNS_MAX && working.length > 0; runs++) {
    const worked: DueWork[] = []
    for (const work of working) {
      const counts = Object.entries(await work.run(businessId, since))
      for (const [what, count] of counts) ran[what as keyof Ran] += count
      if (counts.some(([, count]) => count > 0)) worked.push(work)
    }
    working = worked
  }
}

async function countWaiting({ dueWork }: TestClockServices, { businessId }: Advance): Promise<number> {
  const counts = await Promise.all(dueWork.map(async (work) => (await work.countWaiting?.(businessId)) ?? 0))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function respond(
  services: TestClockServices,
  advanced: Advance,
  { offset, target, done }: { offset: number; target: Date; done: boolean },
): Promise<TestClockAdvanced> {
  const { businessId, ran } = advanced
  const waiting = await countWaiting(services, advanced)
  await services.composeLetters(businessId)
  if (waiting > 0) services.log.warn({ business: businessId, waiting }, 'the test clock went on without an outcome')
  return {
    object: 'test_clock',
    now: epochSeconds(businessNow(services.clock, { clockOffsetSeconds: offset })),
    offset_seconds: offset,
    target: epochSeconds(target),
    done,
    ran: { ...ran, in_doubt: waiting },
  }
}
