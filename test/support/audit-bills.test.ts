import { deepEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import { audit, type Finding } from './audit.ts'
import { type BillingService, openBillingService, runOn, scriptSales, subscribe } from './billing.ts'

const FAULTS: [what: string, rules: Finding['rule'][], change: string][] = [
  ['nothing is wrong', [], 'select 1'],
  ['a paid bill that is open', ['AUD-10'], `update bill set status = 'PENDING' where status = 'FULFILLED'`],
  [
    'a bill paid by another payment',
    ['AUD-10', 'AUD-13'],
    'update bill set payment_id = id where payment_id is not null',
  ],
  ['a failed attempt too many', ['AUD-10'], `update bill set failed_attempts = 2 where status = 'PENDING'`],
  [
    'an attempt counted twice',
    ['AUD-10'],
    `update payment set bill_id = (select bill_id from payment where status = 'failed')`,
  ],
  [
    'an open bill of a canceled subscription',
    ['AUD-10'],
    `update subscription set status = 'canceled' where id = (select subscription_id from bill where status = 'PENDING')`,
  ],
  ['a count of paid bills that is too high', ['AUD-11'], 'update subscription set paid_bills = paid_bills + 1'],
  [
    'a completed one without its last bill',
    ['AUD-11'],
    `update subscription set status = 'completed', installments = 5 where paid_bills = 1`,
  ],
  ['a declined bill without its payment', ['AUD-4', 'AUD-10', 'AUD-13'], `delete from payment where status = 'failed'`],
  ['a decline that nobody was told of', ['AUD-9'], `delete from event where type = 'payment.failed'`],
  [
    'an exhausted bill without its event',
    ['AUD-9'],
    `update bill set closed_reason = 'exhausted' where status = 'PENDING'`,
  ],
  [
    'a charge of a bill that does not exist',
    ['AUD-13'],
    `update operation set owner_id = id where owner_kind = 'bill'`,
  ],
]

describe('The audit of bills', () => {
  let service: BillingService
  let client: pg.Client
  before(async () => {
    service = await openBillingService('2027-01-30')
    await subscribe(service, { startDate: '2027-01-30' as Day })
    await subscribe(service, { startDate: '2027-01-31' as Day })
    await runOn(service, '2027-01-30')
    await scriptSales(service, 'declined')
    await runOn(service, '2027-01-31')
    client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await service.close()
  })

  for (const [what, rules, change] of FAULTS) {
    test(`finds ${rules.length === 0 ? 'nothing when ' : ''}${what}${rules.length > 0 ? ` (${rules})` : ''}`, async () => {
      await client.query('begin')
      await client.query(change)
      const query = async (text: string) => (await client.query(text)).rows
      const found = await audit({ query, rows: await service.simulator.rows() })
      await client.query('rollback')
      deepEqual([...new Set(found.map(({ rule }) => rule))], rules, JSON.stringify(found))
    })
  }
})
