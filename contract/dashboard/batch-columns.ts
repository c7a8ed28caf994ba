/** The columns of the export of batches, in the order of the file. Totals are the gateway's. */
export const BATCH_COLUMNS = [
  'id',
  'number',
  'currency',
  'status',
  'settled_at',
  'settlement_reference',
  'sales_count',
  'sales_amount',
  'refunds_count',
  'refunds_amount',
  'voids_count',
  'voids_amount',
  'net_amount',
] as const
