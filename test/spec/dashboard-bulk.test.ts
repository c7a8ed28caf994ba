import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { BULK_MAX } from '../../contract/dashboard/bulk.ts'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

const db = () => service.app.services.db

interface Made {
  id: string
  version: string
}

async function made(name: string, body: object): Promise<Made> {
  const response = await owner.call(name, { body })
  equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}
const products = (count: number) =>
  Promise.all(Array.from({ length: count }, (_none, number) => made('POST /products', { name: `Tea ${number}` })))
const itemsOf = (objects: readonly Made[]) => objects.map(({ id, version }) => ({ id, version }))
const archive = (items: readonly object[], { active = false, key = newId(), as = owner } = {}) =>
  as.call('POST /products/archive', { body: { active, items }, key })
const isActive = async ({ id }: Made): Promise<boolean> => (await owner.call(`GET /products/${id}`)).body.active
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()

/** The rows of the audit log about these objects, without those that made them. */
async function auditOf(objects: readonly { id: string }[]) {
  const rows = await db()
    .selectFrom('audit_entry')
    .select(['action', 'object_type', 'object_id', 'outcome', 'before', 'after'])
    .where('object_id', 'in', idsOf(objects))
    .where('action', 'not like', '%.create')
    .orderBy('number')
    .execute()
  return rows.map(({ before, after, ...row }) => ({ ...row, from: activeOf(before), to: activeOf(after) }))
}
const activeOf = (value: unknown) => (value as { active?: boolean } | null)?.active

