import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

/** One thing that happened. `data` has the members of its entry, without times. */
export interface TimelineRow {
  type: 'operation' | 'authentication' | 'event' | 'delivery' | 'letter' | 'audit'
  /** Id, which tells the time of the entry. */
  id: string
  at: Date
  data: Record<string, unknown>
}

/** How many entries of each kind are read. */
export const TIMELINE_MAX = 200

/**
 * Reads what happened to a sale and its payment, in one statement.
 *
 * @param operationId the sale
 */
export async function readTimeline(db: Db, businessId: string, operationId: string): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    with sale as (
      select o.*, p.id as payment_id from operation o
        left join payment p on p.business_id = o.business_id and p.operation_id = o.id
      where o.business_id = ${businessId}::uuid and o.id = ${operationId}::uuid
    ), operations as (
      select o.* from operation o where o.business_id = ${businessId}::uuid and o.id = ${operationId}::uuid
      union all
      select o.* from operation o, sale where o.business_id = ${businessId}::uuid and o.owner_id = sale.owner_id and o.parent_id = sale.id
        and (o.lost or o.parent_id is not null)
    ), objects as (
      select id from operations union select payment_id from sale where payment_id is not null
    ), events as (
      (select e.* from objects join event e on e.business_id = ${businessId}::uuid and e.object_id = objects.id limit ${TIMELINE_MAX})
      union all
      (select e.* from sale join event e on e.business_id = ${businessId}::uuid and e.object_id = sale.owner_id
        where sale.owner_kind = 'session' and sale.payment_id is not null and e.type = 'checkout.session.completed' limit 1)
    ), ${begunBy(businessId)}
    select 'operation' as type, o.id, o.sent_at as at, jsonb_build_object('kind', o.kind, 'state', o.state, 'amount', o.amount,
      'code', o.code, 'message', o.message, 'merchant_reference', o.merchant_ref, 'gateway_reference', o.gateway_ref,
      'issuer_reference', o.issuer_reference, 'network_transaction_id', o.network_transaction_id, 'gateway', t.gateway,
      'finalized_at', floor(extract(epoch from o.finalized_at)), 'inquiries', o.inquiries,
      'next_inquiry_at', floor(extract(epoch from o.next_inquiry_at)), 'needs_attention', o.needs_attention) as data
      from operations o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id
    union all
    select 'authentication', a.id, coalesce(a.decided_at, a.created_at), jsonb_build_object('trans_status', a.trans_status,
      'with_challenge', a.challenged_at is not null)
      from authentication a where a.business_id = ${businessId}::uuid and a.operation_id = ${operationId}::uuid
    union all
    select 'event', e.id, e.created_at, jsonb_build_object('event', e.type) from events e
    union all
    select 'delivery', e.id, a.attempted_at, jsonb_build_object('event', e.type, 'event_id', e.id, 'endpoint', a.endpoint_id, 'url', a.url,
      'attempt', a.number, 'response_status', a.response_status, 'error', a.error)
      from events e join webhook_attempt a on a.business_id = ${businessId}::uuid and a.event_id = e.id
    union all
    (select 'letter', l.id, l.created_at, jsonb_build_object('kind', l.kind, 'audience', l.audience, 'recipient', l.recipient,
      'subject', l.subject, 'status', l.status, 'has_invoice', l.invoice_id is not null)
      from objects join letter l on l.business_id = ${businessId}::uuid and l.object_id = objects.id limit ${TIMELINE_MAX})
    union all
    select 'audit', a.id, a.created_at, jsonb_build_object('action', a.action, 'outcome', a.outcome, 'after', a.after, 'began', a.began,
      'by', jsonb_build_object('kind', a.actor_kind, 'name', a.actor_name)) from audits a`.execute(db)
  return rows
}

/** Selects in `audits` what people did about the sale and its payment, or what charged their subscription or card. */
const begunBy = (businessId: string) => sql`
    charged as (
      select coalesce(b.subscription_id, x.subscription_id, s.owner_id)::text as subscription_id from sale s
        left join bill b on b.business_id = s.business_id and s.owner_kind = 'bill' and b.id = s.owner_id
        left join subscription_pause x on x.business_id = s.business_id and s.owner_kind = 'subscription_resume' and x.id = s.owner_id
      where s.owner_kind in ('bill', 'subscription_start', 'subscription_resume')
    ), audits as (
      (select a.*, a.after ->> 'operation' as began from objects join audit_entry a on a.business_id = ${businessId}::uuid and a.object_id = objects.id::text limit ${TIMELINE_MAX})
      union all
      (select a.*, sale.id::text from sale join audit_entry a on a.business_id = ${businessId}::uuid and a.object_id = sale.customer_id::text
        where sale.owner_kind = 'stored_card_sale' and a.action = 'sale.create' and a.after ->> 'operation' = sale.id::text limit 1)
      union all
      (select a.*, sale.id::text from sale, charged join audit_entry a on a.business_id = ${businessId}::uuid
        and a.object_id = charged.subscription_id
        where case when sale.owner_kind = 'subscription_start' then a.action = 'subscription.create'
          else a.action in ('subscription.retry', 'subscription.resume') and a.after ->> 'operation' = sale.id::text end limit 1)
    )`
