import type { DB } from './tables.ts'

/**
 * The placement of a table in a distributed database (Citus). Rialto runs on one PostgreSQL server; a test keeps every
 * key, unique index and foreign key within these rules, so that it could be distributed.
 */
export type Placement =
  /** Each row on the node of its value in this column. Tables distributed by the same column can be joined on it. */
  | { by: string }
  /** A copy on every node: read often, written rarely. */
  | 'reference'
  /** On the coordinator only. */
  | 'local'

const OF_A_BUSINESS = { by: 'business_id' }

export const PLACEMENT: Record<keyof DB, Placement> = {
  // Read before the business of a request is known, or with every request.
  business: 'reference',
  business_member: 'reference',
  auth_account: 'reference',
  auth_session: 'reference',
  auth_user: 'reference',
  oauth_client: 'reference',
  oauth_family: 'reference',
  access_token: 'reference',
  refresh_token: 'reference',
  allowed_ip: 'reference',
  api_key: 'reference',
  totp: 'reference',
  recovery_code: 'reference',
  factor_reset: 'reference',
  member_visit: 'reference',
  member_trace: 'reference',
  totp_use: 'reference',
  passkey: 'reference',
  one_time_code: 'reference',
  invitation: 'reference',
  google_pay_key: 'reference',

  // Read and written by a hash, independently of the business.
  browser_token: { by: 'token_hash' },
  rate_limit: { by: 'key' },
  sign_in_failure: { by: 'name_hash' },

  business_logo: OF_A_BUSINESS,
  terminal: OF_A_BUSINESS,
  vault_key: OF_A_BUSINESS,
  vault_card: OF_A_BUSINESS,
  customer: OF_A_BUSINESS,
  stored_card: OF_A_BUSINESS,
  product: OF_A_BUSINESS,
  price: OF_A_BUSINESS,
  checkout_session: OF_A_BUSINESS,
  authentication: OF_A_BUSINESS,
  google_pay_message: OF_A_BUSINESS,
  operation: OF_A_BUSINESS,
  gateway_reference: OF_A_BUSINESS,
  payment: OF_A_BUSINESS,
  refund: OF_A_BUSINESS,
  batch: OF_A_BUSINESS,
  subscription: OF_A_BUSINESS,
  subscription_price: OF_A_BUSINESS,
  subscription_reference: OF_A_BUSINESS,
  bill: OF_A_BUSINESS,
  subscription_pause: OF_A_BUSINESS,
  contract: OF_A_BUSINESS,
  subscription_start: OF_A_BUSINESS,
  resume_request: OF_A_BUSINESS,
  sale_request: OF_A_BUSINESS,
  refused_card_attempt: OF_A_BUSINESS,
  event: OF_A_BUSINESS,
  webhook_endpoint: OF_A_BUSINESS,
  webhook_delivery: OF_A_BUSINESS,
  webhook_attempt: OF_A_BUSINESS,
  webhook_redelivery: OF_A_BUSINESS,
  notification: OF_A_BUSINESS,
  letter: OF_A_BUSINESS,
  invoice: OF_A_BUSINESS,
  invoice_counter: OF_A_BUSINESS,
  invoice_logo: OF_A_BUSINESS,
  notice_progress: OF_A_BUSINESS,
  customer_card_link: OF_A_BUSINESS,
  saved_view: OF_A_BUSINESS,
  session_reference: OF_A_BUSINESS,
  dashboard_request: OF_A_BUSINESS,
  branding_draft: OF_A_BUSINESS,
  dashboard_limits: OF_A_BUSINESS,
  audit_chain: OF_A_BUSINESS,
  audit_entry: OF_A_BUSINESS,
  refused_request: OF_A_BUSINESS,
  reconciliation: OF_A_BUSINESS,
  reconciliation_finding: OF_A_BUSINESS,
  reconciliation_listed: OF_A_BUSINESS,

  job_progress: 'local',
  schema_migration: 'local',
}
