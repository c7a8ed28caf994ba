import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import { firstIdAt } from '../../server/lib/ids.ts'
import { audit, type Finding } from './audit.ts'
import { CARDS } from './card-numbers.ts'
import { merchantOf, payBody, payerOf } from './merchant.ts'
import { openService, type TestService } from './service.ts'
import { sellTo, storeCard } from './stored-card.ts'

const CAVV = '"cavv":"AAABBWcSNIdjeUZThmNHAAAAAAA="'
const FAILED = "state = 'FAILED', operation_id = null"

type Query = (text: string) => Promise<object[]>

interface Planted {
  query: Query
  /** The gateway's ledger, which a case may change before the audit. */
  rows: LedgerRowView[]
  /** Sale of the paid session. */
  sale: LedgerRowView
}

/** Data as a broken service or gateway would leave it, and the rules that the audit must report. */
const FAULTS: [what: string, rules: Finding['rule'][], plant: (planted: Planted) => unknown][] = [
  ['nothing is wrong', [], () => {}],
  ['a sale recorded twice by the gateway', ['AUD-1'], ({ rows, sale }) => rows.push({ ...sale, seq: 99 })],
  [
    'a live sale of a reference that we do not know',
    ['AUD-2'],
    ({ rows, sale }) => rows.push({ ...sale, seq: 99, merchantRef: 'SOMEBODY-ELSE' }),
  ],
  [
    'a live sale that was written off',
    ['AUD-2'],
    async ({ query, rows, sale }) => {
      await uncount(query, "state = 'NOT_CHARGED'")
      const given = rows.find(({ outcome }) => outcome === 'declined')
      rows.push({ ...sale, seq: 99, merchantRef: given?.merchantRef ?? '' })
    },
  ],
  ['an approval that the gateway voided', ['AUD-3'], ({ sale }) => Object.assign(sale, { state: 'voided' })],
  ['an approval of another amount', ['AUD-3'], ({ sale }) => Object.assign(sale, { approvedAmount: 2549 })],
  ['an approval in another currency', ['AUD-3'], ({ sale }) => Object.assign(sale, { currency: 'CAD' })],
  [
    'an approval that the gateway does not know',
    ['AUD-3'],
    ({ rows, sale }) => void rows.splice(rows.indexOf(sale), 1),
  ],
  [
    'a paid session that still says PENDING',
    ['AUD-4', 'AUD-9'],
    ({ query }) => query("update checkout_session set status = 'PENDING' where status = 'COMPLETED'"),
  ],
  [
    'a paid session without its payment',
    ['AUD-4'],
    ({ query }) => query('delete from payment where session_id is not null'),
  ],
  [
    'a saved-card sale without its payment',
    ['AUD-4', 'AUD-9'],
    ({ query }) => query('delete from payment where session_id is null'),
  ],
  [
    'a saved-card sale whose kept response says something else',
    ['AUD-4'],
    ({ query }) => query(`update sale_request set response = jsonb_set(response::jsonb, '{ok}', 'false')`),
  ],
  [
    'a saved-card sale that nobody was told of',
    ['AUD-9'],
    ({ query }) => query("delete from event where type = 'sale.succeeded'"),
  ],
  [
    'a surcharge that the session does not have',
    ['AUD-4'],
    ({ query }) => query('update payment set amount = amount + 61, surcharge_amount = 61'),
  ],
  ['a payment of less than the session', ['AUD-4'], ({ query }) => query('update payment set amount = amount - 1')],
  [
    'an outcome that is open for two days, and nobody was told',
    ['AUD-5'],
    ({ query }) => uncount(query, "state = 'IN_DOUBT', lost = false, sent_at = now() - interval '2 days'"),
  ],
  [
    'a sale to be reversed that nothing reverses',
    ['AUD-5'],
    ({ query }) => uncount(query, "state = 'REVERSING', lost = false"),
  ],
  [
    'a partial approval that is still held',
    ['AUD-3', 'AUD-6'],
    ({ sale }) => Object.assign(sale, { outcome: 'partial', approvedAmount: 1530 }),
  ],
  ['a refund that the gateway never made', ['AUD-7'], ({ query }) => query('update payment set refunded_amount = 500')],
  [
    'a refund that only the gateway made',
    ['AUD-7'],
    ({ rows, sale }) =>
      rows.push({ ...sale, seq: 99, op: 'refund', originalGatewayRef: sale.gatewayRef ?? '', approvedAmount: 500 }),
  ],
  [
    'a decline that was not counted',
    ['AUD-8'],
    ({ query }) => query('update checkout_session set attempt_count = 0 where attempt_count = 1'),
  ],
  [
    'a timeout that was counted',
    ['AUD-8'],
    async ({ query }) => {
      await query('update operation set counts_as_attempt = true')
      await query('update checkout_session set attempt_count = 1')
    },
  ],
  ['an outcome without its event', ['AUD-9'], ({ query }) => query('delete from event')],
  [
    'an outcome with two events',
    ['AUD-9'],
    ({ query }) =>
      query(
        `insert into event select business_id, gen_random_uuid(), type, object_id, sequence + 1, data, created_at from event`,
      ),
  ],
  [
    'a gap in the numbers of an object',
    ['AUD-9', 'AUD-15'],
    ({ query }) =>
      query(
        `insert into event select business_id, gen_random_uuid(), type, object_id, sequence + 2, data, created_at from event`,
      ),
  ],
  ['an event without its delivery', ['AUD-15'], ({ query }) => addEndpoint(query)],
  ['an event that an endpoint does not receive', [], ({ query }) => addEndpoint(query, 'price.updated')],
  [
    'a delivery without its event',
    ['AUD-15'],
    ({ query }) =>
      query(`insert into webhook_delivery (business_id, event_id, endpoint_id, object_id, sequence, ordered, status)
        select business_id, gen_random_uuid(), id, id, 1, false, 'succeeded' from event limit 1`),
  ],
  [
    'a card number in a table',
    ['AUD-12'],
    ({ query }) => query("update checkout_session set description = '4242 4242 4242 4242'"),
  ],
  [
    'an operation for a customer that does not exist',
    ['AUD-13'],
    ({ query }) => query("update operation set customer_id = gen_random_uuid() where state = 'DECLINED'"),
  ],
  [
    'a reference of the gateway that is not noted as one',
    ['AUD-13'],
    ({ query }) => query("update operation set gateway_ref = 'OTHER' where state = 'DECLINED'"),
  ],
  [
    'an e-mail whose folded form is another',
    ['AUD-13'],
    ({ query }) => query("update customer set email_folded = 'other@example.com'"),
  ],
  ['an authentication of the sale that the gateway got', [], (planted) => plantProof(planted)],
  ['an authentication that the gateway did not get', ['AUD-16'], ({ query, sale }) => plantAuthentication(query, sale)],
  [
    'another proof than that of the authentication',
    ['AUD-16'],
    (planted) => plantProof(planted, { transStatus: 'A', eci: '06' }),
  ],
  [
    'a charge with two authentications',
    ['AUD-16'],
    async (planted) => {
      await plantProof(planted)
      await plantAuthentication(planted.query, planted.sale)
    },
  ],
  [
    'a used authentication whose value is left',
    ['AUD-16'],
    async (planted) => {
      await plantProof(planted)
      await planted.query("update authentication set sealed_value = 'x'")
    },
  ],
  [
    'a paid session without the authentication that its business asks for',
    ['AUD-16'],
    async ({ query, sale }) => {
      await query('update business set three_ds_enabled = true')
      await plantAuthentication(query, sale, `${FAILED}, id = '00000000-0000-7000-8000-000000000000'`)
    },
  ],
  [
    'a failed authentication that counts as an attempt',
    [],
    async ({ query, sale }) => {
      await plantAuthentication(query, sale, `${FAILED}, counted = true`)
      await query(`update checkout_session set attempt_count = attempt_count + 1
        where id = (select session_id from authentication limit 1)`)
    },
  ],
  ['a CAVV in a table', ['AUD-12'], ({ query }) => query(`update checkout_session set description = '${CAVV}'`)],
  [
    'a card number in bytes',
    ['AUD-12'],
    ({ query }) => query(`update vault_key set wrapped_key = '${CARDS.visa}'::bytea`),
  ],
]

