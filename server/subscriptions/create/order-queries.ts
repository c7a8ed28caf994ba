import type { Metadata } from '../../../contract/formats.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import type { Interval } from '../../catalog/cadence.ts'
import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { Funding } from '../../vault/bin-table.ts'
import type { CardPlace } from '../../vault/card.ts'
import type { OfferedCard, OfferedPrice, OrderParts } from './check-new-subscription.ts'
import type { SubscriptionOrder } from './order.ts'

const FIND_PARTS = statement(
  'find_subscription_parts',
  (p) => `select
    exists (select from customer where business_id = ${p.businessId}::uuid and id = ${p.customerId}::uuid) as "customerExists",
    (select jsonb_agg(to_jsonb(i) || jsonb_build_object('product_is_active', d.active)) from price i
      join product d on d.business_id = i.business_id and d.id = i.product_id
      where i.business_id = ${p.businessId}::uuid and i.id = any(${p.priceIds}::uuid[])) as prices,
    (select to_jsonb(c) from stored_card c where c.business_id = ${p.businessId}::uuid and c.id = ${p.storedCardId}::uuid
      and c.customer_id = ${p.customerId}::uuid) as card,
    (select jsonb_build_object('id', t.id, 'currency', t.currency, 'gateway', t.gateway, 'merchantCode', t.merchant_code)
      from terminal t where t.business_id = ${p.businessId}::uuid and t.currency = ${p.currency}::text) as terminal`,
)

interface PartsRow {
  customerExists: boolean
  prices: PriceJson[] | null
  card: CardJson | null
  terminal: Terminal | null
}

/** Row as JSON, with instants as text. */
interface PriceJson {
  id: string
  product_id: string
  unit_amount: number
  currency: Currency
  recurring_interval: Interval | null
  recurring_interval_count: number | null
  nickname: string | null
  active: boolean
  metadata: Metadata
  created_at: string
  product_is_active: boolean
}

interface CardJson {
  id: string
  brand: string
  first6: string
  last4: string
  exp_month: number
  exp_year: number
  name_on_card: string | null
  billing_country: string | null
  billing_state: string | null
  postal_code: string | null
  funding: Funding
  network_transaction_id: string | null
  ds_transaction_id: string | null
  charge_block: string | null
  detached_at: string | null
}

/** Reads everything that an order names, and the terminal that charges it, in one statement. */
export async function findOrderParts(
  db: Db,
  { id: businessId, currency }: { id: string; currency: Currency },
  { customerId, items, storedCardId }: SubscriptionOrder,
): Promise<OrderParts & { terminal: Terminal | null }> {
  const priceIds = items.map(({ priceId }) => priceId)
  const [row] = await run<PartsRow>(db, FIND_PARTS, { businessId, customerId, priceIds, storedCardId, currency })
  if (!row) throw new Error('a statement without a table returned no row')
  const prices = new Map((row.prices ?? []).map((price) => [price.id, priceFrom(price)]))
  return { customerExists: row.customerExists, prices, card: row.card && cardFrom(row.card), terminal: row.terminal }
}

function priceFrom(row: PriceJson): OfferedPrice {
  const { id, nickname, active, metadata, recurring_interval: interval, recurring_interval_count: count } = row
  return {
    id,
    productId: row.product_id,
    unitAmount: row.unit_amount as Cents,
    currency: row.currency,
    cadence: interval === null || count === null ? null : { interval, count },
    nickname,
    active,
    metadata,
    createdAt: new Date(row.created_at),
    productIsActive: row.product_is_active,
  }
}

function cardFrom(row: CardJson): OfferedCard {
  const place: CardPlace = { country: row.billing_country, state: row.billing_state, postalCode: row.postal_code }
  return {
    id: row.id,
    brand: row.brand,
    first6: row.first6,
    last4: row.last4,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    nameOnCard: row.name_on_card,
    funding: row.funding,
    place,
    networkTransactionId: row.network_transaction_id,
    dsTransactionId: row.ds_transaction_id,
    chargeBlock: row.charge_block,
    detachedAt: row.detached_at === null ? null : new Date(row.detached_at),
  }
}
