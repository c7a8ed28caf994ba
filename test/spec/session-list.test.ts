import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { signIn } from '../support/dashboard.ts'
import { type Merchant, merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertRefused } from '../support/refusal.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// CHK-36: `GET /api/{business_id}/checkout-sessions`. The demo business is in New York.

let service: TestService
let merchant: Merchant
let other: SecondMerchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  other = await secondMerchant(service)
})
after(() => service.close())

async function list(query: Record<string, string | number> = {}, by: Merchant = merchant) {
  const { status, body } = await by.get(`/checkout-sessions?${new URLSearchParams(query as Record<string, string>)}`)
  equal(status, 200, JSON.stringify(body))
  return body.checkout_sessions
}

const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
const make = async (input: object = {}): Promise<string> =>
  (await merchant.createSession({ ...input })).body.checkout_session.id

/** @param day creation time, as an instant */
async function makeAt(day: string, input: object = {}): Promise<string> {
  const id = await make(input)
  const { db } = service.app.services
  await db
    .updateTable('checkout_session')
    .set({ created_at: new Date(day) })
    .where('id', '=', id)
    .execute()
  return id
}

describe('an element', () => {
  test('shows of an open session what was given', async () => {
    const input = {
      customer_email: 'element@example.com',
      customer_name: 'Ana Roy',
      description: 'Tea',
      client_reference_id: 'o-1',
    }
    const { checkout_session: created } = (await merchant.createSession(input)).body
    const [element] = (await list({ customer: 'element@example.com' })).data
    const { id, token, expires_at, ui_mode } = created
    const { created_at, ...rest } = element
    equal(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, true)
    deepEqual(rest, {
      id,
      token,
      expires_at,
      ui_mode,
      session_status: 'PENDING',
      payment_status: 'UNPAID',
      amount_total: 25.5,
      currency: 'USD',
      mode: 'payment',
      customer: { id: null, name: 'Ana Roy', email: 'element@example.com' },
      client_reference_id: 'o-1',
      description: 'Tea',
      attempt_count: 0,
      completed_at: null,
      transaction: null,
    })
  })

  test('shows of a paid one the transaction of the details', async () => {
    const token = await merchant.sessionToken({ customer_email: 'paid@example.com' })
    await payerOf(service).pay(token)
    const [element] = (await list({ customer: 'paid@example.com' })).data
    deepEqual([element.session_status, element.payment_status], ['COMPLETED', 'PAID'])
    deepEqual(element.transaction, (await merchant.details(token)).body.transaction)
  })
})

describe('pages', () => {
  const customer = 'paging'
  let newestFirst: string[]
  before(async () => {
    newestFirst = []
    for (let index = 0; index < 23; index++)
      newestFirst.unshift(await make({ customer_email: `paging-${index}@example.com` }))
  })

  test('ten a page by default, newest first, with links to the others', async () => {
    const first = await list({ customer })
    const { current_page, per_page, total, last_page, from, to, next_page_url, prev_page_url } = first
    deepEqual(
      { current_page, per_page, total, last_page, from, to, prev_page_url },
      { current_page: 1, per_page: 10, total: 23, last_page: 3, from: 1, to: 10, prev_page_url: null },
    )
    deepEqual(ids(first), newestFirst.slice(0, 10))
    const next = new URL(next_page_url)
    deepEqual(ids(await list(Object.fromEntries(next.searchParams))), newestFirst.slice(10, 20))
    const last = await list({ customer, page: 3 })
    deepEqual([ids(last), last.from, last.to, last.next_page_url], [newestFirst.slice(20), 21, 23, null])
  })

  test('past the last page there is nothing', async () => {
    const { data, from, to, total, last_page } = await list({ customer, page: 4 })
    deepEqual({ data, from, to, total, last_page }, { data: [], from: null, to: null, total: 23, last_page: 3 })
  })

  test('perPage is 1 to 100', async () => {
    deepEqual(ids(await list({ customer, perPage: 1 })), newestFirst.slice(0, 1))
    deepEqual(ids(await list({ customer, perPage: 100 })), newestFirst)
    deepEqual(ids(await list({ customer, perPage: '' })), newestFirst.slice(0, 10))
    for (const perPage of ['0', '101', '-1', '1.5', 'ten'])
      assertRefused(await merchant.get(`/checkout-sessions?perPage=${perPage}`), 422, 'validation_failed', ['perPage'])
  })

  test('sessions of one instant are neither skipped nor repeated', async () => {
    const same = await Promise.all(
      Array.from({ length: 7 }, () => makeAt('2026-02-02T12:00:00Z', { customer_email: 'same@example.com' })),
    )
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ customer: 'same@', perPage: 2, page })))
    deepEqual(pages.flatMap(ids), same.toSorted().reverse())
  })

  test('toDate holds the pages still while sessions are being created', async () => {
    const held = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        makeAt(`2026-03-03T12:00:${10 + index}Z`, { customer_email: 'still@example.com' }),
      ),
    )
    const query = { customer: 'still@', toDate: '2026-03-03', perPage: 5 }
    const seen: string[] = []
    for (const page of [1, 2, 3]) {
      seen.push(...ids(await list({ ...query, page })))
      await Promise.all(Array.from({ length: 5 }, () => make({ customer_email: 'still@example.com' })))
    }
    deepEqual(seen, held.toReversed())
  })
})

