import { act, isLostNext, quotedOf } from './act.ts'
import { closeExpiredPages } from './act-link.ts'
import { auditBatches, closeDaily, settleAllBatches } from './batches.ts'
import { compareAll } from './compare-all.ts'
import { noWebhooks } from './endpoint.ts'
import { auditBooks } from './gateway-books.ts'
import { OUTCOMES, type OutcomeName } from './gateway-outcomes.ts'
import { checkInvariants } from './invariants.ts'
import { nextInstantOf, subscribe } from './population.ts'
import { randomFrom } from './random.ts'
import { countOpen } from './recorded.ts'
import { type Counts, isLive, type Run, type Sub } from './run.ts'
import { REPEATED_WITHIN_MS, resolveAll, runScheduler } from './scheduler.ts'
import { createTrace } from './trace.ts'
import { auditDeliveries, changeEndpoint } from './webhooks.ts'
import { openWorld } from './world.ts'

export interface Simulation {
  seed: number
  days: number
  /** Number of live subscriptions at a time. */
  population?: number
  onLine?: (line: string) => void
}

export interface Simulated {
  hash: string
  counts: Counts
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const QUIET_DAYS = 30
const POPULATION = 30

/**
 * Simulates the whole billing engine for a number of days.
 *
 * @throws Error that names the violated invariant, with the last lines of the trace
 */
export async function simulate({ seed, days, population = POPULATION, onLine }: Simulation): Promise<Simulated> {
  // Each seed has its own part of the years around the leap years 2024 and 2028.
  const begin = Date.UTC(2023, 0, 1) + ((seed * 97) % 1_600) * DAY_MS
  await using world = await openWorld(seed, begin)
  const run: Run = {
    seed,
    world,
    random: randomFrom(seed),
    trace: createTrace(onLine),
    subs: [],
    counts: {
      requests: 0,
      refused: 0,
      runs: 0,
      sales: 0,
      unknown: 0,
      reversalFaults: 0,
      settlementFaults: 0,
      settlements: 0,
      crashes: 0,
      concurrentRuns: 0,
      stalls: 0,
      lostAcknowledgements: 0,
      outages: 0,
      endpointChanges: 0,
      subscriptionDays: 0,
    },
    prices: new Map(),
    webhooks: noWebhooks(),
    cards: 0,
    comparisons: 0,
    isQuiet: false,
  }
  try {
    await live(run, begin + days * DAY_MS, population)
    run.isQuiet = true
    await live(run, world.clock.ms() + QUIET_DAYS * DAY_MS, 0)
    await checkEnd(run)
  } catch (error) {
    const where = `seed ${seed} at ${new Date(world.clock.ms()).toISOString()}`
    const errors = world
      .errors()
      .filter((line) => !line.includes('The process died') && !line.includes('A dead process'))
    const told = [...run.trace.tail(25), ...errors].join('\n')
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}\n${told}`, { cause: error })
  }
  run.counts.sales = world.gateway.sales.length
  run.counts.unknown = world.gateway.sales.filter(({ outcome }) => isUnknown(outcome)).length
  return { hash: run.trace.hash(), counts: run.counts }
}

const isUnknown = (outcome: OutcomeName) => OUTCOMES[outcome].learned === 'unknown'

async function live(run: Run, endMs: number, population: number): Promise<void> {
  const { world, random, counts } = run
  while (world.clock.ms() < endMs) {
    const before = world.clock.ms()
    world.clock.moveTo(Math.min(nextTime(run), endMs))
    counts.subscriptionDays += (run.subs.filter(isLive).length * (world.clock.ms() - before)) / DAY_MS
    run.trace.note(`at ${world.clock.ms()}`)
    const hasNewcomers = run.subs.filter(isLive).length < population && !run.isQuiet
    if (hasNewcomers) for (let left = random.whole(0, 3); left > 0; left--) await subscribe(run)
    if (random.chance(0.25)) await requests(run)
    await runScheduler(run)
    if (random.chance(0.15)) await closeDaily(run)
    if (random.chance(0.1)) await closeExpiredPages(run)
    if (random.chance(0.08)) await changeEndpoint(run)
    let open = await compareAll(run)
    if (random.chance(run.subs.some(({ model }) => model.openSale) ? 0.7 : 0.25)) open = (await requests(run)) ?? open
    if (open > 0) {
      await resolveAll(run)
      await compareAll(run)
      world.clock.moveTo(world.clock.ms() + REPEATED_WITHIN_MS)
    }
    if (random.chance(0.1)) await check(run)
  }
}

/** Draws the next time: boundaries, a second before and after, gaps of hours, and outages of days. */
function nextTime({ random, subs, world, counts, isQuiet }: Run): number {
  const now = world.clock.ms()
  if (isQuiet) return now + 12 * HOUR_MS
  const drawn = random.next()
  if (drawn < 0.005) {
    counts.outages += 1
    // Sometimes beyond many dates, while a pause or a cancellation waits for one of them.
    const isWaiting = subs.some(({ model }) => model.pause?.status === 'pending' || model.cancelAtMs !== null)
    return now + (isWaiting && random.chance(0.2) ? random.whole(11, 75) : random.whole(1, 10)) * DAY_MS
  }
  if (drawn < 0.25) return now + random.whole(1, 24 * 3_600) * 1_000
  const instants = subs
    .flatMap((sub) => [nextInstantOf(sub), pageEndOf(sub)])
    .filter((at) => at !== null && at > now) as number[]
  const next = instants.length === 0 ? now + DAY_MS : Math.min(...instants)
  const at = Math.min(next, now + 3 * DAY_MS)
  return Math.max(now + 1_000, at + random.pick([-1_000, 0, 0, 0, 0, 1_000, random.whole(1, 600_000)]))
}

/** Returns when the last page of a subscription that waits for its card expires. */
const pageEndOf = ({ model }: Sub) =>
  model.status === 'pending_payment_method' ? (model.link?.sessions.at(-1)?.expiresMs ?? null) : null

/** Makes requests. @returns the number of operations whose outcome is open; `null` if nothing was requested */
async function requests(run: Run): Promise<number | null> {
  const { random, subs, isQuiet } = run
  if (isQuiet || subs.length === 0) return null
  for (let left = random.whole(1, 3); left > 0; left--) {
    const candidates = candidatesOf(run)
    if (candidates.length > 0) await act(run, random.pick(candidates))
  }
  return compareAll(run)
}

/**
 * Returns the subscriptions to draw from: those that are being charged, and those with an old quote, occur more often.
 */
function candidatesOf(run: Run): Sub[] {
  const { random, subs } = run
  const open = subs.filter(({ model }) => model.openSale)
  if (open.length > 0 && random.chance(0.5)) return open
  const waiting = subs.filter(({ model }) => model.status === 'pending_payment_method')
  if (waiting.length > 0 && random.chance(0.15)) return waiting
  const unpaid = subs.filter(({ model }) => model.status === 'active' && model.cover?.payment.status === 'voided')
  if (unpaid.length > 0 && random.chance(0.3)) return unpaid
  const lost = subs.filter((sub) => isLostNext(run, sub))
  if (lost.length > 0 && random.chance(0.1)) return lost
  const quoted = subs.filter((sub) => quotedOf(run, sub) === 'earlier')
  if (quoted.length > 0 && random.chance(0.3)) return quoted
  return random.chance(0.9) ? subs.filter(isLive) : subs
}

async function check(run: Run): Promise<void> {
  await checkInvariants(run.world.app.services.db)
  await auditDeliveries(run)
  if ((await countOpen(run.world.app.services.db)) === 0) {
    await auditBooks(run)
    await auditBatches(run)
  }
}

/** Checks that after quiet days nothing is open, and every cent is where the gateway says (INV-7, INV-17). */
async function checkEnd(run: Run): Promise<void> {
  await resolveAll(run)
  await runScheduler(run)
  await resolveAll(run)
  await compareAll(run, { isThorough: true })
  await settleAllBatches(run)
  await checkInvariants(run.world.app.services.db)
  await auditDeliveries(run)
  await auditBooks(run)
  await auditBatches(run, { isEnd: true })
}
