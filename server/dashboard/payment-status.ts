/**
 * Returns the SQL for the status of a sale and of the payment `p` that came of it, if there is one: a
 * `PaymentRowStatus`. A partially refunded payment is `succeeded` in its own row.
 *
 * @param sale alias of the sale's operation
 */
export const paymentStatusOf = (sale: string): string => `case
  when p.status = 'succeeded' and p.refunded_amount > 0 then 'partially_refunded'
  when p.status is not null then p.status::text
  when ${sale}.state = 'APPROVED' then 'succeeded' when ${sale}.state = 'DECLINED' then 'failed'
  when ${sale}.state = 'REVERSED' then 'reversed' when ${sale}.state in ('NOT_SENT', 'NOT_CHARGED') then 'not_charged'
  else 'pending' end`
