import { deepEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import { audit, type Finding } from './audit.ts'
import { CARDS } from './card-numbers.ts'
import { merchantOf } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import { openService, type TestService } from './service.ts'
import { storeCard } from './stored-card.ts'
import { payForSubscription } from './subscription-payment.ts'

type Query = (text: string) => Promise<object[]>

/** Refunds and voids as a broken service or gateway would leave them, and the rules that the audit must report. */
const FAULTS: [what: string, rules: Finding['rule'][], plant: (query: Query, rows: LedgerRowView[]) => unknown][] = [
  ['nothing is wrong', [], () => {}],
  [
    'a refund that the gateway lost',
    ['AUD-7', 'AUD-14'],
    (_query, rows) =>
      void rows.splice(
        rows.findIndex(({ op }) => op === 'refund'),
        1,
      ),
  ],
  [
    'a refund that the gateway made twice',
    ['AUD-7', 'AUD-14'],
    (_query, rows) =>
      rows.push({
        ...(rows.find(({ op, approvedAmount }) => op === 'refund' && approvedAmount > 0) as LedgerRowView),
        seq: 99,
      }),
  ],
  [
    'a reservation that nothing holds',
    ['AUD-7'],
    (query) => query("update payment set refund_pending_amount = 1 where status = 'succeeded'"),
  ],
  [
    'a refund that ended without its operation',
    ['AUD-7'],
    (query) => query("update operation set state = 'IN_DOUBT' where kind = 'refund' and state = 'APPROVED'"),
  ],
  [
    'a failed refund that says it succeeded',
    ['AUD-7', 'AUD-9'],
    (query) =>
      query("update refund set status = 'succeeded', failure_reason = null, receipt_id = 'R1' where status = 'failed'"),
  ],
  [
    'a voided payment that the gateway never voided',
    ['AUD-3', 'AUD-14'],
    (_query, rows) => {
      for (const row of rows) if (row.state === 'voided') row.state = 'open'
    },
  ],
  [
    'a void that left its payment succeeded',
    ['AUD-3', 'AUD-9'],
    (query) => query("update payment set status = 'succeeded' where status = 'voided'"),
  ],
  [
    'a payment refunded in part that says refunded',
    ['AUD-9', 'AUD-13'],
    (query) => query("update payment set status = 'refunded' where status = 'succeeded' and refunded_amount > 0"),
  ],
  [
    'a refund without its event',
    ['AUD-9'],
    (query) => query("delete from event where type = 'payment.partially_refunded'"),
  ],
  ['a failed refund without its event', ['AUD-9'], (query) => query("delete from event where type = 'refund.failed'")],
  ['a void without its event', ['AUD-9'], (query) => query("delete from event where type = 'payment.voided'")],
  [
    'a payment in another batch than at the gateway',
    ['AUD-14'],
    (_query, rows) => {
      const sale = rows.find(({ op, batch }) => op === 'sale' && batch !== undefined)
      if (sale) sale.batch = 'B99'
    },
  ],
  [
    'a settled batch with other totals',
    ['AUD-14'],
    (query) => query(`update batch set totals = jsonb_set(totals, '{salesAmount}', '1') where status = 'settled'`),
  ],
  [
    'a refund of a payment that does not exist',
    ['AUD-7', 'AUD-13'],
    (query) => query("update refund set payment_id = gen_random_uuid() where status = 'succeeded'"),
  ],
]

describe('The audit of refunds and voids', () => {
  let service: TestService
  let client: pg.Client
  let sound: LedgerRowView[]
  const query: Query = async (text) => (await client.query(text)).rows

  before(async () => {
    service = await openService({ timeScale: 1 })
    const api = merchantApiOf(service)
    const [card, declining] = [
      await storeCard(service, 'ana@example.com'),
      await storeCard(service, 'bo@example.com', { cardNumber: CARDS.refundsDeclined }),
    ]
    const pay = async (stored = card) => (await payForSubscription(service, stored)).id
    await api.made('/refunds', { payment: await pay() })
    await api.made('/refunds', { payment: await pay(), amount: 100 })
    await api.made('/refunds', { payment: await pay(declining) })
    await api.post('/voids', { payment: await pay() })
    await merchantOf(service).post('/batch/settle', {})
    sound = await service.simulator.rows()
    client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
  })

  after(async () => {
    await client.end()
    await service.close()
  })

  for (const [what, rules, plant] of FAULTS) {
    test(`${rules.length > 0 ? `finds ${what} (${rules})` : `finds nothing when ${what}`}`, async () => {
      const rows = structuredClone(sound)
      await query('begin')
      await plant(query, rows)
      const found = await audit({ query, rows })
      await query('rollback')
      deepEqual([...new Set(found.map(({ rule }) => rule))], rules, JSON.stringify(found))
    })
  }
})