describe('Several products at once (DSH-37)', () => {
  test('are archived and restored, each with its audit row and its event, as one by one', async () => {
    const chosen = await products(3)
    const archived = await archive(itemsOf(chosen))
    deepEqual([archived.status, archived.body.failed], [200, []])
    deepEqual(idsOf(archived.body.done), idsOf(chosen))
    deepEqual(await Promise.all(chosen.map(isActive)), [false, false, false])
    const restored = await archive(archived.body.done, { active: true })
    deepEqual([restored.status, restored.body.failed], [200, []])
    deepEqual(idsOf(restored.body.done), idsOf(chosen))
    deepEqual(
      new Set(restored.body.done.map(({ version }: Made) => version)),
      new Set(chosen.map((one) => one.version)),
    )
    const { id } = chosen[0] ?? { id: '' }
    const row = { action: 'product.update', object_type: 'product', object_id: id, outcome: 'done' }
    deepEqual(await auditOf([{ id }]), [
      { ...row, from: true, to: false },
      { ...row, from: false, to: true },
    ])
    equal((await auditOf(chosen)).length, 6)
    const { body: events } = await owner.call('GET /events', { query: { object: id, type: 'product.updated' } })
    equal(events.total, 2)
    equal(await findBrokenEntry(db(), service.demo.business_id), null)
  })

  test('that somebody else changed, or that are not of this business, are named and unchanged; the others are done', async () => {
    const [good, stale, ...others] = (await products(3)) as [Made, Made, ...Made[]]
    const edit = { version: stale.version, name: 'Coffee' }
    equal((await owner.call(`PATCH /products/${stale.id}`, { body: edit })).status, 200)
    const unknown = { id: newId(), version: 'x' }
    const { status, body } = await archive([unknown, ...itemsOf([stale, good, ...others])])
    equal(status, 200)
    deepEqual(idsOf(body.done), idsOf([good, ...others]))
    const codes = body.failed.map(({ id, code }: { id: string; code: string }) => [id, code]).sort()
    deepEqual(
      codes,
      [
        [stale.id, 'conflict'],
        [unknown.id, 'resource_missing'],
      ].sort(),
    )
    deepEqual(await Promise.all([good, stale].map(isActive)), [false, true])
    deepEqual(
      (await auditOf([good, stale, unknown])).map((row) => [row.object_id, row.outcome, row.to]).sort(),
      [
        [good.id, 'done', false],
        [stale.id, 'done', true],
        [unknown.id, 'refused', undefined],
      ].sort(),
    )
  })

  test('with the same key change once: a lost response comes again, also when it said that some failed', async () => {
    const [one, gone] = [...(await products(1)), { id: newId(), version: 'x' }] as [Made, Made]
    const key = newId()
    const first = await archive(itemsOf([one, gone]), { key })
    const again = await archive(itemsOf([one, gone]), { key })
    deepEqual([again.status, again.body], [200, first.body])
    deepEqual([first.body.done.length, first.body.failed.length], [1, 1])
    equal((await auditOf([one])).length, 1)
    const other = await archive(itemsOf([one]), { key })
    deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused'])
    const keyless = await archive(itemsOf([one]), { key: '' })
    deepEqual([keyless.status, keyless.body.error.param], [422, 'Idempotency-Key'])
  })

  test('are changed by one of two calls at the same time, whatever the order of their ids', async () => {
    const chosen = await products(6)
    const [one, other] = await Promise.all([archive(itemsOf(chosen)), archive(itemsOf(chosen).reverse())])
    deepEqual([one.status, other.status], [200, 200])
    deepEqual(idsOf([...one.body.done, ...other.body.done]), idsOf(chosen))
    equal((await auditOf(chosen)).length, 6)
  })

  test('are changed all or none when the database fails in the middle, and the key is free', async () => {
    const chosen = await products(3)
    const last = idsOf(chosen)[2] ?? ''
    await sql`create function refuse_row() returns trigger language plpgsql as $$ begin raise 'no row'; end $$`.execute(
      db(),
    )
    await sql`create trigger refuse_row before update on product for each row
      when (new.id = ${sql.lit(last)}::uuid) execute function refuse_row()`.execute(db())
    const key = newId()
    equal((await archive(itemsOf(chosen), { key })).status, 500)
    deepEqual(await Promise.all(chosen.map(isActive)), [true, true, true])
    deepEqual(await auditOf(chosen), [])
    await sql`drop trigger refuse_row on product`.execute(db())
    equal((await archive(itemsOf(chosen), { key })).body.done.length, 3)
  })

  test('are at least one and at most a page, with a version each', async () => {
    const [one] = (await products(1)) as [Made]
    for (const items of [[], Array.from({ length: BULK_MAX + 1 }, () => one), [{ id: one.id }], [{ ...one, id: 'x' }]])
      equal((await archive(items)).status, 422, `${items.length}`)
    const page = Array.from({ length: BULK_MAX }, () => ({ id: newId(), version: 'x' }))
    equal((await archive(page)).body.failed.length, BULK_MAX)
    equal(await isActive(one), true)
  })

  test('are for those who may change one', async () => {
    const chosen = await products(1)
    const support = await signIn(service, { role: 'support' })
    const refused = await archive(itemsOf(chosen), { as: support })
    deepEqual([refused.status, refused.body.error.code], [403, 'permission_denied'])
    equal(await isActive(chosen[0] as Made), true)
  })
})

describe('Several prices at once (DSH-37)', () => {
  test('are archived, and a stale one is named', async () => {
    const [product] = (await products(1)) as [Made]
    const price = (amount: number) => made('POST /prices', { product: product.id, unit_amount: amount })
    const [one, other, stale] = [await price(100), await price(200), await price(300)]
    const body = { active: false, items: itemsOf([one, other, { ...stale, version: 'stale' }]) }
    const { status, body: result } = await owner.call('POST /prices/archive', { body })
    deepEqual([status, idsOf(result.done)], [200, idsOf([one, other])])
    deepEqual([result.failed[0].id, result.failed[0].code], [stale.id, 'conflict'])
    const { prices } = (await owner.call(`GET /products/${product.id}`)).body
    deepEqual(
      prices.map(({ active }: { active: boolean }) => active),
      [true, false, false],
    )
    const rows = await auditOf([one, other, stale])
    deepEqual(
      rows.map((row) => row.action),
      ['price.update', 'price.update'],
    )
  })
})

