import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { recordAudit } from '../../server/audit/audit-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'

let service: TestService
let owner: DashboardClient
let ana: Subscriber
let payment: string
let refund: string
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  ana = await makeSubscriber(service)
  const subscription = await subscribe(ana)
  payment = (await ana.api.get(`/subscriptions/${subscription}/payments`)).body.data[0].id
  const body = { reason: 'requested', amount: 100 }
  const headers = { 'idempotency-key': newId() }
  const refunded = await owner.call(`POST /payments/${payment}/refunds`, { body, headers })
  equal(refunded.status, 201, JSON.stringify(refunded.body))
  refund = refunded.body.id
  await composeDue(service.app.services, { businessId: service.demo.business_id })
})
after(() => service.close())

const db = () => service.app.services.db

/** Returns the log's entry about an object, from its list and on its own. */
async function entryAbout(type: string, id: string) {
  const actor = { kind: 'system', id: null, name: null, ip: null, userAgent: null, requestId: null } as const
  const what = { actor, action: 'limits.change', object: { type, id }, before: null, after: null } as const
  const entry = { ...what, businessId: service.demo.business_id, outcome: 'done' } as const
  await transaction(db(), (tx) => recordAudit(tx, entry, new Date()))
  const [listed] = (await owner.call('GET /audit')).body.data
  deepEqual((await owner.call(`GET /audit/${listed.id}`)).body, listed)
  deepEqual(listed.about, { type, id })
  return listed.shown_on
}

describe('An entry of the audit log (DSH-47)', () => {
  test('about something without a page names what it is shown on', async () => {
    const operations = await db().selectFrom('operation').select(['id', 'parent_id']).execute()
    const given = operations.find(({ parent_id }) => parent_id !== null)
    const sale = { type: 'payment', id: given?.parent_id }
    const letter = await db().selectFrom('letter').select('id').where('kind', '=', 'refund').executeTakeFirstOrThrow()
    const cases: [string, string, object | null][] = [
      ['price', ana.price, { type: 'product', id: ana.product }],
      ['payment_method', ana.payment_method, { type: 'customer', id: ana.customer }],
      ['operation', given?.id ?? '', sale],
      ['operation', given?.parent_id ?? '', sale],
      ['refund', refund, { type: 'payment', id: payment }],
      ['letter', letter.id, { type: 'payment', id: payment }],
      ['payment', payment, null],
      ['price', newId(), null],
      ['price', 'not an id', null],
    ]
    for (const [type, id, shownOn] of cases) deepEqual(await entryAbout(type, id), shownOn, type)
    const page = await owner.call(`GET /payments/${sale.id}`)
    deepEqual([page.status, page.body.id], [200, payment])
  })

  test('is named by the operation in the timeline that it began', async () => {
    const { data } = (await owner.call(`GET /payments/${payment}/timeline`)).body
    const operations = data.filter(({ type }: { type: string }) => type === 'operation')
    const [sale, given] = operations.map(({ audit_entry: id }: { audit_entry: string | null }) => id)
    equal(sale, null)
    equal((await owner.call(`GET /audit/${given}`)).body.action, 'payment.refund')
  })
})
