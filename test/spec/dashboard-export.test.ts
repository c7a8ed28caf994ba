import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { newId } from '../../server/lib/ids.ts'
import { signIn } from '../support/dashboard.ts'
import { addDeclinedSales } from '../support/declined-sales.ts'
import type { Response } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { enter, newPerson } from '../support/visitor.ts'

// DSH-8, DSH-15, DSH-33: payments as a file, and the limits of sessions and people.

let service: TestService
before(async () => {
  service = await openService({ rateLimits: true })
})
after(() => service.close())

const linesOf = (csv: string) =>
  csv
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')

describe('An export of payments', () => {
  test('has what the filter finds in the columns that were chosen, and no cell is a formula', async () => {
    const owner = await signIn(service)
    const stored = await storeCard(service, 'ana@example.com')
    await service.app.services.db.updateTable('customer').set({ name: '=HYPERLINK("evil"),x' }).execute()
    await sellTo(service, stored, { amount: 12.34 })
    const columns = ['amount', 'currency', 'status', 'customer_name', 'created']
    const body = { kind: 'sale', columns, time_zone: 'Asia/Kathmandu' }
    const { status, headers, body: csv } = await owner.call('POST /payments/export', { body })
    deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
    ok(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/.test(headers.get('content-disposition') ?? ''))
    const [head, row, ...rest] = linesOf(csv)
    equal(head, columns.join(','))
    ok(/^12\.34,USD,succeeded,"'=HYPERLINK\(""evil""\),x",\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:45$/.test(row ?? ''), row)
    deepEqual(rest, [])
    const entry = await service.app.services.db
      .selectFrom('audit_entry')
      .select(['actor_id', 'outcome', 'after'])
      .where('action', '=', 'payments.export')
      .executeTakeFirst()
    deepEqual(entry, { actor_id: owner.userId, outcome: 'done', after: { columns, filter: { kind: 'sale' }, rows: 1 } })
  })

  test('is not for support, needs a zone that exists, and comes ten times an hour', async () => {
    const support = await signIn(service, { role: 'support' })
    const denied = await support.call('POST /payments/export', { body: {} })
    deepEqual([denied.status, denied.body.error.permission], [403, 'export.payments'])
    const analyst = await signIn(service, { role: 'analyst' })
    const wrong = await analyst.call('POST /payments/export', { body: { time_zone: 'Mars/Base' } })
    equal(wrong.body.error.param, 'time_zone')
    for (let number = 2; number <= 10; number++) {
      equal((await analyst.call('POST /payments/export', { body: { status: 'voided' } })).status, 200)
    }
    equal((await analyst.call('POST /payments/export', { body: {} })).status, 429)
  })

  test('streams many rows without holding them (DEF-14)', { timeout: 120_000 }, async () => {
    const rows = 20_000
    await addDeclinedSales(service, rows, 'ZZ')
    const owner = await signIn(service)
    const url = `${service.formUrl}/dashboard/api/b/${service.demo.business_id}/payments/export`
    collectGarbage()
    const before = memory()
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...{
          cookie: owner.cookie,
          'sec-fetch-site': 'same-origin',
          origin: service.formUrl,
          'x-csrf-token': owner.csrf,
        },
      },
      body: JSON.stringify({ status: 'failed', code: 'ZZ' }),
    })
    let [lines, peak] = [0, 0]
    for await (const block of response.body ?? []) {
      for (const byte of block) if (byte === 10) lines++
      peak = Math.max(peak, memory() - before)
    }
    equal(lines, rows + 1)
    ok(peak < 80 * 1_048_576, `${Math.round(peak / 1_048_576)} MB`)
  })
})

describe('Limits (DSH-33)', () => {
  /** How often each status came. */
  async function tally(count: number, call: (index: number) => Promise<Response>): Promise<Record<number, number>> {
    const counts: Record<number, number> = {}
    for (let index = 0; index < count; index++) {
      const { status, headers } = await call(index)
      counts[status] = (counts[status] ?? 0) + 1
      equal(Number(headers.get('retry-after')) > 0, status === 429)
    }
    return counts
  }

  /** Two sessions of a new owner. */
  async function twoSessions() {
    const person = await newPerson(service)
    return [await enter(service, person), await enter(service, person)] as const
  }
  const below = (path: string) => `/dashboard/api/b/${service.demo.business_id}${path}`

  test('of a person in all sessions: 300 reads and 60 changes a minute; another person has their own', async () => {
    const sessions = await twoSessions()
    const inTurn = (index: number) => sessions[index % 2] ?? sessions[0]
    const path = `GET ${below('/views?list=payments')}`
    const view = { list: 'payments', query: {} }
    const change = (index: number) => inTurn(index).call(`POST ${below('/views')}`, { ...view, name: `View ${index}` })
    deepEqual(await tally(302, (index) => inTurn(index).call(path)), { 200: 300, 429: 2 })
    deepEqual(await tally(62, change), { 201: 60, 429: 2 })
    const [other] = await twoSessions()
    equal((await other.call(path)).status, 200)
  })

  test('of a person in all sessions: five refunds and voids a minute together, 20 invitations a day', async () => {
    const sessions = await twoSessions()
    const inTurn = (index: number) => sessions[index % 2] ?? sessions[0]
    const giveBack = (index: number) => {
      const path = below(`/payments/${newId()}/${index % 3 === 0 ? 'voids' : 'refunds'}`)
      return inTurn(index).call(`POST ${path}`, { reason: 'requested' }, { 'idempotency-key': newId() })
    }
    deepEqual(await tally(7, giveBack), { 404: 5, 429: 2 })
    const invite = (index: number) =>
      inTurn(index).call(`POST ${below('/team/invitations')}`, { email: 'new@shop.example', role: 'support' })
    // Who they are is asked for after they are counted.
    deepEqual(await tally(22, invite), { 403: 20, 429: 2 })
  })

  test('of the audit log: 60 refusals of a person a minute (DSH-15)', async () => {
    const analyst = await signIn(service, { role: 'analyst' })
    deepEqual(await tally(63, () => analyst.call('GET /api_keys')), { 403: 63 })
    const rows = service.app.services.db.selectFrom('audit_entry').select('action').where('outcome', '=', 'refused')
    equal((await rows.where('actor_id', '=', analyst.userId).execute()).length, 60)
  })
})

/** What earlier tests of this process have left is not to hide what this one needs. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** What Node holds beside garbage that it has not collected yet. */
function memory(): number {
  const { external, arrayBuffers, heapUsed } = process.memoryUsage()
  return external + arrayBuffers + heapUsed
}
