import { resolveSettlements } from '../../../server/payments/batches/resolve-settlements.ts'
import { resolveOperations } from '../../../server/payments/recovery/resolve-operations.ts'
import { runDue } from '../../../server/subscriptions/bills/run-due-bills.ts'
import { settleBatchWhileBilling } from './batches.ts'
import { startOf } from './days.ts'
import { losingAcknowledgement, untilDeath } from './dying.ts'
import { outcomesOfCard } from './gateway-outcomes.ts'
import type { Crash } from './oracle.ts'
import { dayOf, resolve, runModel } from './oracle.ts'
import { resolveReversals } from './oracle-requests.ts'
import { nextInstantOf } from './population.ts'
import { countOpen, describeOpen, readSubscriptions } from './recorded.ts'
import type { Run, Sub } from './run.ts'
import { changeEndpoint } from './webhooks.ts'
import type { World } from './world.ts'

const CRASHES: Crash[] = ['after:intent_commit', 'after:gateway_result', 'after:result_commit']
/** Time within which a charge that took no money is repeated: six hours and a minute. */
export const REPEATED_WITHIN_MS = 6 * 3_600_000 + 60_000
const STALL_MINUTES_MAX = 30
const RESOLVE_STEP_MS = 60_000
const RESOLVE_STEPS_MAX = 90
/** Maximum number of steps of inquiries without a result, which later ones follow. */
const BLIND_STEPS_MAX = 360

type Services = World['app']['services']

/** Runs the scheduler once: with one worker, with two concurrent ones, or with one that dies. */
export async function runScheduler(run: Run): Promise<void> {
  const { world, random, counts } = run
  const { services } = world.app
  const drawn = run.isQuiet ? 1 : random.next()
  counts.runs += 1
  // With several due, the progress of each would depend on their order.
  const due = run.subs.filter((sub) => (nextInstantOf(sub) ?? Number.POSITIVE_INFINITY) <= world.clock.ms())
  const crash = drawn < 0.1 && due.length === 1 ? random.pick(CRASHES) : null
  const workers = !crash && drawn < 0.25 && !due.some((sub) => isBehind(sub, world.clock.ms())) ? 2 : 1
  const sentBefore = countSales(run)
  if (crash) await crashingRun(run, services, crash)
  else if (workers === 2) {
    counts.concurrentRuns += 1
    await Promise.all([runDue(services), runDue(services)])
  } else if (drawn > 0.25 && drawn <= 0.3) {
    if (await losingAcknowledgement(services, runDue)) counts.lostAcknowledgements += 1
  } else if (drawn > 0.3 && drawn <= 0.38 && due.length === 1) {
    if (await stallingRun(run)) return
  } else if (!crash && drawn > 0.93 && drawn <= 0.97 && !run.isQuiet) await changeEndpoint(run, () => runDue(services))
  else if (!crash && !run.isQuiet && drawn > 0.97 && !due.some((sub) => isPartialNext(run, sub)))
    await settleBatchWhileBilling(run)
  else await runDue(services)
  for (const sub of run.subs) applyRun(run, sub, { crash, sentBefore: sentBefore.get(sub) ?? 0 })
}

/**
 * Returns whether another date is due after this run. Each worker charges a subscription once, so two concurrent ones
 * may bill both dates or one (BIL-11), by chance.
 */
function isBehind({ model }: Sub, nowMs: number): boolean {
  if (model.nextDay === null) return false
  return startOf(dayOf(model, model.bill ? model.next : model.next + 1), model.zone) <= nowMs
}

/**
 * A settlement never races a partial approval here: the void of that one comes before it, or after it and is then a
 * refund, which leaves the bill under charge for longer. Both are right, and which one it is depends on the order in
 * which the gateway gets them, so no oracle can say it. What must hold whatever the order is REF-20, of any payment:
 * test/faults/late-batch-members.test.ts; and that the reversal becomes a refund, REC-2: test/faults/reversal.test.ts.
 */
function isPartialNext({ seed, world }: Run, { card }: Sub): boolean {
  return outcomesOfCard(seed, card)(world.gateway.salesOf(card).length) === 'partial'
}

