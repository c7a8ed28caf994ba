import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BillOfTest, openBill } from '../support/bill-owner.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { fromNow, type Since, sharedService } from '../support/shared-services.ts'
import type { ServiceWithClock } from '../support/silent-gateway.ts'
import { until } from '../support/until.ts'

// A charge whose owner adopts: nobody was told anything about a bill, so an approval that recovery finds is valid.

type Outcome =
  | 'silent_recorded'
  | 'silent_not_recorded'
  | 'approved_slowly'
  | 'partial_ap'
  | 'declined'
  | 'declined_slowly'

interface Billed {
  service: ServiceWithClock
  bill: BillOfTest
  since: Since
}

async function openBilled(service: ServiceWithClock, outcome?: Outcome): Promise<Billed> {
  const bill = await openBill(service)
  if (outcome) await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
  return { service, bill, since: await fromNow(service) }
}

/** Moves the clock in steps until no outcome is open. */
async function resolveAll({ clock, timeScale, databaseUrl }: ServiceWithClock, bill: BillOfTest): Promise<void> {
  await using book = moneyRows(databaseUrl)
  for (let steps = 0; (await book.countOpen()) > 0; steps++) {
    if (steps === 60) throw new Error('An outcome stays open')
    clock.advance(20 * timeScale)
    await bill.resolve()
  }
}

/** Returns the outcome of the bill here and at the gateway. */
async function result({ service, bill, since }: Billed) {
  await using book = moneyRows(service.databaseUrl)
  const states = await book.query<{ state: string }>(
    'select state::text from operation where owner_id = $1 and parent_id is null order by id',
    [bill.id],
  )
  const payments = await book.query(
    "select from payment p join operation o on o.id = p.operation_id where o.owner_id = $1 and status = 'succeeded'",
    [bill.id],
  )
  const live = (await since.rows()).filter(
    ({ op, state, amount }) => op === 'sale' && state === 'open' && amount === 4_900,
  )
  return {
    bill: await bill.status(),
    states: states.map(({ state }) => state),
    payments: payments.length,
    live: live.length,
  }
}

const PAID_ONCE = { bill: 'paid', states: ['APPROVED'], payments: 1, live: 1 }
const NOT_CHARGED = { bill: 'open', states: ['NOT_CHARGED'], payments: 0, live: 0 }
const unconfirmed = { code: 'gateway_timeout' }

/** Claims the operation, as another process does. */
async function takeOver(book: MoneyRows, bill: BillOfTest): Promise<void> {
  await book.query('update operation set epoch = epoch + 1 where owner_id = $1', [bill.id])
}

