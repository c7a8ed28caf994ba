import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Alert, AlertKind } from '../../contract/dashboard/home-api.ts'
import { newId } from '../../server/lib/ids.ts'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import type { Day } from '../../server/subscriptions/plan/calendar.ts'
import { type BillingService, midnight, openBillingService, subscribe } from '../support/billing.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { storedSubscription } from '../support/subscriptions.ts'

// DSH-25: alerts that need a person.

let service: BillingService
let owner: DashboardClient
before(async () => {
  service = await openBillingService('2027-03-10')
  owner = await signIn(service)
  await addFactors()
})
after(() => service.close())

const db = () => service.app.services.db
const addFactors = () =>
  sql`insert into totp select id, '\\x00', ${now()} from auth_user on conflict do nothing`.execute(db())
const now = () => service.clock.now()
const ago = (seconds: number) => new Date(now().getTime() - seconds * 1_000)
const DAY = 86_400

const alerts = async (): Promise<Alert[]> => {
  const { status, body } = await owner.call('GET /alerts')
  equal(status, 200, JSON.stringify(body))
  return body.data
}
const one = async (kind: AlertKind) => (await alerts()).find((alert) => alert.kind === kind)

describe('What needs a person', () => {
  test('is nothing at first', async () => deepEqual(await alerts(), []))

  test('operations in doubt for a day, or for which a person must look', async () => {
    const set = (values: object) => db().updateTable('operation').set(values).execute()
    await set({ next_inquiry_at: now() })
    await set({ sent_at: ago(DAY - 60) })
    equal(await one('operations_in_doubt'), undefined)
    await set({ sent_at: ago(DAY + 60) })
    deepEqual((await one('operations_in_doubt'))?.count, 1)
    await set({ sent_at: ago(60), needs_attention: true })
    deepEqual((await one('operations_in_doubt'))?.since, Math.floor(ago(60).getTime() / 1_000))
    await set({ next_inquiry_at: null, needs_attention: false })
  })

  test('a settlement that failed, and one whose outcome is unknown', async () => {
    await merchantApiOf(service).get('/batches')
    const batch = await db().selectFrom('batch').select('id').where('currency', '=', 'USD').executeTakeFirstOrThrow()
    const setBatch = (values: object) => db().updateTable('batch').set(values).where('id', '=', batch.id).execute()
    await setBatch({ failed_at: now() })
    const failed = await one('settlement_failed')
    deepEqual([failed?.object, failed?.name], [{ type: 'batch', id: batch.id }, 'USD'])
    await setBatch({ status: 'settling', sent_at: ago(60) })
    equal(await one('settlement_unknown'), undefined)
    await setBatch({ needs_attention: true })
    deepEqual((await one('settlement_unknown'))?.object?.id, batch.id)
    await setBatch({ status: 'open', sent_at: null, failed_at: null, needs_attention: false })
  })

  test('open findings of the comparison with the gateway', async () => {
    const terminal = await db().selectFrom('terminal').selectAll().executeTakeFirstOrThrow()
    const values = {
      kind: 'amount_differs',
      day: '2027-03-09',
      transaction_kind: 'sale',
      merchant_ref: 'R',
      currency: 'USD',
    }
    const row = {
      ...values,
      business_id: terminal.business_id,
      terminal_id: terminal.id,
      found_at: now(),
      seen_at: now(),
    }
    await db()
      .insertInto('reconciliation_finding')
      .values([
        { ...row, id: newId(), subject: 'a' },
        {
          ...row,
          id: newId(),
          subject: 'b',
          state: 'RESOLVED',
          resolved_at: now(),
          resolved_by: 'person',
          note: 'Done',
        },
      ])
      .execute()
    deepEqual((await one('findings'))?.count, 1)
    const { data } = (await owner.call('GET /findings')).body
    deepEqual(
      data.map(({ kind, reference, day }: Record<string, string>) => [kind, reference, day]),
      [['amount_differs', 'R', '2027-03-09']],
    )
    await db().deleteFrom('reconciliation_finding').execute()
  })

  test('an endpoint that was disabled, or fails for ten minutes; not one that a person disabled', async () => {
    const { id, url } = await merchantApiOf(service).made('/webhook_endpoints', {
      url: 'https://shop.example/hook',
      enabled_events: ['*'],
    })
    const set = (values: object) => db().updateTable('webhook_endpoint').set(values).execute()
    await set({ failing_since: ago(300) })
    equal(await one('endpoint_failing'), undefined)
    await set({ failing_since: ago(700) })
    const failing = await one('endpoint_failing')
    deepEqual([failing?.name, failing?.object], [url, { type: 'webhook_endpoint', id }])
    await set({ status: 'disabled', disabled_reason: 'manual' })
    equal(await one('endpoint_disabled'), undefined)
    await set({ disabled_reason: 'gone' })
    deepEqual((await one('endpoint_disabled'))?.object?.id, id)
    await db().updateTable('webhook_endpoint').set({ deleted_at: now() }).execute()
    equal(await one('endpoint_disabled'), undefined)
  })

  test('the alarm of card testing, until it ends', async () => {
    const set = (until: Date | null) => db().updateTable('business').set({ new_cards_refused_until: until }).execute()
    await set(new Date(now().getTime() + 60_000))
    deepEqual((await one('card_testing'))?.until, Math.floor(now().getTime() / 1_000) + 60)
    await set(ago(1))
    equal(await one('card_testing'), undefined)
  })

  test('a job whose newest run failed', async () => {
    const run = (state: string, at: Date) =>
      sql`insert into pgboss.job (id, name, state, completed_on) values (${newId()}, 'settle-batches', ${sql.raw(`'${state}'`)}, ${at})`.execute(
        db(),
      )
    await sql`select pgboss.create_queue('settle-batches', '{"policy":"standard"}'::jsonb)`
      .execute(db())
      .catch(() => {})
    await run('failed', ago(100))
    deepEqual((await one('job_failed'))?.name, 'settle-batches')
    await run('completed', ago(50))
    equal(await one('job_failed'), undefined)
  })

  test('an owner without a second factor, by name', async () => {
    await signIn(service)
    deepEqual((await one('owner_without_second_factor'))?.name, 'The owner')
    await addFactors()
    equal(await one('owner_without_second_factor'), undefined)
  })
})