describe('filters', () => {
  test('days are those of the business’s time zone, both inclusive', async () => {
    const customer_email = 'days@example.com'
    const at = (instant: string) => makeAt(instant, { customer_email })
    const before_ = await at('2026-07-01T03:59:59Z')
    const first = await at('2026-07-01T04:00:00Z')
    const last = await at('2026-07-03T03:59:59Z')
    const after_ = await at('2026-07-03T04:00:00Z')
    const between = async (query: object) => ids(await list({ customer: 'days@', ...query }))
    deepEqual(await between({ fromDate: '2026-07-01', toDate: '2026-07-02' }), [last, first])
    deepEqual(await between({ fromDate: '2026-07-01' }), [after_, last, first])
    deepEqual(await between({ toDate: '2026-06-30' }), [before_])
    deepEqual(await between({ fromDate: '2026-07-03', toDate: '2026-07-03' }), [after_])
  })

  test('a day of 25 hours has them all', async () => {
    const customer_email = 'clock@example.com'
    const first = await makeAt('2026-11-01T04:00:00Z', { customer_email })
    const last = await makeAt('2026-11-02T04:59:59Z', { customer_email })
    await makeAt('2026-11-02T05:00:00Z', { customer_email })
    deepEqual(ids(await list({ customer: 'clock@', fromDate: '2026-11-01', toDate: '2026-11-01' })), [last, first])
  })

  for (const [field, query] of [
    ['toDate', 'fromDate=2026-07-02&toDate=2026-07-01'],
    ['fromDate', 'fromDate=2026-02-30'],
    ['fromDate', 'fromDate=01/07/2026'],
    ['toDate', 'toDate=yesterday'],
    ['status', 'status=paid'],
    ['page', 'page=0'],
    ['customer', `customer=${'a'.repeat(256)}`],
  ] as const)
    test(`${query.slice(0, 40)} is refused`, async () => {
      assertRefused(await merchant.get(`/checkout-sessions?${query}`), 422, 'validation_failed', [field])
    })

  test('each status has its sessions; one whose time is over counts as EXPIRED', async () => {
    const customer_email = 'state@example.com'
    const make_ = async () => (await merchant.createSession({ customer_email })).body.checkout_session
    const [pending, paid, cancelled, failed] = await Promise.all([make_(), make_(), make_(), make_()])
    const payer = payerOf(service)
    await payer.pay(paid.token)
    await merchant.cancel(cancelled.token)
    for (let decline = 0; decline < 3; decline++) await payer.pay(failed.token, payBody(CARDS.declined))
    const having = async (status: string) => ids(await list({ customer: 'state@', status }))
    deepEqual(await having('PENDING'), [pending.id])
    deepEqual(await having('COMPLETED'), [paid.id])
    deepEqual(await having('CANCELLED'), [cancelled.id])
    deepEqual(await having('FAILED'), [failed.id])
    const { db } = service.app.services
    const past = new Date(Date.now() - 1_000)
    await db.updateTable('checkout_session').set({ expires_at: past }).where('id', '=', pending.id).execute()
    deepEqual(await having('EXPIRED'), [pending.id])
    deepEqual(await having('PENDING'), [])
  })

  test('a part of a name or an address finds, in any case; %, _ and \\ are letters', async () => {
    const odd = await make({ customer_email: 'odd@example.com', customer_name: '100%_Ümit\\Öz' })
    await make({ customer_email: 'plain@example.com', customer_name: '100 xÜmit Öz' })
    const found = async (customer: string) => ids(await list({ customer }))
    for (const part of ['100%', '%_', '%_ü', 'ÜMIT\\', 'ODD@EXAMPLE']) deepEqual(await found(part), [odd], part)
    // The same letters in Unicode's other normalization form.
    deepEqual(await found('%_U\u0308mit'), [odd])
    deepEqual(await found('%%'), [])
    deepEqual(await found('__'), [])
    equal((await found('ümit')).length, 2)
  })

  test('sessions that were bound to a customer are found by the customer’s name and address', async () => {
    const first = await merchant.sessionToken({ customer_email: 'bound@example.com', customer_name: 'Bound Person' })
    await payerOf(service).pay(first)
    const customer_id = (await merchant.details(first)).body.checkout_session.customer_id
    const second = await make({ customer_id, customer_email: undefined })
    deepEqual((await list({ customer: 'bound@' })).data[0].id, second)
    deepEqual((await list({ customer: 'ound PERS' })).data[0].customer.id, customer_id)
  })

  test('a session is found by the name that its payer typed, which the list shows', async () => {
    const token = await merchant.sessionToken({ customer_email: 'typing@example.com' })
    deepEqual(await list({ customer: 'quill' }).then(({ data }) => data), [])
    const payer = payerOf(service)
    const typed = { name: 'Quentin Quill', email: 'typing@example.com', phone: '5551234567' }
    equal((await payer.customer(token, typed)).status, 200)
    equal((await payer.pay(token)).status, 200)
    const { data } = await list({ customer: 'TIN QUILL' })
    deepEqual(
      data.map(({ customer }: { customer: { name: string } }) => customer.name),
      ['Quentin Quill'],
    )
    const person = await signIn(service)
    const path = `/customers/${data[0].customer.id}`
    const { version } = (await person.call(`GET ${path}`)).body
    equal((await person.call(`PATCH ${path}`, { body: { version, name: 'Quentin Plume' } })).status, 200)
    for (const query of [{ customer: 'plume' }, { customer: 'plume', status: 'COMPLETED' }])
      equal((await person.call('GET /checkout_sessions', { query })).body.data.length, 1)
  })
})

