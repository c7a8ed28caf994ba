import { randomBytes } from 'node:crypto'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type Keyring, MASTER_KEY_BYTES } from '../lib/keyring.ts'
import { open, seal } from './envelope.ts'
import { findCurrentKey, insertKey, rewrapKey } from './vault-queries.ts'

interface WrappedKey {
  id: string
  master_key_id: string
  wrapped_key: Buffer
}

interface DataKey {
  id: string
  key: Buffer
}

/** Keys that encrypt the card numbers of a business, each wrapped by a master key. */
export interface DataKeys {
  /** Returns the key for new cards. It is created with the first card of a business. */
  current(businessId: string): Promise<DataKey>
  /** Returns the key with which a card was encrypted. */
  unwrap(businessId: string, row: WrappedKey): DataKey
}

export function createDataKeys({ db, keyring, clock }: { db: Db; keyring: Keyring; clock: Clock }): DataKeys {
  const currentKeys = new Map<string, Promise<DataKey>>()

  /** Returns the current key from a cache, so that there is one query per business and process. */
  function current(businessId: string): Promise<DataKey> {
    const known = currentKeys.get(businessId)
    if (known) return known
    const loading = loadOrMakeKey(businessId)
    currentKeys.set(businessId, loading)
    loading.catch(() => currentKeys.delete(businessId))
    return loading
  }

  async function loadOrMakeKey(businessId: string): Promise<DataKey> {
    const row = await findCurrentKey(db, businessId)
    if (row) return underCurrentMaster(businessId, row)
    const id = newId()
    const fresh = wrapped(keyring, businessId, { id, key: randomBytes(MASTER_KEY_BYTES) })
    await insertKey(db, { ...fresh, created_at: clock.now() })
    const made = await findCurrentKey(db, businessId)
    if (!made) throw new Error('the new data key of a business is missing')
    return unwrap(keyring, businessId, made)
  }

  /** After a rotation of the master key, rewraps the data key when it is next used for a new card. */
  async function underCurrentMaster(businessId: string, row: WrappedKey): Promise<DataKey> {
    const dataKey = unwrap(keyring, businessId, row)
    if (row.master_key_id !== keyring.currentId) {
      await rewrapKey(db, wrapped(keyring, businessId, dataKey), row.master_key_id)
    }
    return dataKey
  }

  return {
    current,
    unwrap: (businessId, row) => unwrap(keyring, businessId, row),
  }
}

function wrapped(keyring: Keyring, businessId: string, { id, key }: DataKey) {
  const wrapping = keyring.key('wrap data keys', keyring.currentId)
  const wrapped_key = seal(wrapping, key, keyPurpose(businessId, id))
  return { business_id: businessId, id, master_key_id: keyring.currentId, wrapped_key }
}

function unwrap(keyring: Keyring, businessId: string, row: WrappedKey): DataKey {
  const wrapping = keyring.key('wrap data keys', row.master_key_id)
  return { id: row.id, key: open(wrapping, row.wrapped_key, keyPurpose(businessId, row.id)) }
}

const keyPurpose = (businessId: string, keyId: string) => `data key|${businessId}|${keyId}`
