import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import { audit, type Finding } from './audit.ts'
import { CARDS } from './card-numbers.ts'
import { merchantOf, payBody, payerOf } from './merchant.ts'
import { setBusiness } from './recorded.ts'
import { openService, type TestService } from './service.ts'

type Query = (text: string) => Promise<object[]>

/**
 * Approvals that the policy of the business refused (PAY-29), as a broken service or gateway would leave them, and the
 * rules that the audit must report.
 */
const FAULTS: [what: string, rules: Finding['rule'][], plant: (query: Query, sale: LedgerRowView) => unknown][] = [
  ['it is given back', [], () => {}],
  ['it is still held', ['AUD-2'], (_query, sale) => Object.assign(sale, { state: 'open' })],
  ['it has another code', ['AUD-8'], (query) => query("update operation set code = 'AA' where kind = 'sale'")],
  ['it says DECLINED', ['AUD-8'], (query) => query("update operation set state = 'DECLINED' where kind = 'sale'")],
  [
    'it is not counted',
    ['AUD-8'],
    (query) => query("update operation set counts_as_attempt = false where kind = 'sale'"),
  ],
]

describe('The audit of an approval that the policy refuses', () => {
  let service: TestService
  let client: pg.Client
  let sound: LedgerRowView[]
  const query: Query = async (text) => (await client.query(text)).rows

  before(async () => {
    service = await openService()
    await setBusiness(service, { cvv_policy: 'decline_mismatch' })
    const { body } = await payerOf(service).pay(
      await merchantOf(service).sessionToken(),
      payBody(CARDS.approvedCvvMismatch),
    )
    equal(body.code, 'N7')
    sound = await service.simulator.rows()
    client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
  })

  after(async () => {
    await client.end()
    await service.close()
  })

  for (const [what, rules, plant] of FAULTS) {
    test(`finds ${rules.join(', ') || 'nothing'} when ${what}`, async () => {
      const rows = structuredClone(sound)
      const sale = rows.find(({ op }) => op === 'sale')
      if (!sale) throw new Error('There is no sale')
      await query('begin')
      await plant(query, sale)
      const found = await audit({ query, rows })
      await query('rollback')
      deepEqual([...new Set(found.map(({ rule }) => rule))], rules, JSON.stringify(found))
    })
  }
})