describe('Subscriptions that need a person', () => {
  test('an unsigned contract that blocks a bill', async () => {
    const subscription = await subscribe(service, { startDate: '2027-03-10' as Day })
    const contractId = newId()
    const { businessId, customerId } = subscription
    await db()
      .insertInto('contract')
      .values({
        business_id: businessId,
        id: contractId,
        customer_id: customerId,
        status: 'sent',
        title: 'Terms',
        body: 'x',
        created_at: now(),
      })
      .execute()
    await db().updateTable('subscription').set({ contract_id: contractId }).where('id', '=', subscription.id).execute()
    const waits = await one('contract_unsigned')
    deepEqual([waits?.count, waits?.object], [1, { type: 'contract', id: contractId }])
    await db()
      .updateTable('contract')
      .set({ status: 'signed', signed_name: 'A', signed_ip: '::1', signed_at: now() })
      .execute()
    equal(await one('contract_unsigned'), undefined)
    await db().updateTable('subscription').set({ status: 'canceled', due_at: null, next_billing_date: null }).execute()
  })

  for (const missed of ['bill', 'skip'] as const) {
    test(`BIL-11: missed bills wait for a decision: ${missed}`, async () => {
      const subscription = await subscribe(service, {
        startDate: '2026-12-05' as Day,
        anchorDate: '2026-12-05' as Day,
        createdAt: ago(100 * DAY),
      })
      const { id } = subscription
      await runDue(service.app.services, { businessId: subscription.businessId })
      const held = await one('missed_bills')
      deepEqual(held?.object, { type: 'subscription', id })
      deepEqual(held?.missed, { from: '2026-12-05', bills: 4, amount: 1_000, currency: 'USD', elapsed: 3 })
      const analyst = await signIn(service, { role: 'analyst' })
      equal((await analyst.call(`POST /subscriptions/${id}/catch_up`, { body: { missed } })).status, 403)
      equal((await owner.call(`POST /subscriptions/${newId()}/catch_up`, { body: { missed } })).status, 404)
      equal((await owner.call(`POST /subscriptions/${id}/catch_up`, { body: { missed: 'no' } })).status, 422)
      const decided = await owner.call(`POST /subscriptions/${id}/catch_up`, { body: { missed } })
      const { subscription: after } = await storedSubscription(service, id)
      deepEqual([decided.status, after.nextBillingDate], [200, missed === 'bill' ? '2027-01-05' : '2027-03-05'])
      equal(await one('missed_bills'), undefined)
      equal((await owner.call(`POST /subscriptions/${id}/catch_up`, { body: { missed } })).status, 409)
      const { action, object_id, outcome } = await db()
        .selectFrom('audit_entry')
        .selectAll()
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow()
      deepEqual([action, object_id, outcome], ['subscription.release', id, 'done'])
      equal((await storedSubscription(service, id)).subscription.catchUpHeldAt, null)
      await db()
        .updateTable('subscription')
        .set({ status: 'canceled', due_at: null, next_billing_date: null })
        .execute()
    })
  }

  test('cards of active subscriptions that expire this month', async () => {
    const { cardId } = service.stored
    await db().updateTable('stored_card').set({ exp_month: 4, exp_year: 2027 }).where('id', '=', cardId).execute()
    await subscribe(service, { startDate: '2027-04-01' as Day })
    service.clock.set(midnight('2027-04-02'))
    owner = await signIn(service)
    deepEqual((await one('cards_expiring'))?.count, 1)
  })
})
