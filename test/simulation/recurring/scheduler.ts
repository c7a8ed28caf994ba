import type { Db } from '../../../server/db/connection.ts'
import type { FaultPlace } from '../../../server/lib/fault-points.ts'
import { resolveSettlements } from '../../../server/payments/batches/resolve-settlements.ts'
import { resolveOperations } from '../../../server/payments/recovery/resolve-operations.ts'
import { runDue } from '../../../server/subscriptions/bills/run-due-bills.ts'
import { settleBatchWhileBilling } from './batches.ts'
import { startOf } from './days.ts'
import type { Crash } from './oracle.ts'
import { dayOf, resolve, runModel } from './oracle.ts'
import { resolveReversals } from './oracle-requests.ts'
import { nextInstantOf } from './population.ts'
import { countOpen, describeOpen, readSubscriptions } from './recorded.ts'
import type { Run, Sub } from './run.ts'
import { outcomesOfCard } from './sim-gateway.ts'
import type { World } from './world.ts'

const CRASHES: Crash[] = ['after:intent_commit', 'after:gateway_result', 'after:result_commit']
const RESOLVE_STEP_MS = 60_000
const RESOLVE_STEPS_MAX = 90

type Services = World['app']['services']

/** One run of the scheduler, by one worker, by two at once, or by one that dies. */
export async function runScheduler(run: Run): Promise<void> {
  const { world, random, counts } = run
  const { services } = world.app
  const drawn = run.isQuiet ? 1 : random.next()
  counts.runs += 1
  // With several due it would depend on their order how far each came.
  const due = run.subs.filter((sub) => (nextInstantOf(sub) ?? Number.POSITIVE_INFINITY) <= world.clock.ms())
  const crash = drawn < 0.1 && due.length === 1 ? random.pick(CRASHES) : null
  const workers = !crash && drawn < 0.25 && !due.some((sub) => isBehind(sub, world.clock.ms())) ? 2 : 1
  const sentBefore = new Map(run.subs.map((sub) => [sub, world.gateway.salesOf(sub.card).length]))
  if (crash) await crashingRun(run, services, crash)
  else if (workers === 2) {
    counts.concurrentRuns += 1
    await Promise.all([runDue(services), runDue(services)])
  } else if (!crash && !run.isQuiet && drawn > 0.97 && !due.some((sub) => isPartialNext(run, sub)))
    await settleBatchWhileBilling(run)
  else await runDue(services)
  for (const sub of run.subs) applyRun(run, sub, { crash, sentBefore: sentBefore.get(sub) ?? 0 })
}

/**
 * Whether another date is due after this run. Each worker charges a subscription once, so two at once may bill both dates or
 * one (BIL-11), as it happens.
 */
function isBehind({ model }: Sub, nowMs: number): boolean {
  if (model.nextDay === null) return false
  return startOf(dayOf(model, model.bill ? model.next : model.next + 1), model.zone) <= nowMs
}

/** The void of a partial approval may come after the settlement, and then its refund takes longer, as it happens. */
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

/** Every charge of this worker dies at the place: nothing that it would do afterwards happens. */
async function crashingRun({ counts, trace }: Run, services: Services, crash: Crash): Promise<void> {
  counts.crashes += 1
  trace.note(`crash ${crash}`)
  const state = { isDead: false }
  const reach = (place: FaultPlace) => {
    if (place !== crash) return
    state.isDead = true
    throw new Error('The process died')
  }
  await runDue({ ...services, db: mortal(services.db, state), faults: { reach } }).catch((error: unknown) => {
    if (!state.isDead) throw error
  })
}

/** A connection that refuses everything once the process is dead. */
function mortal(db: Db, state: { isDead: boolean }): Db {
  return new Proxy(db, {
    get(target, name) {
      if (state.isDead) throw new Error('A dead process writes nothing')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Time passes and recovery runs until no outcome is open (INV-7, INV-22). */
export async function resolveAll(run: Run): Promise<void> {
  const { world, subs, trace } = run
  const { services } = world.app
  for (let step = 0; (await countOpen(services.db)) > 0; step++) {
    if (step === RESOLVE_STEPS_MAX) throw new Error(`INV-7 an outcome stays open: ${await describeOpen(services.db)}`)
    world.clock.moveTo(world.clock.ms() + RESOLVE_STEP_MS)
    await resolveOperations(services)
    await resolveSettlements(services)
    await applyResolved(run, subs)
  }
  await applyResolved(run, subs)
  for (const shop of world.shops) shop.hasOpenSettlement = false
  const mayVoid = (ref: string) => world.gateway.isVoided(ref) || world.gateway.isBatchOpen(ref)
  for (const { model } of subs) resolveReversals(model, mayVoid)
  trace.note(`resolved ${world.clock.ms()}`)
}

async function applyResolved({ world }: Run, subs: readonly Sub[]): Promise<void> {
  const waiting = subs.filter(({ model }) => model.openSale)
  const rows = await readSubscriptions(
    world.app.services.db,
    waiting.map(({ id }) => id),
  )
  for (const { id, model } of waiting) if (!rows.get(id)?.isCharging) resolve(model, world.clock.ms())
}
