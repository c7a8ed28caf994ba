import type { ListedTransaction } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { PaymentServices } from '../services.ts'
import { compareListed } from './compare-listed.ts'
import { compareUnlisted } from './compare-unlisted.ts'
import { type Comparison, GatewaySilent } from './comparison.ts'
import { resolveVanished } from './finding-queries.ts'
import {
  claimDay,
  extendLease,
  forgetListed,
  recordCompletion,
  recordFailure,
  type TerminalDay,
} from './reconciliation-queries.ts'

const DAY_SECONDS = 86_400
/** The list is read this far beyond the day, so that a clock difference causes no inquiries around midnight. */
const MARGIN_SECONDS = 3_600
/** Lease of a day; longer than one page with its confirmations takes. */
const LEASE_SECONDS = 900
const PAGES_MAX = 100_000

export type ReconcileOutcome =
  | { outcome: 'completed'; transactions: number }
  | { outcome: 'failed'; message: string }
  /** Another process is comparing this day. */
  | { outcome: 'running' }

/**
 * Compares the gateway's list of a day with our operations in both directions. Safe to run at any time and repeatedly:
 * open operations are left to recovery, and a difference counts only if both sides still have it when they are read
 * again.
 */
export async function reconcileDay(services: PaymentServices, terminalDay: TerminalDay): Promise<ReconcileOutcome> {
  const { db, clock } = services
  const listedAt = clock.now()
  if (!(await claimDay(db, terminalDay, listedAt, leaseFrom(services)))) return { outcome: 'running' }
  const from = new Date(`${terminalDay.day}T00:00:00Z`)
  const until = addSeconds(from, DAY_SECONDS)
  const comparison: Comparison = { ...terminalDay, services, runId: newId(), from, until }
  try {
    const transactions = await compareAll(comparison)
    await resolveVanished(db, terminalDay, { since: listedAt, now: clock.now() })
    await recordCompletion(db, terminalDay, { listedAt, completedAt: clock.now(), transactions })
    return { outcome: 'completed', transactions }
  } catch (error) {
    return await failed(comparison, error as Error)
  } finally {
    await forgetListed(db, comparison.runId, addSeconds(listedAt, -DAY_SECONDS))
  }
}

/** @returns the number of transactions that the gateway lists for the day */
async function compareAll(comparison: Comparison): Promise<number> {
  const { services, from, until } = comparison
  let transactions = 0
  for await (const page of pagesOf(comparison)) {
    const ofDay = page.filter(({ at }) => at >= from && at < until)
    await compareListed(comparison, page, new Set(ofDay))
    transactions += ofDay.length
    await extendLease(services.db, comparison, leaseFrom(services))
  }
  await compareUnlisted(comparison)
  return transactions
}

/** @throws GatewaySilent when a page is missing */
async function* pagesOf({ services, terminal, from, until }: Comparison): AsyncGenerator<ListedTransaction[]> {
  const gateway = services.gateways(terminal.gateway)
  const request = {
    terminal: { id: terminal.merchantCode, currency: terminal.currency },
    from: addSeconds(from, -MARGIN_SECONDS),
    until: addSeconds(until, MARGIN_SECONDS),
  }
  let after: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const signal = AbortSignal.timeout(services.timings.wireMs)
    const result = await gateway.list({ ...request, ...(after !== null && { after }), signal })
    if (!result.listed) throw new GatewaySilent(`page ${pages + 1} of the list: ${result.message}`)
    yield result.transactions
    if (result.next === null) return
    if (result.next === after) break
    after = result.next
  }
  throw new GatewaySilent('the list has no last page')
}

async function failed(comparison: Comparison, error: Error): Promise<ReconcileOutcome> {
  const { services, terminal, day } = comparison
  const message = error instanceof GatewaySilent ? error.message : 'internal error: see the log'
  services.log.warn({ err: error, terminal: terminal.id, day }, 'a day could not be reconciled; it will be retried')
  await recordFailure(services.db, comparison, { failedAt: services.clock.now(), failure: message })
  return { outcome: 'failed', message }
}

const leaseFrom = ({ clock, timings }: PaymentServices) => addSeconds(clock.now(), LEASE_SECONDS * timings.scale)
