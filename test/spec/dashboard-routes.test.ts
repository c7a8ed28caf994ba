import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

const auditOf = async () => service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number').execute()

describe('A route of the dashboard', () => {
  test('reads for a member, with the total of the list (DSH-8)', async () => {
    const owner = await signIn(service)
    const { status, body } = await owner.call('GET /products')
    deepEqual([status, body], [200, { object: 'list', data: [], has_more: false, total: 0 }])
  })

  test('writes together with its audit row, in a chain that shows a change (DSH-15, DSH-16)', async () => {
    const owner = await signIn(service)
    const made = await owner.call('POST /products', { body: { name: 'Tea' } })
    equal(made.status, 201)
    const entries = await auditOf()
    const last = entries.at(-1)
    deepEqual(
      [last?.action, last?.outcome, last?.actor_name, last?.object_id],
      ['product.create', 'done', owner.email, made.body.id],
    )
    equal(await findBrokenEntry(service.app.services.db, service.demo.business_id), null)
    const refused = await owner.call('POST /products', { body: { name: '' } })
    equal(refused.status, 422)
    equal((await auditOf()).length, entries.length)
  })

  test('refuses who may not, and keeps who tried (DSH-2, DSH-15)', async () => {
    const analyst = await signIn(service, { role: 'analyst' })
    const { status, body } = await analyst.call('POST /products', { body: { name: 'Tea' } })
    deepEqual([status, body.error.code, body.error.permission], [403, 'permission_denied', 'catalog.write'])
    deepEqual(body.error.roles, ['owner', 'admin', 'developer'])
    const last = (await auditOf()).at(-1)
    deepEqual([last?.action, last?.outcome, last?.actor_id], ['catalog.write', 'refused', analyst.userId])
  })

  test('does not know a foreign business, and asks who is signed out to sign in (DSH-1)', async () => {
    const owner = await signIn(service)
    equal((await owner.call('GET /products', { businessId: newId() })).status, 404)
    const nobody = await owner.call('GET /products', { headers: { cookie: 'rialto=forged.forged' } })
    deepEqual([nobody.status, nobody.body.error.code], [401, 'signed_out'])
    match(nobody.body.error.request_id, /^[0-9a-f-]{36}$/)
  })

  test('writes for a page of the dashboard only (DSH-11)', async () => {
    const owner = await signIn(service)
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      const { status, body } = await owner.call('POST /products', { body: { name: 'Tea' }, headers })
      deepEqual([status, body.error.code], [403, 'permission_denied'], JSON.stringify(headers))
    }
  })
})