describe('Several deliveries at once (DSH-37)', () => {
  const endpointFor = (types: string[]) =>
    made('POST /webhook_endpoints', { url: 'https://shop.example/hook', enabled_events: types })
  const redeliver = (endpoint: Made, events: string[], key = newId()) =>
    owner.call(`POST /webhook_endpoints/${endpoint.id}/deliveries/redeliver`, { body: { events }, key })
  /** Events of an endpoint whose deliveries have all failed. */
  async function failed(endpoint: Made): Promise<string[]> {
    const rows = await db()
      .updateTable('webhook_delivery')
      .set({ status: 'failed', due_at: null, retries: 9, finished_at: new Date() })
      .where('endpoint_id', '=', endpoint.id)
      .returning('event_id')
      .execute()
    return rows.map((row) => row.event_id).sort()
  }
  const statusesOf = async (endpoint: Made) =>
    (
      await db()
        .selectFrom('webhook_delivery')
        .select(['event_id', 'status', 'retries'])
        .where('endpoint_id', '=', endpoint.id)
        .orderBy('event_id')
        .execute()
    ).map(({ status, retries }) => `${status} ${retries}`)

  test('are due again to this endpoint alone, once for a key, each in the audit log', async () => {
    const [endpoint, bystander] = [await endpointFor(['product.created']), await endpointFor(['product.created'])]
    await products(3)
    const [events] = [await failed(endpoint), await failed(bystander)]
    equal(events.length, 3)
    const chosen = events.slice(0, 2)
    const unknown = newId()
    const key = newId()
    const { status, body } = await redeliver(endpoint, [...chosen, unknown], key)
    deepEqual([status, idsOf(body.done)], [200, chosen])
    deepEqual([body.failed[0].id, body.failed[0].code], [unknown, 'resource_missing'])
    deepEqual(await statusesOf(endpoint), ['pending 0', 'pending 0', 'failed 9'])
    deepEqual(await statusesOf(bystander), ['failed 9', 'failed 9', 'failed 9'])
    const rows = await auditOf(chosen.map((id) => ({ id })))
    deepEqual(
      rows.map((row) => [row.action, row.object_type, row.outcome]),
      chosen.map(() => ['event.redeliver', 'event', 'done']),
    )
    await failed(endpoint)
    deepEqual((await redeliver(endpoint, [...chosen, unknown], key)).body, body)
    deepEqual(await statusesOf(endpoint), ['failed 9', 'failed 9', 'failed 9'])
  })

  test('are refused as a whole for a disabled or unknown endpoint, and the ping of another one alone', async () => {
    const [endpoint, other] = [await endpointFor(['product.created']), await endpointFor(['product.created'])]
    await products(1)
    const { body: ping } = await owner.call(`POST /webhook_endpoints/${other.id}/test`)
    const [event = ''] = await failed(endpoint)
    const { body } = await redeliver(endpoint, [event, ping.id])
    deepEqual(idsOf(body.done), [event])
    deepEqual([body.failed[0].id, body.failed[0].code], [ping.id, 'parameter_invalid'])
    const { version } = (await owner.call(`GET /webhook_endpoints/${endpoint.id}`)).body
    const disable = { version, status: 'disabled' }
    equal((await owner.call(`PATCH /webhook_endpoints/${endpoint.id}`, { body: disable })).status, 200)
    const refused = await redeliver(endpoint, [event])
    deepEqual([refused.status, refused.body.error.code], [409, 'conflict'])
    equal((await redeliver({ ...endpoint, id: newId() }, [event])).status, 404)
    ok((await auditOf([{ id: event }])).length === 1)
  })

  test('are at least one and at most a page, each once', async () => {
    const endpoint = await endpointFor(['product.created'])
    const ids = Array.from({ length: BULK_MAX + 1 }, () => newId())
    const [one = ''] = ids
    for (const events of [[], ids, [one, one], ['x']])
      equal((await redeliver(endpoint, events)).status, 422, `${events.length}`)
    equal((await redeliver(endpoint, ids.slice(1))).body.failed.length, BULK_MAX)
  })

  test('are not for support and analysts', async () => {
    const endpoint = await endpointFor(['product.created'])
    for (const role of ['support', 'analyst'] as const) {
      const member = await signIn(service, { role })
      const call = `POST /webhook_endpoints/${endpoint.id}/deliveries/redeliver`
      const { status } = await member.call(call, { body: { events: [newId()] } })
      equal(status, 403, role)
    }
  })
})
