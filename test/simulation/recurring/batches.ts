import { sql } from 'kysely'
import { findBusiness } from '../../../server/businesses/business-queries.ts'
import { findTerminal } from '../../../server/businesses/terminal-queries.ts'
import { ApiError } from '../../../server/lib/errors.ts'
import { settleBatch } from '../../../server/payments/batches/settle-batch.ts'
import { settleDueBatches } from '../../../server/payments/batches/settle-due-batches.ts'
import { runDue } from '../../../server/subscriptions/bills/run-due-bills.ts'
import { DEATHS, type Death, untilDeath } from './dying.ts'
import { drawSettlement, SETTLEMENTS, type SettlementName } from './gateway-outcomes.ts'
import { NO_RESPONSE } from './oracle-requests.ts'
import type { Run, Statuses, Sub } from './run.ts'
import type { Shop, World } from './world.ts'

// Settlements, manual and at the daily close, and the audit of the contents of each batch.

const CURRENCY = 'USD'

const DEATH = 0.15

export async function settleBatchByHand({ world, random, counts }: Run, { shop }: Sub): Promise<Statuses> {
  const name = drawSettlement(random)
  const death = random.chance(DEATH) ? random.pick(DEATHS) : null
  const { merchantCode } = await terminalOf(world, shop)
  const learned = learnedOf(name, countLive(world, merchantCode) > 0)
  const isEmpty = world.gateway.simulator.ledger.openBatch(merchantCode, CURRENCY) === undefined
  const expected = shop.hasOpenSettlement ? 409 : isEmpty ? 417 : afterSettlement(learned, death)
  if (!shop.hasOpenSettlement && !isEmpty) {
    counts.settlements += 1
    if (name !== 'made') counts.settlementFaults += 1
    if (death) counts.crashes += 1
    shop.hasOpenSettlement = leavesOpen(learned, death)
  }
  return [await world.gateway.withSettlement(name, () => settle(world, shop, death)), expected]
}

type Learned = (typeof SETTLEMENTS)[SettlementName]['learned']

/** Returns the gateway's result. It refuses a batch of only voided sales, unless no result is received. */
function learnedOf(name: SettlementName, hasLive: boolean): Learned {
  const { learned } = SETTLEMENTS[name]
  return hasLive || learned === 'unknown' ? learned : 'failed'
}

/** Returns the status of the response. A process can only die after the commit if it has a settled batch to commit. */
function afterSettlement(learned: Learned, death: Death | null): number {
  if (death && (death !== 'after:result_commit' || learned === 'made')) return NO_RESPONSE
  return learned === 'made' ? 200 : 417
}

function leavesOpen(learned: Learned, death: Death | null): boolean {
  if (death === 'before:intent_commit') return false
  return death === 'after:intent_commit' || death === 'after:gateway_result' || learned === 'unknown'
}

async function settle(world: World, shop: Shop, death: Death | null = null): Promise<number> {
  const { services } = world.app
  const business = await findBusiness(services.db, shop.id)
  if (!business) throw new Error('A business is missing')
  const order = { business, terminal: await terminalOf(world, shop), expectedNet: null }
  try {
    if (death === null) return await settleBatch(services, order).then(() => 200)
    const ended = await untilDeath(services, death, (dying) => settleBatch(dying, order))
    if (ended !== 'died') throw new Error(`The settlement did not come to ${death}`)
    return NO_RESPONSE
  } catch (error) {
    if (error instanceof ApiError && error.code === 'batch_failed') return 417
    if (error instanceof ApiError && error.code === 'conflict') return 409
    throw error
  }
}

async function terminalOf({ app }: World, shop: Shop) {
  const terminal = await findTerminal(app.services.db, shop.id, CURRENCY)
  if (!terminal) throw new Error('A terminal is missing')
  return terminal
}

/** Counts sales that are not voided, and refunds, in the gateway's open batch. */
function countLive({ gateway }: World, merchantCode: string): number {
  const { ledger } = gateway.simulator
  const open = ledger.openBatch(merchantCode, CURRENCY)
  const isLive = (row: (typeof ledger.rows)[number]) =>
    row.batch === open?.id &&
    row.approvedAmount > 0 &&
    (row.op === 'refund' || (row.op === 'sale' && !ledger.isVoided(row)))
  return open ? ledger.rows.filter(isLive).length : 0
}

