import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  CONTRACT_COLUMNS,
  DELIVERY_COLUMNS,
  EVENT_COLUMNS,
  OPERATION_COLUMNS,
  PAYMENT_COLUMNS,
  PRICE_COLUMNS,
  PRODUCT_COLUMNS,
  REFUSAL_COLUMNS,
  SESSION_COLUMNS,
} from '../../contract/dashboard/export-columns.ts'
import { newId } from '../../server/lib/ids.ts'
import { csvTable } from '../support/csv-table.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// DSH-8: a list and its file have the same rows, for every filter.

let service: TestService
let owner: DashboardClient
let ids: Furnished
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  ids = await furnish(service, owner, service.demo.business_id)
  ids.batches = (await owner.call('GET /batches', { query: { status: 'settled' } })).body.data[0].id
  await addOpenSales(service, 3)
  const authorization = `Bearer ${service.demo.api_key}`
  await fetch(`${service.url}/api/v1/customers/${newId()}`, { headers: { authorization } })
  await fetch(`${service.url}/api/v1/customers`, { method: 'POST', headers: { authorization } })
  await until('the refused calls are listed', async () => (await owner.call('GET /refusals')).body.total > 1)
  const name = '=1+1, "x"'
  ids.made = (await owner.call('POST /products', { body: { name } })).body.id
  await owner.call('POST /prices', { body: { product: ids.made, unit_amount: 100 } })
  const link = { amount_total: 1_234, customer_email: 'payer@shop.example', description: name }
  await owner.call('POST /checkout_sessions', { body: link })
  await owner.call('POST /contracts', { body: { customer: ids.customers, title: name, text: 'I agree.' } })
})
after(() => service.close())

type Row = Record<string, unknown> & { id: string; created: number }

interface ExportedList {
  list: string
  /** The export, if it is not only of the list. */
  file?: string
  /** Members that the export always requires. */
  always?: Record<string, unknown>
  columns: readonly string[]
  permission: string
  action: string
  /** A filter that matches some rows, as it is in a query. */
  filter: Record<string, unknown>
  /** Returns the expected values of the named columns, for a row of the list. */
  cells: (row: Row) => Record<string, unknown>
}

const amount = (cents: unknown) => (Number(cents) / 100).toFixed(2)
// biome-ignore lint/suspicious/noExplicitAny: a row of any list.
const member = (value: unknown): any => value

const LISTS: ExportedList[] = [
  {
    list: '/checkout_sessions',
    columns: SESSION_COLUMNS,
    permission: 'export.payments',
    action: 'checkout_sessions.export',
    filter: { status: 'PENDING', amount_from: 1 },
    cells: (row) => ({
      status: row.status,
      payment_status: row.payment_status,
      amount_total: amount(row.amount_total),
      currency: row.currency,
      mode: row.mode,
      customer_email: member(row.customer)?.email,
      attempts: row.attempt_count,
    }),
  },
  {
    list: '/operations',
    columns: OPERATION_COLUMNS,
    permission: 'export.payments',
    action: 'operations.export',
    filter: { open: true },
    cells: (row) => ({
      kind: row.kind,
      state: row.state,
      amount: amount(row.amount),
      payment: row.payment,
      payment_kind: row.payment_kind,
      card_last4: member(row.card)?.last4,
      inquiries: row.inquiries,
      needs_attention: row.needs_attention,
    }),
  },
  {
    list: '/products',
    columns: PRODUCT_COLUMNS,
    permission: 'export.customers',
    action: 'products.export',
    filter: { active: true, q: '1+' },
    cells: (row) => ({
      active: row.active,
      active_prices: member(row.view).active_prices,
      price: member(row.view).price?.id,
      amount: member(row.view).price && amount(member(row.view).price.unit_amount),
      interval: member(row.view).price?.recurring?.interval,
    }),
  },
  {
    list: '/prices',
    columns: PRICE_COLUMNS,
    permission: 'export.customers',
    action: 'prices.export',
    filter: { product: 'products' },
    cells: (row) => ({
      product: row.product,
      amount: amount(row.unit_amount),
      interval: member(row.recurring)?.interval,
      interval_count: member(row.recurring)?.interval_count,
      active: row.active,
    }),
  },
  {
    list: '/contracts',
    columns: CONTRACT_COLUMNS,
    permission: 'export.customers',
    action: 'contracts.export',
    filter: { status: 'draft', customer: 'customers', search: 'Terms' },
    cells: (row) => ({
      status: row.status,
      customer: member(row.customer).id,
      customer_email: member(row.customer).email,
      is_awaited: row.is_awaited,
    }),
  },
  {
    list: '/events',
    columns: EVENT_COLUMNS,
    permission: 'events.read',
    action: 'events.export',
    filter: { object: 'made' },
    cells: (row) => ({
      type: row.type,
      object_type: member(row.data).object.object,
      object_id: member(row.data).object.id,
      sequence: row.sequence,
      deliveries_pending: member(row.view).deliveries.pending,
    }),
  },
  {
    list: '/webhook_endpoints/{id}/deliveries',
    columns: DELIVERY_COLUMNS,
    permission: 'webhooks.read',
    action: 'webhook_deliveries.export',
    filter: { type: 'product.created' },
    cells: (row) => ({
      type: row.type,
      status: row.status,
      attempts: row.attempt_count,
      response_status: row.response_status,
    }),
  },
  {
    list: '/refusals',
    columns: REFUSAL_COLUMNS,
    permission: 'requests.read',
    action: 'refusals.export',
    filter: { code: 'resource_missing' },
    cells: (row) => ({
      method: row.method,
      path: row.path,
      status: row.status,
      code: row.code,
      credential: row.credential_id,
      request_id: row.request_id,
    }),
  },
  {
    list: '/batches/{id}/payments',
    file: '/payments',
    always: { batch: 'batches' },
    columns: PAYMENT_COLUMNS,
    permission: 'export.payments',
    action: 'payments.export',
    filter: {},
    cells: (row) => ({ amount: amount(row.amount), card_last4: member(row.view).card.last4 }),
  },
]

