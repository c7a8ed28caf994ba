import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

export interface Passkey {
  id: string
  userId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  isSynced: boolean
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
  'is_synced as isSynced',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

/** @returns whether the credential is new */
export async function insertPasskey(tx: Tx, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkey')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      is_synced: passkey.isSynced,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findPasskey(db: Db, credentialId: Buffer): Promise<Passkey | null> {
  const row = await db
    .selectFrom('passkey')
    .select(COLUMNS)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row ?? null
}

/** Lists the passkeys of a person, oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Records a use of a passkey.
 *
 * @param before counter that was checked
 * @returns whether nobody used the passkey in between
 */
export async function usePasskey(
  db: Db,
  { id, before, counter, at }: { id: string; before: number; counter: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns `null` if the person has no such passkey */
export async function renamePasskey(
  tx: Tx,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<Passkey | null> {
  const row = await tx
    .updateTable('passkey')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

/** @returns the name of the deleted passkey; `null` if the person has no such passkey */
export async function deletePasskey(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkey')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkey').where('user_id', '=', userId).execute()
}