/** Adds an authentication of the sale, which is used unless it is changed. */
async function plantAuthentication(query: Query, { merchantRef }: LedgerRowView, change = 'eci = eci'): Promise<void> {
  await query(`insert into authentication (business_id, id, session_id, state, source, card_fingerprint, amount, currency,
      server_transaction_id, message_version, trans_status, eci, operation_id, created_at, expires_at)
    select business_id, gen_random_uuid(), owner_id, 'CONSUMED', 'new_card', ''::bytea, amount, currency, 'x', '2.2.0', 'Y', '05',
      id, now(), now() from operation where merchant_ref = '${merchantRef}'`)
  await query(`update authentication set ${change}`)
}

/** Adds an authentication, and the proof that the gateway got with the sale. */
async function plantProof(
  { query, sale }: Planted,
  change: { transStatus?: string; eci?: string } = {},
): Promise<void> {
  await plantAuthentication(query, sale)
  Object.assign(sale, { threeDs: { version: '2.2.0', transStatus: 'Y', eci: '05', cavv: 'present', ...change } })
}

/** Changes the decline so that it does not count as an attempt. */
async function uncount(query: Query, change: string): Promise<void> {
  await query(`update operation set counts_as_attempt = false, ${change} where state = 'DECLINED'`)
  await query('update checkout_session set attempt_count = 0')
}

/** Adds an endpoint that is older than every event. */
async function addEndpoint(query: Query, type = '*'): Promise<void> {
  const id = firstIdAt(new Date(Date.now() - 3_600_000))
  await query(`insert into webhook_endpoint (business_id, id, url, enabled_events, ordered, status, secret, created_at, updated_at)
    select business_id, '${id}', 'https://shop.example', '{${type}}', false, 'enabled', '', now() - interval '1 hour',
      now() - interval '1 hour' from event limit 1`)
}

describe('The audit', () => {
  let service: TestService
  let client: pg.Client
  let sound: LedgerRowView[]
  const query: Query = async (text) => (await client.query(text)).rows

  before(async () => {
    service = await openService({ timeScale: 1 })
    const merchant = merchantOf(service)
    const payer = payerOf(service)
    const card = await storeCard(service, 'ana@example.com')
    await sellTo(service, card, {}, 'order-1')
    await payer.pay(await merchant.sessionToken(), payBody(CARDS.declined))
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
      const [sale] = rows
      if (!sale) throw new Error('There is no sale')
      await query('begin')
      await plant({ query, rows, sale })
      const found = await audit({ query, rows })
      await query('rollback')
      deepEqual([...new Set(found.map(({ rule }) => rule))], rules, JSON.stringify(found))
    })
  }

  test('finds a card number and a CVV in a log', async () => {
    for (const logs of ['card 4242424242424242 declined', '{"cvv":"123"}']) {
      const found = await audit({ query, rows: sound, logs })
      deepEqual(
        found.map(({ rule, subject }) => [rule, subject]),
        [['AUD-12', 'logs']],
      )
    }
    equal((await audit({ query, rows: sound, logs: '{"msg":"DECLINE CVV2","code":"N7"}' })).length, 0)
  })
})
