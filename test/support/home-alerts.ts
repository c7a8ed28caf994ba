import { equal } from 'node:assert/strict'
import { sql } from 'kysely'
import { newId } from '../../server/lib/ids.ts'
import { dayOf } from '../../server/subscriptions/plan/calendar.ts'
import { send } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import { makeKey } from './secret-key.ts'
import type { TestService } from './service.ts'
import { createSubscribed, makeSubscribable } from './subscriptions.ts'

/** Creates an alert of each kind (DSH-25). @returns the targets of their links, in the order of the page */
export async function makeAlerts(service: TestService): Promise<string[]> {
  const { db } = service.app.services
  const api = merchantApiOf(service)
  const now = new Date()
  const long = new Date(now.getTime() - 172_800_000)
  const today = dayOf(now, 'America/New_York')
  const subscription = await createSubscribed(service, await makeSubscribable(service))
  const held = { catch_up_held_at: now, anchor_date: monthsAgo(now, 4), next_billing_date: monthsAgo(now, 3) }
  await db
    .updateTable('subscription')
    .set({ ...held, next_period_no: 1 })
    .execute()
  await db
    .updateTable('stored_card')
    .set({ exp_month: Number(today.slice(5, 7)), exp_year: Number(today.slice(0, 4)) })
    .execute()
  await db
    .updateTable('business')
    .set({ new_cards_refused_until: new Date(now.getTime() + 3_600_000) })
    .execute()
  await sendFromPage(service)
  await api.get('/batches')
  await db.updateTable('batch').set({ failed_at: now }).where('currency', '=', 'USD').execute()
  const sentBatch = { status: 'settling' as const, sent_at: long }
  await db.updateTable('batch').set(sentBatch).where('currency', '=', 'CAD').execute()
  const doubtful = await db.selectFrom('operation').select('id').executeTakeFirstOrThrow()
  await db
    .updateTable('operation')
    .set({ next_inquiry_at: new Date(now.getTime() + 3_600_000), sent_at: long })
    .where('id', '=', doubtful.id)
    .execute()
  const terminal = await db.selectFrom('terminal').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('reconciliation_finding')
    .values({
      id: newId(),
      business_id: terminal.business_id,
      terminal_id: terminal.id,
      subject: 'a',
      kind: 'amount_differs',
      day: now.toISOString().slice(0, 10),
      transaction_kind: 'sale',
      merchant_ref: 'R',
      our_amount: 100,
      gateway_amount: 200,
      currency: 'USD',
      found_at: now,
      seen_at: now,
    })
    .execute()
  const endpoint = await api.made('/webhook_endpoints', { url: 'https://shop.example/hook', enabled_events: ['*'] })
  await db.updateTable('webhook_endpoint').set({ status: 'disabled', disabled_reason: 'gone' }).execute()
  const slow = await api.made('/webhook_endpoints', { url: 'https://slow.example/hook', enabled_events: ['*'] })
  await db.updateTable('webhook_endpoint').set({ failing_since: long }).where('id', '=', slow.id).execute()
  const contract = await addUnsigned(service, today)
  await sql`select pgboss.create_queue('settle-batches', '{"policy":"standard"}'::jsonb)`.execute(db).catch(() => {})
  await sql`insert into pgboss.job (id, name, state, completed_on) values (${newId()}, 'settle-batches', 'failed', ${now})`.execute(
    db,
  )
  return [
    'payments?status=failed',
    'keys',
    'clients',
    'in-doubt',
    'batches',
    'batches',
    'batches',
    `subscriptions/${subscription.id}`,
    `contracts/${contract}`,
    `webhooks/${endpoint.id}`,
    `webhooks/${slow.id}`,
    'subscriptions?status=ACTIVE&card_expiring=this_month',
    'team',
  ]
}

/** Creates a subscription whose bill of today waits for a signature. @returns the contract */
async function addUnsigned(service: TestService, today: string): Promise<string> {
  const { db, clock } = service.app.services
  const { id, customer } = await createSubscribed(service, await makeSubscribable(service))
  const contract = { business_id: service.demo.business_id, id: newId(), customer_id: customer, title: 'Terms' }
  const draft = { ...contract, status: 'draft' as const, body: 'I agree.', created_at: clock.now() }
  await db.insertInto('contract').values(draft).execute()
  const waiting = { contract_id: contract.id, next_billing_date: today }
  await db.updateTable('subscription').set(waiting).where('id', '=', id).execute()
  return contract.id
}

/** Sends a secret key and an access token from a page of the shop. */
async function sendFromPage(service: TestService): Promise<void> {
  const { url, demo } = service
  const { key } = await makeKey(service)
  const page = { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' }
  const call = (path: string, credential: string) =>
    send(`${url}${path}`, { headers: { authorization: `Bearer ${credential}`, ...page } })
  equal((await call('/api/v1/account', key)).status, 403)
  equal((await call(`/api/${demo.business_id}/checkout-sessions`, demo.access_token)).status, 403)
}

function monthsAgo(now: Date, months: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 10)
}
