import type { AccessContext, WithTransaction } from '../access/shared/context.ts'
import { lockBusiness } from '../businesses/business-queries.ts'
import type { Tx } from '../db/transaction.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { ACTIVE_KEYS_MAX, type KeyPair, makeKeyPair, type RecipientKey, sealPrivateKey } from './recipient-key.ts'
import { findActiveKeys, insertRecipientKey, type KeyOwner, retireKey } from './recipient-key-queries.ts'

/** Keys are in real time, so `clock` is never a test clock. */
export type KeyContext = WithTransaction<AccessContext, Tx>

/** `null`: the gateway that Rialto is. */
type Owner = { businessId: string | null }

/**
 * Creates the first key of a business, or of the gateway. Whoever turns Google Pay on calls it.
 *
 * @returns the newest active key
 * @see GPY-10
 */
export async function ensureRecipientKey(context: KeyContext, owner: Owner): Promise<RecipientKey> {
  const [newest] = await lockedKeys(context, owner)
  return newest ?? addKey(context, owner, makeKeyPair())
}

/**
 * Adds a key, which new tokens are encrypted for. The old one still opens tokens until it is retired.
 *
 * @param pair one that the merchant has used elsewhere; a new one unless given
 * @throws ApiError `conflict` when two keys are active
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
 * Retires a key: tokens for it are refused from now on, and its private part is wiped.
 *
 * @throws ApiError `not_found`; `conflict` when it is the only active one
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

/** Changes of one owner's keys wait for each other. */
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
