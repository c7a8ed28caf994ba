import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { Currency } from '../lib/money.ts'
import type { Acquirer, Terminal } from './terminal.ts'

/** Finds the terminal of a business in a currency. There is one for each. */
export async function findTerminal(db: Db, businessId: string, currency: Currency): Promise<Terminal | null> {
  const row = await db
    .selectFrom('terminal')
    .select(['id', 'gateway', 'merchant_code'])
    .where('business_id', '=', businessId)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return row ? { id: row.id, currency, gateway: row.gateway, merchantCode: row.merchant_code } : null
}

export async function findAcquirer(db: Db, businessId: string, terminalId: string): Promise<Acquirer | null> {
  const row = await db
    .selectFrom('terminal')
    .select([
      'acquirer_bin as acquirerBin',
      'acquirer_merchant_id as acquirerMerchantId',
      'merchant_category_code as categoryCode',
    ])
    .where('business_id', '=', businessId)
    .where('id', '=', terminalId)
    .executeTakeFirst()
  return row ?? null
}

export async function updateAcquirer(
  tx: Tx,
  { businessId, id, ...acquirer }: Acquirer & { businessId: string; id: string },
): Promise<void> {
  await tx
    .updateTable('terminal')
    .set({
      acquirer_bin: acquirer.acquirerBin,
      acquirer_merchant_id: acquirer.acquirerMerchantId,
      merchant_category_code: acquirer.categoryCode,
    })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .execute()
}

/** Finds the terminals of several businesses. */
export async function findTerminals(
  db: Db,
  businessIds: readonly string[],
): Promise<(Terminal & { businessId: string })[]> {
  if (businessIds.length === 0) return []
  const rows = await db
    .selectFrom('terminal')
    .select(['business_id', 'id', 'currency', 'gateway', 'merchant_code'])
    .where('business_id', 'in', businessIds)
    .execute()
  return rows.map(({ business_id: businessId, id, currency, gateway, merchant_code: merchantCode }) => ({
    businessId,
    id,
    currency: currency as Currency,
    gateway,
    merchantCode,
  }))
}

export async function findTerminalById(db: Db, businessId: string, id: string): Promise<Terminal | null> {
  const row = await db
    .selectFrom('terminal')
    .select(['gateway', 'merchant_code', 'currency'])
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? { id, currency: row.currency as Currency, gateway: row.gateway, merchantCode: row.merchant_code } : null
}

export async function insertTerminals(
  tx: Tx,
  businessId: string,
  terminals: Terminal[],
  createdAt: Date,
): Promise<void> {
  const rows = terminals.map(({ id, currency, gateway, merchantCode }) => ({
    business_id: businessId,
    id,
    currency,
    gateway,
    merchant_code: merchantCode,
    created_at: createdAt,
  }))
  await tx.insertInto('terminal').values(rows).execute()
}