/** Closes the batches of shops with a daily close. Whatever the gateway does, a later run tries it again (REF-17). */
export async function closeDaily({ world, random, counts }: Run): Promise<void> {
  const { services } = world.app
  const name = drawSettlement(random)
  const death = random.chance(DEATH) ? random.pick(DEATHS) : null
  counts.settlements += 1
  if (name !== 'made') counts.settlementFaults += 1
  const ended = await world.gateway.withSettlement(name, () =>
    death ? untilDeath(services, death, settleDueBatches) : settleDueBatches(services),
  )
  if (ended === 'died') counts.crashes += 1
  const { rows } = await sql<{ id: string }>`select business_id as id from batch where status = 'settling'`.execute(
    services.db,
  )
  for (const shop of world.shops) shop.hasOpenSettlement = rows.some(({ id }) => id === shop.id)
}

/**
 * Settles a batch while bills are charged. Which of them it includes is random, so a second settlement follows, after
 * which it makes no difference.
 */
export async function settleBatchWhileBilling({ world, random, counts }: Run): Promise<void> {
  const shop = random.pick(world.shops)
  counts.settlements += 1
  await Promise.all([runDue(world.app.services), shop.hasOpenSettlement ? null : settle(world, shop)])
  if (!shop.hasOpenSettlement) await settle(world, shop)
}

/**
 * Audits that batches settled here are settled there, and that each payment and refund is in the same batch as at the
 * gateway (REF-20).
 *
 * @param isEnd whether everything is settled: none may be without a batch
 */
export async function auditBatches({ world }: Run, { isEnd = false } = {}): Promise<void> {
  const { ledger } = world.gateway.simulator
  const { rows: batches } = await sql<{ name: string; status: string }>`
    select gateway_batch as name, status::text from batch where gateway_batch is not null`.execute(
    world.app.services.db,
  )
  const settled = new Set(batches.filter(({ status }) => status === 'settled').map(({ name }) => name))
  for (const name of settled) if (!ledger.batch(name)?.closed) throw new Error(`REF-21 ${name} is not settled there`)
  const batchOf = new Map<string, string | undefined>()
  for (const row of ledger.rows) {
    if (row.op === 'settle' && row.recorded && !settled.has(row.batch ?? ''))
      throw new Error(`REF-21 ${row.batch} is settled there, not here`)
    if ((row.op === 'sale' || row.op === 'refund') && row.recorded && row.approvedAmount > 0)
      batchOf.set(row.merchantRef, row.batch)
  }
  for (const { ref, name } of await readMembers(world, isEnd)) {
    const theirs = batchOf.get(ref)
    // At the end, a batch of only voided sales is left open.
    if (name === null && theirs !== undefined && ledger.batch(theirs)?.closed === false) continue
    if (theirs !== name) throw new Error(`REF-20 ${ref} is in ${name}, at the gateway in ${theirs}`)
  }
}

/** Returns payments and refunds by the batch with which they were settled; at the end also those without one. */
async function readMembers({ app }: World, isEnd: boolean): Promise<{ ref: string; name: string | null }[]> {
  const { rows } = await sql<{ ref: string; name: string | null }>`
    with member as (
      select business_id, operation_id, batch_id from payment where status <> 'failed'
      union all select business_id, id, batch_id from refund where status = 'succeeded'
    )
    select o.merchant_ref as ref, b.gateway_batch as name
    from member m join operation o on o.business_id = m.business_id and o.id = m.operation_id
    left join batch b on b.business_id = m.business_id and b.id = m.batch_id
    where b.status = 'settled' or (${isEnd} and b.id is null)`.execute(app.services.db)
  return rows
}

/**
 * Settles everything, so that each payment must be in a batch. A batch of only voided sales cannot be settled, but
 * transactions that a dead process has left without a batch are assigned then, too.
 */
export async function settleAllBatches({ world }: Run): Promise<void> {
  for (const shop of world.shops) {
    const expected = countLive(world, (await terminalOf(world, shop)).merchantCode) === 0 ? 417 : 200
    const status = await settle(world, shop)
    if (status !== expected) throw new Error(`REF-21 the last settlement of ${shop.id} is ${status}, not ${expected}`)
  }
}
