import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Gateway } from '../../server/gateway/gateway.ts'
import { reconcileCommand } from '../../server/payments/reconciliation/reconcile-command.ts'
import { reconcileDay } from '../../server/payments/reconciliation/reconcile-day.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import {
  behindOurBack,
  findings,
  nightlyJob,
  openByKind,
  paidSale,
  reconcile,
  terminalOf,
  today,
} from '../support/reconciled-service.ts'
import { openService } from '../support/service.ts'
import { openServiceWithClock, payWithoutResponse, resolveAll } from '../support/silent-gateway.ts'

const metricsOf = async ({ operationsUrl }: { operationsUrl: string }) =>
  (await fetch(`${operationsUrl}/metrics`)).text()

describe('reconciliation with the gateway', () => {
  test('PAY-12: an orphan sale and a sale voided outside Rialto are found by the nightly job, once, with an alarm', async () => {
    await using service = await openServiceWithClock()
    await using other = await behindOurBack(service)
    await paidSale(service)
    const voided = await paidSale(service)
    const orphan = await other.sell()
    await other.void(voided)

    await nightlyJob(service)

    deepEqual(
      (await findings(service)).sort(),
      [`state_differs OPEN ${voided} APPROVED/voided`, `unknown_transaction OPEN ${orphan} –/approved`].sort(),
    )
    const metrics = await metricsOf(service)
    match(metrics, /rialto_reconciliation_open_findings\{kind="unknown_transaction"\} 1/)
    match(metrics, /rialto_reconciliation_open_findings\{kind="state_differs"\} 1/)
    match(metrics, /rialto_reconciliation_open_findings\{kind="missing_transaction"\} 0/)
    const printed = await reconcileCommand(service.app.services, ['list'])
    for (const text of [
      orphan,
      voided,
      'unknown_transaction',
      'state_differs',
      'APPROVED 25.50 USD',
      'approved 42.00 USD',
    ])
      ok(printed.includes(text), `${text} is not in:\n${printed}`)

    await nightlyJob(service)
    equal((await findings(service)).length, 2)
    equal(service.logged().match(/the gateway and our operations differ/g)?.length, 2)
    equal((await service.simulator.rows({ merchantRef: orphan })).at(-1)?.state, 'open', 'an orphan is never touched')
  })

  test('books that agree give no finding: paid, declined, partial, silent, written off, voided by us', async () => {
    await using service = await openServiceWithClock()
    for (const card of [undefined, CARDS.declined, CARDS.partial, CARDS.silentRecorded, CARDS.silentNotRecorded])
      await paidSale(service, card)
    await payWithoutResponse(service, await merchantOf(service).sessionToken())
    equal((await reconcile(service)).outcome, 'completed')
    await resolveAll(service)
    equal((await reconcile(service)).outcome, 'completed')
    await nightlyJob(service)
    deepEqual(await findings(service), [])
  })

  test('a payment that the gateway does not know is missing, but only once it must be known', async () => {
    await using service = await openServiceWithClock()
    await paidSale(service)
    await using book = moneyRows(service.databaseUrl)
    await book.query("update operation set merchant_ref = 'NOBODY-KNOWS', gateway_ref = 'NOBODY'")

    await reconcile(service)
    deepEqual(await openByKind(service), { unknown_transaction: 1 })
    service.clock.advance(200)
    await reconcile(service)
    deepEqual(await openByKind(service), { missing_transaction: 1, unknown_transaction: 1 })
  })

  test('amounts that differ, a second transaction of a reference and an unknown refund are found', async () => {
    await using service = await openService()
    await using other = await behindOurBack(service)
    await using book = moneyRows(service.databaseUrl)
    const refunded = await paidSale(service)
    await other.refund(refunded, 100)
    await paidSale(service, CARDS.recordedTwice)
    const changed = await paidSale(service)
    await book.query('update operation set amount = 2500 where merchant_ref = $1', [changed])

    await reconcile(service)

    deepEqual(await openByKind(service), { amount_differs: 1, duplicate_transaction: 1, unknown_transaction: 1 })
  })

  test('a refund, decline or reversal recorded here and not at the gateway is found', async () => {
    await using service = await openService()
    await using other = await behindOurBack(service)
    await using book = moneyRows(service.databaseUrl)
    const refs = [await paidSale(service), await paidSale(service), await paidSale(service), await paidSale(service)]
    await other.refund(refs[0] ?? '', 2550)
    for (const [index, state] of ['', 'DECLINED', 'REVERSED', 'REVERSING'].entries())
      if (state) await book.setState(state, refs[index])

    await reconcile(service)

    deepEqual(
      (await findings(service)).filter((text) => text.startsWith('state_differs')).sort(),
      [
        `state_differs OPEN ${refs[0]} APPROVED/refunded`,
        `state_differs OPEN ${refs[1]} DECLINED/approved`,
        `state_differs OPEN ${refs[2]} REVERSED/approved`,
        `state_differs OPEN ${refs[3]} REVERSING/approved`,
      ].sort(),
    )
  })

  test('an approval of a sale that was written off is voided, and the finding is resolved by the next comparison', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const late = await paidSale(service)
    await book.query('delete from payment')
    await book.query("update checkout_session set status = 'PENDING'")
    await book.setState('NOT_CHARGED')
    await book.query('update operation set gateway_ref = null')

    await reconcile(service)
    deepEqual(await findings(service), [`state_differs OPEN ${late} NOT_CHARGED/approved`])
    equal((await service.simulator.rows({ merchantRef: late }))[0]?.state, 'voided')
    match(await metricsOf(service), /rialto_payment_outcomes_total\{outcome="late_approval"\} 1/)

    await reconcile(service)
    deepEqual(await findings(service), [`state_differs RESOLVED ${late} NOT_CHARGED/approved`])
  })

  test('a finding that disappears is resolved, one that returns opens again, one that a person resolved stays resolved', async () => {
    await using service = await openService()
    await using other = await behindOurBack(service)
    await using book = moneyRows(service.databaseUrl)
    const orphan = await other.sell()
    const sale = await paidSale(service)
    await book.setState('DECLINED')
    await reconcile(service)
    equal((await findings(service)).length, 2)

    await book.setState('APPROVED')
    await other.void(orphan)
    await reconcile(service)
    deepEqual(await openByKind(service), {})

    await book.setState('DECLINED')
    await reconcile(service)
    deepEqual(await openByKind(service), { state_differs: 1 })
    const [{ id = '' } = {}] = await book.query<{ id: string }>(
      "select id from reconciliation_finding where state = 'OPEN'",
    )
    const said = await reconcileCommand(service.app.services, ['resolve', '--finding', id, '--note', 'Ana called them'])
    equal(said, `${id} is resolved.`)
    await reconcile(service)
    deepEqual(await openByKind(service), {})
    const printed = await reconcileCommand(service.app.services, ['list', '--all'])
    match(printed, /RESOLVED, found .*; resolved by a person .*\n {4}note: Ana called them/)

    // Not what the person saw.
    await book.setState('REVERSED', sale)
    await reconcile(service)
    deepEqual(await openByKind(service), { state_differs: 1 })
  })

  test('a gateway that is silent in the middle of the list: nothing counts as missing or resolved, and the comparison runs again', async () => {
    await using service = await openServiceWithClock()
    await using other = await behindOurBack(service)
    const orphan = await other.sell()
    await paidSale(service)
    await reconcile(service)
    await using book = moneyRows(service.databaseUrl)
    for (let count = 0; count < 520; count++) await other.sell(`filler-${count}`, CARDS.declined)
    await book.query("update operation set merchant_ref = 'NOBODY-KNOWS', gateway_ref = 'NOBODY'")
    await other.void(orphan)
    service.clock.advance(200)
    await service.simulator.script({
      outcomes: [
        { op: 'list', outcome: 'approved' },
        { op: 'list', outcome: 'http_503_recorded' },
      ],
    })

    equal((await reconcile(service)).outcome, 'failed')
    const open = await openByKind(service)
    equal(open.missing_transaction, undefined)
    ok((await findings(service)).includes(`unknown_transaction OPEN ${orphan} –/approved`))
    match(await metricsOf(service), /rialto_reconciliation_failed_days 1/)

    equal((await reconcile(service)).outcome, 'completed')
    equal((await openByKind(service)).missing_transaction, 1)
    ok((await findings(service)).includes(`unknown_transaction RESOLVED ${orphan} –/approved`))
    match(await metricsOf(service), /rialto_reconciliation_failed_days 0/)
  })

  test('an open operation, and a void of ours in flight, are not findings', async () => {
    await using service = await openService()
    await using book = moneyRows(service.databaseUrl)
    const sale = await paidSale(service)
    for (const state of ['SENT', 'IN_DOUBT']) {
      await book.setState(state)
      await reconcile(service)
    }
    await book.setState('REVERSED', sale)
    await book.query(
      `insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, terminal_id, parent_id,
         open_reversal_of, amount, currency, sent_at, deadline_at)
       select business_id, gen_random_uuid(), 'reversal_void', 'SENT', owner_kind, owner_id, 'VOID-1', terminal_id, id, id, amount,
         currency, sent_at, deadline_at from operation`,
    )
    await reconcile(service)
    deepEqual(await findings(service), [])
  })

  test('clocks that differ around midnight: a sale listed on another day is neither missing nor unknown', async () => {
    await using service = await openServiceWithClock()
    const night = new Date(service.clock.now())
    night.setUTCHours(23, 59, 58, 0)
    await paidSale(service)
    await using book = moneyRows(service.databaseUrl)
    // Our record says that it was sent two days before.
    await book.query(
      "update operation set sent_at = sent_at - interval '2 days', deadline_at = deadline_at - interval '2 days'",
    )
    const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
    equal((await reconcile(service, before)).outcome, 'completed')
    equal((await reconcile(service)).outcome, 'completed')
    deepEqual(await findings(service), [])
  })

  for (const between of ['list', 'inquire'] as const) {
    test(`a reversal of ours that goes through right after the response to "${between}" is not a finding`, async () => {
      await using service = await openService()
      await using other = await behindOurBack(service)
      await using book = moneyRows(service.databaseUrl)
      const sale = await paidSale(service)
      // An operation to confirm: without one there are no inquiries.
      await book.setState('DECLINED')
      const gateway = service.app.services.gateways('simulator')
      const reversed: Gateway = {
        ...gateway,
        // biome-ignore lint/suspicious/noExplicitAny: one of two calls, each passed on as it is.
        [between]: async (request: any) => {
          const response = await gateway[between](request)
          await other.void(sale)
          await book.setState('REVERSED')
          return response
        },
      }
      const services = { ...service.app.services, gateways: () => reversed }
      const result = await reconcileDay(services, { terminal: await terminalOf(service), day: today() })
      equal(result.outcome, 'completed')
      deepEqual(await findings(service), [])
    })
  }
})