describe('a charge whose owner adopts', () => {
  const opened = sharedService()

  test('approved: paid once, and not charged again', async () => {
    const billed = await openBilled(opened())
    const { bill } = billed
    equal(await bill.charge(), 'approved')
    equal(await bill.charge(), 'blocked')
    deepEqual(await result(billed), PAID_ONCE)
  })

  test('declined: open, and charged again', async () => {
    const billed = await openBilled(opened(), 'declined')
    const { bill } = billed
    equal(await bill.charge(), 'declined')
    equal(await bill.charge(), 'approved')
    deepEqual(await result(billed), { ...PAID_ONCE, states: ['DECLINED', 'APPROVED'] })
  })

  test('silence with a charge behind it: blocked while unknown, then adopted', async () => {
    const billed = await openBilled(opened(), 'silent_recorded')
    const { service, bill } = billed
    await rejects(bill.charge(), unconfirmed)
    equal(await bill.charge(), 'blocked')
    await resolveAll(service, bill)
    deepEqual(await result(billed), PAID_ONCE)
    equal(await bill.charge(), 'blocked')
  })

  test('silence with nothing behind it: not charged, and charged again', async () => {
    const billed = await openBilled(opened(), 'silent_not_recorded')
    const { service, bill } = billed
    await rejects(bill.charge(), unconfirmed)
    await resolveAll(service, bill)
    deepEqual(await result(billed), NOT_CHARGED)
    equal(await bill.charge(), 'approved')
  })

  test('a late approval is adopted once, although recovery inquires at the same time', async () => {
    const billed = await openBilled(opened(), 'approved_slowly')
    const { service, bill } = billed
    await rejects(bill.charge(), unconfirmed)
    await until('the late approval is recorded', async () => {
      service.clock.advance(service.timeScale)
      await bill.resolve()
      return (await bill.status()) === 'paid'
    })
    await resolveAll(service, bill)
    deepEqual(await result(billed), PAID_ONCE)
  })

  test('a late approval that recovery overtakes is recorded under the new epoch', async () => {
    const billed = await openBilled(opened(), 'approved_slowly')
    const { service, bill } = billed
    await using book = moneyRows(service.databaseUrl)
    await service.simulator.script({ outcomes: [{ op: 'inquire', outcome: 'indeterminate', times: 1_000 }] })
    bill.duringAdoption(() => takeOver(book, bill))
    await rejects(bill.charge(), unconfirmed)
    await until('the late approval is recorded', async () => (await bill.status()) === 'paid')
    deepEqual(await result(billed), PAID_ONCE)
  })

  test('a partial approval found by recovery is reversed, and the bill stays open', async () => {
    const billed = await openBilled(opened())
    const { service, bill } = billed
    await service.simulator.script({
      outcomes: [{ op: 'sale', outcome: 'partial_ap' }],
      latency: { minMs: 6_000, maxMs: 6_000 },
    })
    await rejects(bill.charge(), unconfirmed)
    await service.simulator.resetScript()
    await resolveAll(service, bill)
    deepEqual(await result(billed), { bill: 'open', states: ['REVERSED'], payments: 0, live: 0 })
  })

  const INTERRUPTIONS: Record<string, (book: MoneyRows, bill: BillOfTest) => Promise<void>> = {
    'an owner that cannot write': () => Promise.reject(new Error('The bill could not be written')),
    'another writer that takes the operation over meanwhile': takeOver,
  }
  for (const [interruption, interrupt] of Object.entries(INTERRUPTIONS)) {
    test(`${interruption}: nothing of the approval is recorded, and the next round adopts it`, async () => {
      const billed = await openBilled(opened(), 'silent_recorded')
      const { service, bill } = billed
      await using book = moneyRows(service.databaseUrl)
      await rejects(bill.charge(), unconfirmed)
      bill.duringAdoption(() => interrupt(book, bill))
      service.clock.advance(20 * service.timeScale)
      await bill.resolve()
      deepEqual(await result(billed), { bill: 'open', states: ['IN_DOUBT'], payments: 0, live: 1 })
      service.clock.advance(200 * service.timeScale)
      await resolveAll(service, bill)
      deepEqual(await result(billed), PAID_ONCE)
    })
  }

  test('four recoveries at once adopt once', async () => {
    const billed = await openBilled(opened(), 'silent_recorded')
    const { service, bill } = billed
    await rejects(bill.charge(), unconfirmed)
    service.clock.advance(20 * service.timeScale)
    await Promise.all([bill.resolve(), bill.resolve(), bill.resolve(), bill.resolve()])
    await resolveAll(service, bill)
    deepEqual(await result(billed), PAID_ONCE)
  })

  for (const [place, wasSent] of [
    ['after:intent_commit', false],
    ['after:gateway_result', true],
  ] as const) {
    test(`a process that dies ${place.replace(':', ' the ').replace('_', ' ')} loses and doubles nothing`, async () => {
      const billed = await openBilled(opened())
      const { service, bill } = billed
      await rejects(bill.charge(place), /The process died/)
      service.clock.advance(50 * service.timeScale)
      await resolveAll(service, bill)
      deepEqual(await result(billed), wasSent ? PAID_ONCE : NOT_CHARGED)
    })
  }
})
