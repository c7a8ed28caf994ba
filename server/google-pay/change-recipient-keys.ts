import type { AccessContext, WithTransaction } from '../access/shared/context.ts'
import { lockBusiness } from '../businesses/business-queries.ts'
import type { Tx } from '../db/transaction.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { ACTIVE_KEYS_MAX, type KeyPair, makeKeyPair, type RecipientKey, sealPrivateKey } from './recipient-key.ts'
import { findActiveKeys, insertRecipientKey, type KeyOwner, retireKey } from './recipient-key-queries.ts'

/** Keys use real time, so `clock` is never a test clock. */
export type KeyContext = WithTransaction<AccessContext, Tx>

/** Owner of keys; `null` means Rialto itself, as a gateway. */
type Owner = { businessId: string | null }

/**
 * Creates the first key of a business, or of the gateway; called when Google Pay is turned on.
 *
 * @returns the newest active key
 * @see GPY-10
 */
export async function ensureRecipientKey(context: KeyContext, owner: Owner): Promise<RecipientKey> {
  const [newest] = await lockedKeys(context, owner)
  return newest ?? addKey(context, owner, makeKeyPair())
}

/**
 * Adds a key, for which new tokens are encrypted. The old key still opens tokens until it is retired.
 *
 * @param pair a pair that the merchant has used elsewhere; a new one by default
 * @throws ApiError `conflict` if two keys are active
 */
export async function rotateRecipientKey(
  context: KeyContext,
  owner: Owner,
  pair: KeyPair = makeKeyPair(),
): Promise<RecipientKey> {
  const active = await lockedKeys(context, owner)
  if (active.some(({ publicKey }) => publicKey === pair.publicKey)) throw invalidField('key', 'is already active')
  if (active.length >= ACTIVE_KEYS_MAX) {
    throw new ApiError('conflict', { message: 'Two keys are active already. Retire the older one first.' })
  }
  return addKey(context, owner, pair)
}

/**
 * Retires a key: from now on, tokens for it are refused, and its private part is wiped.
 *
 * @throws ApiError `not_found`; `conflict` if it is the only active key
 */
export async function retireRecipientKey(context: KeyContext, owner: Owner, id: string): Promise<RecipientKey> {
  const active = await lockedKeys(context, owner)
  if (!active.some((key) => key.id === id)) throw new ApiError('not_found', { message: 'No such active key' })
  if (active.length === 1) {
    throw new ApiError('conflict', { message: 'This is the only active key. Rotate it first.' })
  }
  const retired = await retireKey(context.db, { ...ownerOf(context, owner), id, at: context.clock.now() })
  if (!retired) throw new ApiError('not_found', { message: 'No such active key' })
  return retired
}

/** Locks the owner, so that changes of its keys wait for each other, and returns its active keys. */
async function lockedKeys(context: KeyContext, owner: Owner) {
  if (owner.businessId !== null) await lockBusiness(context.db, owner.businessId)
  return findActiveKeys(context.db, ownerOf(context, owner))
}

const ownerOf = ({ environment }: KeyContext, { businessId }: Owner): KeyOwner => ({ businessId, environment })

async function addKey(
  { db, keyring, clock, environment }: KeyContext,
  { businessId }: Owner,
  { publicKey, privateKey }: KeyPair,
): Promise<RecipientKey> {
  const id = newId()
  const key: RecipientKey = { id, businessId, environment, publicKey, createdAt: clock.now(), retiredAt: null }
  await insertRecipientKey(db, { ...key, sealedPrivateKey: sealPrivateKey(keyring, id, privateKey) })
  return key
}