const pathOf = (list: string) => list.replace('{id}', ids[list.split('/')[1] ?? ''] ?? '')
/** Replaces a kind of object by the id of one. */
const given = (members: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, ids[String(value)] ?? value]))
const listOf = async (list: string, filter: Record<string, unknown>): Promise<Row[]> => {
  const query = { ...given(filter), limit: 100 } as Record<string, string | number>
  const { status, body } = await owner.call(`GET ${pathOf(list)}`, { query })
  equal(status, 200, list)
  return body.data
}

describe('The export of a list', () => {
  for (const { list, file = list, always, columns, permission, action, filter, cells } of LISTS) {
    const send = (body: object, person = owner) =>
      person.call(`POST ${pathOf(file)}/export`, { body: { ...given(always), ...body } })
    const isWhole = Object.values(filter).every((value) => value === true)
    const idColumn = columns === DELIVERY_COLUMNS ? 'event' : 'id'

    test(`${list} has its rows in its order, by every column, and with the list's filter`, async () => {
      const all = await listOf(list, {})
      for (const wanted of [{}, filter]) {
        const rows = await listOf(list, wanted)
        // Rows that the list leaves out are also left out of the file.
        if (wanted === filter && !isWhole) ok(rows.length < all.length, list)
        ok(rows.length > 0, `${list} ${JSON.stringify(wanted)}`)
        const { status, headers, body } = await send({ ...given(wanted), format: 'plain' })
        deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'], list)
        const [head, ...lines] = csvTable(body)
        deepEqual(head, columns)
        const cellOf = (line: string[], column: string) => line[columns.indexOf(column)]
        deepEqual(
          lines.map((line) => cellOf(line, idColumn)),
          rows.map(({ id }) => id),
        )
        for (const [index, row] of rows.entries())
          for (const [column, value] of Object.entries(cells(row)))
            equal(cellOf(lines[index] ?? [], column), value == null ? '' : String(value), `${list} ${column}`)
      }
    })

    test(`${list} has the columns that were chosen, an audit row, and is for those with ${permission}`, async () => {
      const chosen = [columns[2] ?? '', columns[0] ?? '']
      const { body } = await send({ ...given(filter), columns: chosen, time_zone: 'Asia/Kathmandu' })
      deepEqual(csvTable(body)[0], chosen)
      const rows = (await listOf(list, filter)).length
      const { data } = (await owner.call('GET /audit', { query: { action, limit: 1 } })).body
      const after = { filter: { ...given(always), ...given(filter) }, columns: chosen, rows }
      deepEqual([data[0].outcome, data[0].after], ['done', after])
      const analyst = await signIn(service, { role: 'analyst' })
      const mayAnalyst = ['export.payments', 'events.read', 'webhooks.read'].includes(permission)
      const refused = await send({}, analyst)
      deepEqual([refused.status, refused.body.error?.permission], mayAnalyst ? [200, undefined] : [403, permission])
    })
  }

  test('has no cell that is a formula', async () => {
    const cell = `'=1+1, "x"`
    for (const [list, column] of [
      ['/products', 'name'],
      ['/checkout_sessions', 'description'],
      ['/contracts', 'title'],
    ] as const) {
      const { body } = await owner.call(`POST ${list}/export`, { body: { columns: [column] } })
      ok(
        csvTable(body).some(([found]) => found === cell),
        list,
      )
    }
  })
})

/** Adds sales whose outcome is not resolved while the tests run. */
async function addOpenSales({ app, demo }: TestService, count: number): Promise<void> {
  await sql`insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, terminal_id, amount,
      currency, card_brand, card_first6, card_last4, sent_at, deadline_at, next_inquiry_at)
    select t.business_id, uuidv7(), 'sale', 'IN_DOUBT', 'session', gen_random_uuid(), 'OPEN-' || n, t.id, 100 + n,
      t.currency, 'visa', '424242', '4242', now(), now(), now() + interval '1 day'
    from generate_series(1, ${count}::int) n, (select * from terminal where business_id = ${demo.business_id} limit 1) t
  `.execute(app.services.db)
}
