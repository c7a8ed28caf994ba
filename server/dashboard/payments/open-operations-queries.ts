import { type RawBuilder, sql } from 'kysely'
import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import type { Db } from '../../db/connection.ts'
import { cursorOf, type Page, type PageRequest, unknownCursor } from '../../db/page.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { ChargeOwnerKind, OperationKind, OperationState } from '../../payments/operation.ts'

/** A request to the gateway without an outcome. */
export interface StoredOpenOperation {
  id: string
  kind: OperationKind
  state: OperationState
  amount: Cents
  currency: Currency
  saleId: string
  paymentId: string | null
  ownerKind: ChargeOwnerKind
  sessionId: string | null
  subscriptionId: string | null
  openCardSale: string | null
  storedCardId: string | null
  customerId: string | null
  customerName: string | null
  customerEmail: string | null
  cardBrand: string | null
  cardFirst6: string | null
  cardLast4: string | null
  sentAt: Date
  inquiries: number
  lastInquiryAt: Date | null
  nextInquiryAt: Date | null
  notFoundSince: Date | null
  needsAttention: boolean
}

/** Longest time that an operation stays SENT; recovery takes it up by then. */
const SENT_SECONDS = 86_400

const openIn = (businessId: string, now: Date): RawBuilder<unknown> => sql`
  select id from operation where business_id = ${businessId}::uuid and next_inquiry_at is not null
  union select id from operation where sent_at >= ${new Date(now.getTime() - SENT_SECONDS * 1000)}
    and business_id = ${businessId}::uuid and state = 'SENT'`

export async function countOpenOperations(db: Db, businessId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select from (${openIn(businessId, now)}) as open limit ${TOTAL_MAX + 1}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Lists open operations, newest first. The operation of a cursor may have been resolved since.
 *
 * @throws ApiError `validation_failed` for two cursors, and for one that is not from this business
 */
export async function listOpenOperations(
  db: Db,
  { businessId, now }: { businessId: string; now: Date },
  page: PageRequest,
): Promise<Page<StoredOpenOperation>> {
  const { limit } = page
  const cursor = cursorOf(page)
  if (cursor && !(await isOperation(db, businessId, cursor.id))) throw unknownCursor(cursor)
  const isBefore = cursor?.param === 'ending_before'
  const beyond = cursor ? sql`id ${isBefore ? sql`>` : sql`<`} ${cursor.id}::uuid` : sql`true`
  const { rows } = await sql<StoredOpenOperation>`
    select o.id, o.kind, o.state, o.amount, o.currency, s.id as "saleId", p.id as "paymentId", o.owner_kind as "ownerKind",
      t.id as "sessionId", coalesce(p.subscription_id, b.subscription_id) as "subscriptionId", o.open_card_sale as "openCardSale",
      coalesce(p.stored_card_id, s.stored_card_id) as "storedCardId", c.id as "customerId",
      coalesce(c.name, t.payer_name) as "customerName", coalesce(c.email, t.payer_email) as "customerEmail",
      s.card_brand as "cardBrand", s.card_first6 as "cardFirst6", s.card_last4 as "cardLast4", o.sent_at as "sentAt",
      o.inquiries, o.last_inquiry_at as "lastInquiryAt", o.next_inquiry_at as "nextInquiryAt",
      o.not_found_since as "notFoundSince", o.needs_attention as "needsAttention"
    from (select id from (${openIn(businessId, now)}) as open where ${beyond}
        order by id ${isBefore ? sql`asc` : sql`desc`} limit ${limit + 1}) as r
      join operation o on o.business_id = ${businessId}::uuid and o.id = r.id
      join operation s on s.business_id = o.business_id and s.id = coalesce(o.parent_id, o.id)
      left join payment p on p.business_id = s.business_id and p.operation_id = s.id
      left join checkout_session t on t.business_id = o.business_id and o.owner_kind = 'session' and t.id = o.owner_id
      left join bill b on b.business_id = o.business_id and o.owner_kind = 'bill' and b.id = o.owner_id
      left join customer c on c.business_id = o.business_id and c.id = coalesce(p.customer_id, s.customer_id, t.customer_id)
    order by o.id desc`.execute(db)
  return { rows: isBefore ? rows.slice(-limit) : rows.slice(0, limit), hasMore: rows.length > limit }
}

const isOperation = async (db: Db, businessId: string, id: string): Promise<boolean> =>
  (await sql`select from operation where business_id = ${businessId}::uuid and id = ${id}::uuid`.execute(db)).rows
    .length > 0