function applyRun(
  { seed, world, trace }: Run,
  { ordinal, card, model }: Sub,
  { crash, sentBefore }: { crash: Crash | null; sentBefore: number },
): void {
  const outcomes = outcomesOfCard(seed, card)
  const sent = world.gateway.salesOf(card).length
  let index = sentBefore
  runModel(model, world.clock.ms(), () => outcomes(index++), crash)
  if (index !== sent)
    throw new Error(`${ordinal}: the engine sent ${sent - sentBefore} sales, the model ${index - sentBefore}`)
  for (let sale = sentBefore; sale < sent; sale++) trace.note(`${ordinal} sale ${sale} ${outcomes(sale)}`)
}

/**
 * Runs a worker that is suspended once the gateway has responded, for longer than its claim is valid. Meanwhile
 * recovery and another worker continue as if it had died; then it resumes with its response, which changes nothing any
 * more (BIL-21, PAY-14).
 *
 * @returns `false` if nothing was sent: the model is not applied yet
 */
async function stallingRun(run: Run): Promise<boolean> {
  const { world, random, subs, counts, trace } = run
  const { services } = world.app
  // Operations that other requests have left open are resolved separately.
  if ((await countOpen(services.db)) > 0) {
    await runDue(services)
    return false
  }
  const before = countSales(run)
  const held = world.gateway.holdSale({ isBlind: random.chance(0.5) })
  const stalled = runDue(services, { until: services.clock.now() })
  const isSent = await Promise.race([held.made, stalled.then(() => false)])
  if (!isSent) {
    held.release()
    return false
  }
  counts.stalls += 1
  for (const sub of subs) applyRun(run, sub, { crash: 'after:gateway_result', sentBefore: before.get(sub) ?? 0 })
  for (let minutes = random.whole(1, STALL_MINUTES_MAX); minutes > 0; minutes--) await resolveStep(run)
  // A bill that was never sent is due again, within six hours.
  const isDueAgain = subs.some(({ model }) => model.bill && !model.openSale && model.bill.dueMs <= world.clock.ms())
  if (isDueAgain) world.clock.moveTo(world.clock.ms() + REPEATED_WITHIN_MS)
  const between = countSales(run)
  await runDue(services)
  for (const sub of subs) applyRun(run, sub, { crash: null, sentBefore: between.get(sub) ?? 0 })
  held.release()
  await stalled
  // A settlement would resolve operations that are open for longer than a sender waits.
  await resolveAll(run, BLIND_STEPS_MAX)
  world.clock.moveTo(world.clock.ms() + REPEATED_WITHIN_MS)
  trace.note(`stalled until ${world.clock.ms()}`)
  return true
}

const countSales = ({ subs, world }: Run) => new Map(subs.map((sub) => [sub, world.gateway.salesOf(sub.card).length]))

/** Runs a worker whose charges all die at the place. */
async function crashingRun({ counts, trace }: Run, services: Services, crash: Crash): Promise<void> {
  counts.crashes += 1
  trace.note(`crash ${crash}`)
  await untilDeath(services, crash, runDue)
}

/** Lets time pass and runs recovery until no outcome is open (INV-7, INV-22). */
export async function resolveAll(run: Run, stepsMax = RESOLVE_STEPS_MAX): Promise<void> {
  const { world, subs, trace } = run
  const { services } = world.app
  for (let step = 0; (await countOpen(services.db)) > 0; step++) {
    if (step === stepsMax) throw new Error(`INV-7 an outcome stays open: ${await describeOpen(services.db)}`)
    await resolveStep(run)
  }
  await applyResolved(run, subs)
  for (const shop of world.shops) shop.hasOpenSettlement = false
  const mayVoid = (ref: string) => world.gateway.isVoided(ref) || world.gateway.isBatchOpen(ref)
  for (const { model } of subs) resolveReversals(model, mayVoid)
  trace.note(`resolved ${world.clock.ms()}`)
}

async function resolveStep(run: Run): Promise<void> {
  const { world, subs } = run
  world.clock.moveTo(world.clock.ms() + RESOLVE_STEP_MS)
  await resolveOperations(world.app.services)
  await resolveSettlements(world.app.services)
  await applyResolved(run, subs)
}

async function applyResolved({ world }: Run, subs: readonly Sub[]): Promise<void> {
  const waiting = subs.filter(({ model }) => model.openSale)
  const rows = await readSubscriptions(
    world.app.services.db,
    waiting.map(({ id }) => id),
  )
  for (const { id, model } of waiting) if (!rows.get(id)?.isCharging) resolve(model, world.clock.ms())
}
