import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

describe('Saved views', () => {
  const view = { list: 'payments', name: 'Declined', query: { status: 'failed' }, columns: ['created', 'amount'] }

  test("are one's own until they are shared, and changed by their owner alone", async () => {
    const other = await signIn(service, { role: 'analyst' })
    const namesOf = async (person: DashboardClient) =>
      (await person.call('GET /views', { query: { list: 'payments' } })).body.data.map(
        ({ name }: { name: string }) => name,
      )
    const created = await owner.call('POST /views', { body: view })
    equal(created.status, 201)
    deepEqual([created.body.query, created.body.columns, created.body.is_own], [view.query, view.columns, true])
    deepEqual([await namesOf(owner), await namesOf(other)], [['Declined'], []])
    const path = `/views/${created.body.id}`
    equal((await owner.call(`PATCH ${path}`, { body: { is_shared: true } })).status, 200)
    deepEqual(await namesOf(other), ['Declined'])
    deepEqual((await owner.call('GET /views', { query: { list: 'customers' } })).body.data, [])
    equal((await other.call(`PATCH ${path}`, { body: { name: 'Mine' } })).status, 404)
    equal((await other.call(`DELETE ${path}`)).status, 404)
    equal((await owner.call(`DELETE ${path}`)).status, 200)
    deepEqual(await namesOf(other), [])
  })

  test('are 100 of a person in a list at most, also when two are made at once; none of them is left out', async () => {
    const person = await signIn(service, { role: 'analyst' })
    const { db } = service.app.services
    const row = { business_id: service.demo.business_id, user_id: person.userId, list: 'audit', query: '{}' }
    const rows = (count: number) =>
      Array.from({ length: count }, () => ({ ...row, id: newId(), name: 'Mine', created_at: new Date() }))
    await db.insertInto('saved_view').values(rows(99)).execute()
    const shared = rows(120).map((one) => ({ ...one, user_id: owner.userId, is_shared: true, name: 'A shared one' }))
    await db.insertInto('saved_view').values(shared).execute()
    const make = () => person.call('POST /views', { body: { ...view, list: 'audit' } })
    const made = await Promise.all([make(), make(), make()])
    deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409])
    equal((await person.call('POST /views', { body: view })).status, 201)
    const { data } = (await person.call('GET /views', { query: { list: 'audit' } })).body
    equal(data.filter(({ is_own }: { is_own: boolean }) => is_own).length, 100)
  })

  test('have filters of text that can be kept', async () => {
    for (const [text, status] of [
      ['', 201],
      ['Zo\u00eb', 201],
      ['a\0b', 422],
      ['a\ud800b', 422],
      ['x'.repeat(201), 422],
    ] as const) {
      const { body, status: got } = await owner.call('POST /views', { body: { ...view, query: { search: text } } })
      deepEqual([got, body.error?.param], [status, status === 422 ? 'query.search' : undefined], JSON.stringify(text))
    }
    equal((await owner.call('POST /views', { body: { ...view, query: { 'a\0b': 'x' } } })).status, 422)
  })
})
