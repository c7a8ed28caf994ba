import { inputValues, keptInput, lockPayable, type PayerInput } from '../../checkout/pay/session-charge-queries.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import { run, statement } from '../../db/statement.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import { insertSale, saleValues } from '../../payments/sale-queries.ts'

const BEGIN = statement(
  'begin_activation',
  (p) => `with ${lockPayable(p)}, waiting as (
      select s.id from subscription s
      where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid
        and s.status = 'pending_payment_method' and exists (select from locked)
        and (s.contract_id is null or exists (select from contract k
          where k.business_id = s.business_id and k.id = s.contract_id and k.status = 'signed'))
      for no key update
    ), ${keptInput(p, 'waiting')} begun as (${insertSale(p, 'session', 'waiting')})
    select attempt_count from locked where exists (select from waiting)`,
)

/**
 * Step 1 of the first bill of a subscription that waits for its card. Works like that of any session, but only while
 * the subscription waits.
 *
 * @param now in the business's time
 * @returns the number of failed attempts; `null` if the bill may not be charged now
 */
export async function beginActivation(
  db: Db,
  { session, operation, payer, now }: { session: Session; operation: NewOperation; payer: PayerInput; now: Date },
): Promise<number | null> {
  const { subscriptionId } = session
  const values = { ...saleValues(operation), ...inputValues(payer), sessionId: session.id, subscriptionId, at: now }
  const [row] = await run<{ attempt_count: number }>(db, BEGIN, values)
  return row?.attempt_count ?? null
}
