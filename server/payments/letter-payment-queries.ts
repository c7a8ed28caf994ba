import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { paymentFrom, paymentsOf } from './payment-queries.ts'

/**
 * Finds payments of any kind, each with its card and its number. The number counts the approved payments of the
 * subscription from 1, up to and including this one.
 */
export async function findPaymentsForLetters(db: Db, businessId: string, ids: readonly string[]) {
  const rows = await paymentsOf(db, businessId)
    .select(['card_brand as cardBrand', 'card_last4 as cardLast4'])
    .select((payment) =>
      payment
        .selectFrom('payment as earlier')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .where('earlier.business_id', '=', businessId)
        .where('earlier.status', '<>', 'failed')
        .where(sql<SqlBool>`earlier.subscription_id = payment.subscription_id and earlier.id <= payment.id`)
        .as('number'),
    )
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
  return rows.map((row) => {
    const { cardBrand: brand, cardLast4: last4, number } = row
    return { ...paymentFrom(row), card: { brand, last4 }, number: Number(number) }
  })
}
