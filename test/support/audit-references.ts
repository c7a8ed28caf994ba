import type { AuditInput } from './audit.ts'

// References without a foreign key, and columns that a statement must fill. On the rows of a payment, constraints would
// cost time on each write, so the audit checks them instead of the database.

const toRowOf = (parent: string, column: string) => (child: string) =>
  `select from ${parent} p where p.business_id = ${child}.business_id and p.id = ${child}.${column}`

/** Child table, column, and the parent row that must exist when the column is not null. */
const REFERENCES: [child: string, column: string, parent: (child: string) => string][] = [
  ['checkout_session', 'client_id', toRowOf('oauth_client', 'client_id')],
  ['checkout_session', 'customer_id', toRowOf('customer', 'customer_id')],
  ['checkout_session', 'payer_customer_id', toRowOf('customer', 'payer_customer_id')],
  ['checkout_session', 'subscription_id', toRowOf('subscription', 'subscription_id')],
  ['browser_token', 'customer_id', toRowOf('customer', 'customer_id')],
  ['vault_card', 'key_id', toRowOf('vault_key', 'key_id')],
  ['stored_card', 'id', toRowOf('vault_card', 'id')],
  ['stored_card', 'customer_id', toRowOf('customer', 'customer_id')],
  ['operation', 'terminal_id', toRowOf('terminal', 'terminal_id')],
  ['operation', 'customer_id', toRowOf('customer', 'customer_id')],
  ['operation', 'stored_card_id', toRowOf('stored_card', 'stored_card_id')],
  [
    'operation',
    'parent_id',
    (child) => `${toRowOf('operation', 'parent_id')(child)}
      and (p.kind, p.owner_kind, p.owner_id) = ('sale', ${child}.owner_kind, ${child}.owner_id)`,
  ],
  [
    'operation',
    'owner_id',
    (child) => `select from checkout_session s where ${child}.owner_kind = 'session'
        and s.business_id = ${child}.business_id and s.id = ${child}.owner_id
      union all select from bill b where ${child}.owner_kind = 'bill'
        and b.business_id = ${child}.business_id and b.id = ${child}.owner_id
      union all select where ${child}.owner_kind = 'subscription_start' and (${child}.kind in ('void', 'refund')
        or (${child}.state = 'APPROVED' and ${child}.parent_id is null))
        = exists (select from subscription s where s.business_id = ${child}.business_id and s.id = ${child}.owner_id)
      union all select from subscription_pause u where ${child}.owner_kind = 'subscription_resume'
        and u.business_id = ${child}.business_id and u.id = ${child}.owner_id
      union all select where ${child}.owner_kind = 'stored_card_sale'
        and ${child}.owner_id = coalesce(${child}.parent_id, ${child}.id)`,
  ],
  [
    'operation',
    'gateway_ref',
    (child) => `select from gateway_reference r where r.business_id = ${child}.business_id
      and r.terminal_id = ${child}.terminal_id and r.gateway_ref = ${child}.gateway_ref and r.operation_id = ${child}.id`,
  ],
  ['gateway_reference', 'operation_id', toRowOf('operation', 'operation_id')],
  ['payment', 'operation_id', toRowOf('operation', 'operation_id')],
  ['payment', 'session_id', toRowOf('checkout_session', 'session_id')],
  ['payment', 'customer_id', toRowOf('customer', 'customer_id')],
  ['payment', 'stored_card_id', toRowOf('stored_card', 'stored_card_id')],
  ['refund', 'id', toRowOf('operation', 'id')],
  ['refund', 'batch_id', toRowOf('batch', 'batch_id')],
  ['payment', 'batch_id', toRowOf('batch', 'batch_id')],
  ['batch', 'terminal_id', toRowOf('terminal', 'terminal_id')],
  ['refund', 'payment_id', toRowOf('payment', 'payment_id')],
  ['refund', 'customer_id', toRowOf('customer', 'customer_id')],
  ['payment', 'subscription_id', toRowOf('subscription', 'subscription_id')],
  ['payment', 'bill_id', toRowOf('bill', 'bill_id')],
  ['subscription', 'customer_id', toRowOf('customer', 'customer_id')],
  ['subscription', 'stored_card_id', toRowOf('stored_card', 'stored_card_id')],
  ['subscription', 'checkout_session_id', toRowOf('checkout_session', 'checkout_session_id')],
  ['subscription_price', 'subscription_id', toRowOf('subscription', 'subscription_id')],
  ['subscription_reference', 'subscription_id', toRowOf('subscription', 'subscription_id')],
  [
    'subscription_price',
    'price_id',
    (child) => `${toRowOf('subscription', 'subscription_id')(child)}
      and p.items @> jsonb_build_array(jsonb_build_object('price', ${child}.price_id))`,
  ],
  ['bill', 'subscription_id', toRowOf('subscription', 'subscription_id')],
  ['bill', 'payment_id', toRowOf('payment', 'payment_id')],
  ['sale_request', 'operation_id', toRowOf('operation', 'operation_id')],
  ['subscription_start', 'operation_id', toRowOf('operation', 'operation_id')],
  ['subscription', 'latest_payment_id', toRowOf('payment', 'latest_payment_id')],
  ['subscription', 'covering_payment_id', toRowOf('payment', 'covering_payment_id')],
  ['reconciliation_finding', 'operation_id', toRowOf('operation', 'operation_id')],
]

/** Conditions that every row must meet. */
const FILLED: [table: string, condition: string][] = [
  ['payment', "(status = 'refunded') = (refunded_amount = amount)"],
  ['payment', "status in ('succeeded', 'refunded') or refunded_amount + refund_pending_amount = 0"],
  ['customer', 'email_folded is not distinct from lower(email)'],
  ['customer', `searched = search_form(coalesce(email, '') || ' ' || coalesce(name, ''))`],
  ['checkout_session', `search_text = lower(coalesce(customer_email, '') || ' ' || coalesce(customer_name, ''))`],
  ['checkout_session', 'searched = search_form(search_text)'],
]

export interface BrokenReference {
  subject: string
  detail: string
}

export async function readBrokenReferences(query: AuditInput['query']): Promise<BrokenReference[]> {
  const broken: BrokenReference[] = []
  for (const [child, column, parent] of REFERENCES) {
    const rows = await query(`select from ${child} c where c.${column} is not null and not exists (${parent('c')})`)
    for (const _row of rows) broken.push({ subject: child, detail: `${column} refers to nothing` })
  }
  for (const [table, condition] of FILLED) {
    const rows = await query(`select from ${table} where not (${condition})`)
    for (const _row of rows) broken.push({ subject: table, detail: `not ${condition}` })
  }
  return broken
}
