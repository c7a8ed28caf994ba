import type { Environment } from '../access/shared/context.ts'
import type { Db } from '../db/connection.ts'
import type { RecipientKey, SealedKey } from './recipient-key.ts'

export interface KeyOwner {
  /** `null` means Rialto itself, as a gateway. */
  businessId: string | null
  environment: Environment
}

const keysOf = (db: Db, { businessId, environment }: KeyOwner) =>
  db
    .selectFrom('google_pay_key')
    .selectAll()
    .where('business_id', businessId === null ? 'is' : '=', businessId)
    .where('environment', '=', environment)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof keysOf>['execute']>>[number]

const keyFrom = (row: Row): RecipientKey => ({
  id: row.id,
  businessId: row.business_id,
  environment: row.environment as Environment,
  publicKey: row.public_key.toString('base64'),
  createdAt: row.created_at,
  retiredAt: row.retired_at,
})

/** Lists keys, including retired ones, newest first. */
export async function listRecipientKeys(db: Db, owner: KeyOwner): Promise<RecipientKey[]> {
  return (await keysOf(db, owner).execute()).map(keyFrom)
}

/** Finds the keys that open tokens, newest first. */
export async function findActiveKeys(db: Db, owner: KeyOwner): Promise<SealedKey[]> {
  const rows = await keysOf(db, owner).where('retired_at', 'is', null).execute()
  return rows.flatMap((row) =>
    row.sealed_private_key === null ? [] : [{ ...keyFrom(row), sealedPrivateKey: row.sealed_private_key }],
  )
}

/** Finds the public key for which new tokens are encrypted. */
export async function findNewestPublicKey(db: Db, owner: KeyOwner): Promise<string | null> {
  const row = await keysOf(db, owner).where('retired_at', 'is', null).limit(1).executeTakeFirst()
  return row?.public_key.toString('base64') ?? null
}

export async function insertRecipientKey(db: Db, key: SealedKey): Promise<void> {
  await db
    .insertInto('google_pay_key')
    .values({
      id: key.id,
      business_id: key.businessId,
      environment: key.environment,
      public_key: Buffer.from(key.publicKey, 'base64'),
      sealed_private_key: key.sealedPrivateKey,
      created_at: key.createdAt,
    })
    .execute()
}

/** Lists the businesses whose tokens are encrypted for the gateway, in the order in which their logs are locked. */
export async function listGatewayUsers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('business')
    .select('id')
    .where('google_pay_enabled', '=', true)
    .where('google_pay_merchant_id', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Retires a key and wipes its private part. @returns `undefined` if the owner has no such active key */
export async function retireKey(
  db: Db,
  { businessId, environment, id, at }: KeyOwner & { id: string; at: Date },
): Promise<RecipientKey | undefined> {
  const row = await db
    .updateTable('google_pay_key')
    .set({ retired_at: at, sealed_private_key: null })
    .where('id', '=', id)
    .where('business_id', businessId === null ? 'is' : '=', businessId)
    .where('environment', '=', environment)
    .where('retired_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && keyFrom(row)
}
