import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { AUDIT_NAMES } from '../../dashboard/kit/audit-names/audit-names.ts'
import { auditCommand } from '../../server/audit/audit-command.ts'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import type { DashboardCall } from '../../server/dashboard/dashboard-call.ts'
import { refusedOf } from '../../server/dashboard/route-name.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { bodyOf, type Change, changeIds, changesOf } from '../support/dashboard-changes.ts'
import { dashboardName, furnish, isOfBusiness } from '../support/furnished.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { dumpRows } from '../support/whole-database.ts'

/**
 * Changes that need an object in a special state, or end the person's rights. Their own tests make them, and every test
 * compares each call with the audit log (test/support/audited-calls.ts).
 */
const CHANGED_ELSEWHERE = [
  'POST /batches/current/settle',
  'POST /products/archive',
  'POST /prices/archive',
  'POST /contracts/{id}/link',
  'POST /payments/{id}/voids',
  'POST /team/leave',
  'POST /team/ownership',
  'POST /subscriptions/{id}/resume',
  'POST /subscriptions/{id}/retry',
  'POST /subscriptions/{id}/catch_up',
  'POST /subscriptions/{id}/payment_method',
  'POST /mailbox/{id}/show_link',
  'POST /test_data',
  'POST /webhook_endpoints/{id}/deliveries/redeliver',
]

let service: TestService
let owner: DashboardClient
let businessId: string
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  businessId = service.demo.business_id
  for (const name of ['One', 'Two', 'Three']) await rename(owner, name)
})
after(() => service.close())

const db = () => service.app.services.db
async function rename(client: DashboardClient, name: string) {
  const { version } = (await owner.call('GET /settings')).body
  return client.call('PATCH /settings', { body: { version, name } })
}
const auditOf = async (client: DashboardClient, query: Record<string, string | number> = {}) =>
  (await client.call('GET /audit', { query })).body

describe('The audit log (DSH-15)', () => {
  test('lists who did what, with what was before and after, newest first', async () => {
    const { data, total } = await auditOf(owner, { action: 'settings.change' })
    equal(total, 3)
    const [last, ...earlier] = data
    deepEqual(
      [last.actor.name, last.about, last.before, last.after, last.outcome],
      [owner.email, { type: 'business', id: businessId }, { name: 'Two' }, { name: 'Three' }, 'done'],
    )
    ok(last.ip && last.request_id)
    deepEqual(
      earlier.map(({ after: { name } }: { after: { name: string } }) => name),
      ['Two', 'One'],
    )
    deepEqual((await owner.call(`GET /audit/${last.id}`)).body, last)
  })

  test('is filtered by person, action, object, outcome and day, and paged by its number', async () => {
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await rename(analyst, 'No')).status, 403)
    const tries: [Record<string, string>, number][] = [
      [{ actor: analyst.userId }, 1],
      [{ outcome: 'refused' }, 1],
      [{ action: 'settings' }, 4],
      [{ action: 'setting' }, 0],
      [{ about: businessId, outcome: 'done' }, 3],
      [{ from: '2000-01-01', to: '2000-01-02' }, 0],
      [{ from: '2000-01-01', action: 'settings.change' }, 3],
      [{ to: '2999-01-01', action: 'settings.change' }, 3],
    ]
    for (const [query, total] of tries) equal((await auditOf(owner, query)).total, total, JSON.stringify(query))
    equal((await owner.call('GET /audit', { query: { from: '2026-02-02', to: '2026-02-01' } })).status, 422)
    const first = await auditOf(owner, { limit: 2 })
    const next = await auditOf(owner, { limit: 2, starting_after: first.data[1].id })
    const back = await auditOf(owner, { limit: 2, ending_before: next.data[0].id })
    deepEqual(back.data, first.data)
    equal(next.data[0].number, first.data[1].number - 1)
  })

  test('shows developers, support and analysts what they did themselves', async () => {
    for (const role of ['developer', 'support', 'analyst'] as const) {
      const member = await signIn(service, { role })
      equal((await rename(member, 'No')).status, 403)
      const { data, total } = await auditOf(member)
      deepEqual([total, data[0].actor.id, data[0].outcome], [1, member.userId, 'refused'])
      equal((await auditOf(member, { actor: owner.userId })).total, 0)
      const [foreign] = (await auditOf(owner, { action: 'settings.change' })).data
      equal((await member.call(`GET /audit/${foreign.id}`)).status, 404)
      const file = await member.call('POST /audit/export', { body: { columns: ['actor', 'action', 'outcome'] } })
      deepEqual(String(file.body).trim().split('\r\n').slice(1), [
        `${member.email},audit.export,done`,
        `${member.email},audit.read_own,refused`,
        `${member.email},settings.write,refused`,
      ])
    }
  })

  test('is exported as CSV, which is in the log too', async () => {
    await rename(owner, '=1+1')
    const { status, body } = await owner.call('POST /audit/export', {
      body: { action: 'settings.change', columns: ['number', 'actor', 'action', 'after'] },
    })
    equal(status, 200)
    const [head, newest, ...rest] = String(body).trim().split('\r\n')
    match(head ?? '', /number,actor,action,after$/)
    match(newest ?? '', new RegExp(`^\\d+,${owner.email},settings.change,"\\{""name"":""=1\\+1""\\}"$`))
    equal(rest.length, 3)
    equal((await auditOf(owner)).data[0].action, 'audit.export')
  })

  test('shows nothing of another business (DSH-1)', async () => {
    const { data } = await auditOf(owner)
    const foreign = await db().selectFrom('business').select('id').where('id', '<>', businessId).executeTakeFirst()
    equal((await owner.call('GET /audit', { businessId: foreign?.id ?? businessId.replace(/^./, 'f') })).status, 404)
    ok(data.length > 0)
  })
})

