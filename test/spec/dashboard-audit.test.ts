import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditCommand } from '../../server/audit/audit-command.ts'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
let businessId: string
before(async () => {
  service = await openService()
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
      equal((await member.call('POST /audit/export', { body: {} })).status, 403)
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

describe('A row of the audit log (DSH-16)', () => {
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

  test('is one for each change, whatever changes', async () => {
    const { version } = (await owner.call('GET /settings')).body
    const limits = (await owner.call('GET /settings/limits')).body
    const changes: [string, object | undefined, string][] = [
      ['PATCH /settings', { version, support_phone: '+1 514 555 0100' }, 'settings.change'],
      ['PATCH /settings/limits', { version: limits.version, customer_export_rows: 5 }, 'limits.change'],
      ['POST /team/invitations', { email: 'audited@shop.example', role: 'support' }, 'invitation.create'],
      ['POST /products', { name: 'Tea' }, 'product.create'],
      ['POST /customers', { email: 'audited@shop.example', name: 'Audited' }, 'customer.create'],
      ['POST /api_keys', { name: 'Audited', allowed_ips: ['127.0.0.1'] }, 'api_key.create'],
      ['POST /settings/letters/test', { letter: 'customer.refund', locale: 'en' }, 'letter.test'],
    ]
    for (const [name, body, action] of changes) {
      const { total } = await auditOf(owner)
      const { status, body: reply } = await owner.call(name, { body })
      ok(status < 300, `${name} ${JSON.stringify(reply)}`)
      const { data, total: now } = await auditOf(owner)
      deepEqual([now - total, data[0].action], [1, action])
    }
    equal(await findBrokenEntry(db(), businessId), null)
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
