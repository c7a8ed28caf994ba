import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { paymentFrom, paymentsOf } from './subscription-payment-queries.ts'

/**
 * A payment of any kind with the card that it was made with, and its number: it counts the approved payments of its
 * subscription from 1, up to and including this one.
 */
export async function findPaymentForLetter(db: Db, businessId: string, id: string) {
  const row = await paymentsOf(db, businessId)
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
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { cardBrand: brand, cardLast4: last4, number } = row
  return { ...paymentFrom(row), card: { brand, last4 }, number: Number(number) }
}
