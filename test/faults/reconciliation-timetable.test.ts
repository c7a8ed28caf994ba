import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { LedgerRow } from '../../server/gateway/simulator/ledger-row.ts'
import { reconcileCommand } from '../../server/payments/reconciliation/reconcile-command.ts'
import { reconcileDueDays } from '../../server/payments/reconciliation/reconcile-due-days.ts'
import { moneyRows } from '../support/money-rows.ts'
import { behindOurBack, findings, nightlyJob, paidSale, reconcile, today } from '../support/reconciled-service.ts'
import { openService, type TestService } from '../support/service.ts'
import { openServiceWithClock } from '../support/silent-gateway.ts'

describe('reconciliation: when, how much at once, and by command', () => {
  test('days that a stopped service missed are compared, each terminal has its own, and nothing is compared twice a night', async () => {
    await using service = await openServiceWithClock()
    await using book = moneyRows(service.databaseUrl)
    await book.query("update terminal set created_at = created_at - interval '4 days'")
    await nightlyJob(service)
    const days = await book.query<{ day: string; listed_at: Date }>(
      'select distinct day::text as day, listed_at from reconciliation where listed_at is not null order by 1, 2',
    )
    equal(new Set(days.map(({ day }) => day)).size, 5)
    await reconcileDueDays(service.app.services)
    const again = await book.query(
      'select distinct day::text as day, listed_at from reconciliation where listed_at is not null order by 1, 2',
    )
    deepEqual(again, days)
  })

  test('two comparisons of one day at once: one runs', async () => {
    await using service = await openService()
    await service.simulator.script({ latency: { minMs: 200, maxMs: 200 } })
    const outcomes = (await Promise.all([reconcile(service), reconcile(service)])).map(({ outcome }) => outcome)
    deepEqual(outcomes.sort(), ['completed', 'running'])
  })

  test('10,000 transactions are compared page by page', { timeout: 120_000 }, async () => {
    await using first = await openService()
    await paidSale(first)
    await using folder = new AsyncDisposableStack()
    const path = await mkdtemp(join(tmpdir(), 'rialto-ledger-'))
    folder.defer(() => rm(path, { recursive: true }))
    const simulatorLedger = join(path, 'ledger')
    const bulk = await writeBulk(first, simulatorLedger)
    // The same service with a gateway that reads these sales when it starts: paying each takes a minute.
    await using service = await openService({ beside: first, simulatorLedger })
    await using book = moneyRows(service.databaseUrl)
    const orphan = 'bulk-5000'
    const known = bulk.filter(({ merchantRef }) => merchantRef !== orphan)
    await book.query(
      `insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, gateway_ref, terminal_id, amount, currency, sent_at, deadline_at, finalized_at)
       select o.business_id, gen_random_uuid(), 'sale', 'APPROVED', 'session', gen_random_uuid(), r.ref, r.gateway, o.terminal_id, o.amount, o.currency,
         o.sent_at, o.deadline_at, o.finalized_at
       from operation o, unnest($1::text[], $2::text[]) r(ref, gateway)`,
      [known.map((row) => row.merchantRef), known.map((row) => row.gatewayRef)],
    )
    const began = performance.now()
    deepEqual(await reconcile(service), { outcome: 'completed', transactions: 10_001 })
    const seconds = (performance.now() - began) / 1000
    deepEqual(await findings(service), [`unknown_transaction OPEN ${orphan} –/approved`])
    equal((await book.query('select * from reconciliation_listed')).length, 0)
    ok(seconds < 20, `${seconds} s`)
  })

  test('the command compares a day now, and reports wrong arguments', async () => {
    await using service = await openService()
    await using other = await behindOurBack(service)
    const orphan = await other.sell()
    const run = (...args: string[]) => reconcileCommand(service.app.services, args)
    const printed = await run('run', '--day', today())
    match(printed, /compared; the gateway lists 1\n/)
    ok(printed.includes(orphan))
    for (const [args, reason] of [
      [['run', '--day', '2026-02-30'], /day/],
      [['run', '--day', '2999-01-01'], /day/],
      [['run', '--business', 'x'], /business/],
      [['resolve', '--finding', 'x', '--note', 'y'], /finding/],
      [['resolve', '--finding', 'x'], /--note is required/],
      [['what'], /Unknown command: what/],
    ] as const) {
      const error = await run(...args).then(
        () => new Error('it was not refused'),
        (refused: Error) => refused,
      )
      match(error.message, reason)
    }
    await service.simulator.script({ outcomes: [{ op: 'list', outcome: 'indeterminate', times: 9 }] })
    const failed = await run('run').catch((error: Error) => error.message)
    match(String(failed), /NOT compared/)
  })
})

/** Writes the ledger of a gateway that has the sale of the service, and 10,000 like it. @returns those */
async function writeBulk({ simulator }: TestService, path: string): Promise<LedgerRow[]> {
  const [view] = await simulator.rows()
  if (!view) throw new Error('The gateway has no sale')
  const { state: _, ...sale } = view
  const [ledger] = (sale.gatewayRef ?? '').split('-')
  const bulk = Array.from({ length: 10_000 }, (_row, index) => {
    const seq = index + 2
    return { ...sale, seq, merchantRef: `bulk-${index}`, gatewayRef: `${ledger}-${seq}` }
  })
  await writeFile(path, [{ ledger }, sale, ...bulk].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return bulk
}