test('sessions of another business never appear, for any query', async () => {
  const { body } = await other.createSession({
    success_url: 'https://other.example',
    cancel_url: 'https://other.example',
    customer_email: 'secret@other.example',
  })
  const foreign = body.checkout_session.id
  for (const query of [
    {},
    { customer: 'secret@other' },
    { customer: '@' },
    { status: 'PENDING' },
    { fromDate: '2020-01-01' },
  ])
    equal(ids(await list({ ...query, perPage: 100 })).includes(foreign), false)
  deepEqual(ids(await list({}, other)), [foreign])
})

test('among many sessions a search reads the index, not the table', async () => {
  await using book = moneyRows(service.databaseUrl)
  const columns = `business_id, client_id, token_key_id, status, customer_named_by, ui_mode, mode, currency, amount_total, success_url, cancel_url,
    parent_origin, created_at, expires_at`
  // In portions: a statement may take five seconds.
  for (let first = 1; first <= 20_000; first += 5_000)
    await book.query(
      `insert into checkout_session (id, customer_email, search_text, ${columns})
    select gen_random_uuid(), 'many-' || md5(n::text) || '@example.com', 'many-' || md5(n::text) || '@example.com ', ${columns}
    from (select * from checkout_session where business_id = $1 limit 1) one, generate_series($2::int, $2::int + 4999) n`,
      [service.demo.business_id, first],
    )
  await book.query('analyze checkout_session')
  const scans = async (): Promise<number> => {
    const [row] = await book.query<{ scans: string }>(
      "select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'checkout_session_search'",
    )
    return Number(row?.scans)
  }
  const before_ = await scans()
  const md5Of7 = '8f14e45fceea167a5a36dedd4bea2543'
  equal((await list({ customer: md5Of7.slice(0, 12) })).total, 1)
  await until(
    'the list has used checkout_session_search',
    async () => {
      await list({ customer: md5Of7.slice(3, 20) })
      return (await scans()) >= before_ + 2
    },
    20_000,
  )
})