describe('A row of the audit log (DSH-16, DEF-17)', () => {
  test('is never changed, deleted or truncated', async () => {
    for (const statement of [
      `update audit_entry set action = 'x'`,
      'delete from audit_entry',
      'truncate audit_entry',
      `update audit_entry set created_at = created_at where false`,
    ])
      await rejects(sql.raw(statement).execute(db()), /rows of audit_entry are never changed or deleted/)
  })

  test('that was changed, removed or moved in spite of that is found by the command', async () => {
    match(await auditCommand({ db: db() }, ['verify']), new RegExp(`^${businessId} {2}intact, \\d+ entries$`, 'm'))
    const tampered = {
      changed: `update audit_entry set after = '{"name":"Nothing"}' where number = 2`,
      'of another person': `update audit_entry set actor_name = 'nobody@shop.example' where number = 2`,
      removed: 'delete from audit_entry where number = 2',
      'removed at the end': 'delete from audit_entry where number = (select max(number) from audit_entry)',
      moved: `update audit_entry set number = case number when 2 then 3 else 2 end where number in (2, 3)`,
    }
    for (const [what, statement] of Object.entries(tampered)) {
      await db()
        .transaction()
        .execute(async (tx) => {
          await sql`alter table audit_entry disable trigger audit_entry_stays`.execute(tx)
          // The key is checked at the end of each row.
          if (what === 'moved') await sql`alter table audit_entry drop constraint audit_entry_pkey`.execute(tx)
          await sql.raw(statement).execute(tx)
          ok(await findBrokenEntry(tx, businessId), what)
          await rejects(auditCommand({ db: tx }, ['verify']), /broken at entry \d+/)
          throw new Error('roll back')
        })
        .catch((error: Error) => equal(error.message, 'roll back', what))
    }
    equal(await findBrokenEntry(db(), businessId), null)
  })

  test('is one for each change, in its transaction: without the log nothing changes', async (t) => {
    const { userId: colleague } = await signIn(service, { role: 'support' })
    const calls = changesOf(await changeIds(owner, await furnish(service, owner, businessId), colleague))
    t.diagnostic(`${calls.length} changes`)
    deepEqual(changesWithout(calls), CHANGED_ELSEWHERE)
    const untouched = await unchanged()
    await sql`create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$`.execute(
      db(),
    )
    await sql`create trigger refuse_entry before insert on audit_entry execute function refuse_entry()`.execute(db())
    for (const change of calls) {
      const { name } = change
      const { status } = await owner.call(name, { body: await bodyOf(owner, change) })
      // A change that needs an earlier change is a conflict.
      ok([404, 409, 422, 500].includes(status), `${name} ${status}`)
    }
    await sql`drop trigger refuse_entry on audit_entry`.execute(db())
    equal(await unchanged(), untouched)
    for (const change of calls) {
      const { name } = change
      const { total } = await auditOf(owner)
      const { status, body: reply } = await owner.call(name, { body: await bodyOf(owner, change) })
      ok(status < 300, `${name} ${status} ${JSON.stringify(reply)}`)
      equal((await auditOf(owner)).total - total, 1, name)
    }
    equal(await findBrokenEntry(db(), businessId), null)
  })

  /** Returns the routes that change something and are not covered by these calls. */
  function changesWithout(calls: readonly Change[]): string[] {
    const called = calls.map(({ name }) => name)
    return service.app.routes
      .filter((route) => isOfBusiness(route) && !['read', 'preview'].includes(route.rights?.kind ?? ''))
      .map(dashboardName)
      .filter((name) => !called.some((one) => new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`).test(one)))
  }

  /** Returns every row except those that every call writes. */
  async function unchanged(): Promise<string> {
    const lines = (await dumpRows(service.databaseUrl)).split('\n')
    const own =
      /^public\.(auth_session|member_trace|member_visit|rate_limit|refused_request|refused_card_try) |^pgboss\./
    return lines
      .filter((line) => !own.test(line))
      .sort()
      .join('\n')
  }

  test('has words on the pages for its action and object, also where the object was not found (DSH-23)', async () => {
    const { rows } = await sql<{ code: string }>`
      select action as code from audit_entry union select object_type from audit_entry where object_type is not null
    `.execute(db())
    const paths = service.app.routes.filter((route) => isOfBusiness(route) && route.path.includes('{id}'))
    const call = { params: { id: businessId } } as unknown as DashboardCall
    const refused = paths.map((route) => refusedOf(dashboardName(route), 'payments.read', call).object?.type ?? '')
    ok(rows.length > 40 && refused.length > 40)
    const codes = [...rows.map(({ code }) => code), ...refused]
    deepEqual([...new Set(codes.filter((code) => !(code in AUDIT_NAMES.english)))], [])
  })

  test('is not written when its change is rolled back', async () => {
    const { total } = await auditOf(owner)
    const { version } = (await owner.call('GET /settings')).body
    equal(
      (await owner.call('PATCH /settings', { body: { version, name: 'Name', time_zone: 'Nowhere/No' } })).status,
      422,
    )
    equal((await auditOf(owner)).total, total)
  })
})
