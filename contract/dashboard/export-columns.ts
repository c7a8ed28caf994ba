// The formats of an export, and the columns of each, in the order of the file. Separate from the schemas, which pages
// do not load.

/**
 * `comma` and `semicolon` are for spreadsheets; `semicolon` has decimal commas, as French spreadsheets expect. `plain`
 * is for programs: every text is unchanged.
 */
export const EXPORT_FORMATS = ['comma', 'semicolon', 'plain'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const PAYMENT_COLUMNS = [
  'created',
  'id',
  'status',
  'kind',
  'amount',
  'surcharge_amount',
  'tax_amount',
  'refunded_amount',
  'net_amount',
  'currency',
  'customer_name',
  'customer_email',
  'card_brand',
  'card_last4',
  'code',
  'message',
  'avs_result',
  'cvv_result',
  'receipt_id',
  'subscription',
  'session',
  'description',
  'reference',
  'trigger',
  'attempt',
  'batch',
] as const

export const CUSTOMER_COLUMNS = [
  'id',
  'created',
  'name',
  'email',
  'phone',
  'cards',
  'active_subscriptions',
  'paid_cad',
  'paid_usd',
] as const

export const SUBSCRIPTION_COLUMNS = [
  'id',
  'created',
  'customer',
  'customer_name',
  'customer_email',
  'what',
  'status',
  'frequency',
  'amount',
  'tax',
  'surcharge',
  'currency',
  'paid_bills',
  'installments',
  'start_date',
  'next_bill',
  'last_payment',
  'last_failed',
  'card_brand',
  'card_last4',
  'reference',
] as const

export const AUDIT_COLUMNS = [
  'number',
  'time',
  'actor_kind',
  'actor',
  'action',
  'object_type',
  'object_id',
  'outcome',
  'before',
  'after',
  'ip',
  'browser',
  'request_id',
] as const

export const SESSION_COLUMNS = [
  'id',
  'created',
  'status',
  'payment_status',
  'amount_total',
  'currency',
  'ui_mode',
  'mode',
  'customer',
  'customer_name',
  'customer_email',
  'reference',
  'description',
  'attempts',
  'expires',
  'completed',
] as const

export const OPERATION_COLUMNS = [
  'id',
  'sent',
  'kind',
  'state',
  'amount',
  'currency',
  'payment',
  'payment_kind',
  'blocked_session',
  'blocked_subscription',
  'blocked_payment_method',
  'customer',
  'customer_name',
  'customer_email',
  'card_brand',
  'card_last4',
  'inquiries',
  'last_inquiry',
  'next_inquiry',
  'not_found_since',
  'needs_attention',
] as const

export const PRODUCT_COLUMNS = [
  'id',
  'created',
  'name',
  'description',
  'active',
  'active_prices',
  'price',
  'amount',
  'currency',
  'interval',
  'interval_count',
] as const

export const PRICE_COLUMNS = [
  'id',
  'created',
  'product',
  'nickname',
  'amount',
  'currency',
  'interval',
  'interval_count',
  'active',
] as const

export const CONTRACT_COLUMNS = [
  'id',
  'created',
  'title',
  'status',
  'customer',
  'customer_name',
  'customer_email',
  'subscription',
  'is_awaited',
  'sent',
  'signed',
  'voided',
] as const

export const EVENT_COLUMNS = [
  'id',
  'created',
  'type',
  'object_type',
  'object_id',
  'sequence',
  'deliveries_succeeded',
  'deliveries_failed',
  'deliveries_pending',
  'deliveries_canceled',
] as const

export const DELIVERY_COLUMNS = [
  'event',
  'type',
  'created',
  'status',
  'attempts',
  'last_attempt',
  'next_attempt',
  'response_status',
  'duration_ms',
  'error',
] as const

export const REFUSAL_COLUMNS = [
  'id',
  'time',
  'method',
  'path',
  'status',
  'code',
  'param',
  'credential_kind',
  'credential',
  'credential_name',
  'ip',
  'request_id',
] as const
