/** Placeholders that may appear as `{{name}}` in the text of a new contract. */
export const CONTRACT_PLACEHOLDERS = [
  'customer_name',
  'customer_email',
  'business_name',
  'today',
  'subscription',
  'amount',
  'frequency',
  'start_date',
] as const
export type ContractPlaceholder = (typeof CONTRACT_PLACEHOLDERS)[number]
