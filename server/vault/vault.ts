import { createHmac } from 'node:crypto'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import { createDataKeys } from './data-keys.ts'
import { open, seal } from './envelope.ts'
import type { SealedCard } from './sealed-card.ts'
import { Secret } from './secret.ts'
import { type FoundCard, findCard, findCards } from './vault-queries.ts'

export interface Fingerprint {
  keyId: string
  value: Buffer
}

/**
 * Encrypts card numbers for storage and decrypts them for a charge.
 *
 * Each business has a data key, which is wrapped by the master key. A leak of one table alone reveals nothing, and the
 * master key is rotated by rewrapping the data keys.
 */
export interface Vault {
  seal(businessId: string, number: Secret): Promise<SealedCard>
  /** Reads several cards of any business, by id. They stay sealed until they are opened. */
  find(cards: readonly { businessId: string; id: string }[]): Promise<Map<string, FoundCard>>
  /**
   * @param found result of `find`; if absent, the card is read
   * @throws if the card does not exist, or if its ciphertext or key was modified
   */
  open(businessId: string, cardId: string, found?: FoundCard): Promise<Secret>
  /** Returns an HMAC under the current master key: equal for the same number and business, useless without the key. */
  fingerprint(businessId: string, number: Secret): Fingerprint
  /** Returns fingerprints under all master keys, newest first: a card stored before a rotation has an older one. */
  fingerprints(businessId: string, number: Secret): Fingerprint[]
}

export function createVault({ db, keyring, clock }: { db: Db; keyring: Keyring; clock: Clock }): Vault {
  const dataKeys = createDataKeys({ db, keyring, clock })

  function fingerprint(businessId: string, number: Secret, keyId = keyring.currentId): Fingerprint {
    const key = keyring.key('fingerprint cards', keyId)
    const value = createHmac('sha256', key).update(`1|${businessId}|${number.reveal()}`).digest()
    return { keyId, value }
  }

  /** Fingerprints cached by card number: a payment needs them several times. An entry is collected with its number. */
  const fingerprinted = new WeakMap<Secret, { businessId: string; current: Fingerprint }>()

  function currentFingerprint(businessId: string, number: Secret): Fingerprint {
    const known = fingerprinted.get(number)
    if (known?.businessId === businessId) return known.current
    const current = fingerprint(businessId, number)
    fingerprinted.set(number, { businessId, current })
    return current
  }

  return {
    fingerprint: currentFingerprint,
    fingerprints: (businessId, number) => keyring.ids.map((keyId) => fingerprint(businessId, number, keyId)),
    async seal(businessId, number) {
      const { id: keyId, key } = await dataKeys.current(businessId)
      const id = newId()
      const { keyId: fingerprintKeyId, value } = currentFingerprint(businessId, number)
      const plaintext = Buffer.from(number.reveal())
      const ciphertext = seal(key, plaintext, cardPurpose(businessId, id, keyId))
      plaintext.fill(0)
      return {
        id,
        key_id: keyId,
        number_ciphertext: ciphertext,
        fingerprint: value,
        fingerprint_key_id: fingerprintKeyId,
      }
    },
    find: (cards) => findCards(db, cards),
    async open(businessId, cardId, found) {
      const card = found ?? (await findCard(db, businessId, cardId))
      if (!card) throw new Error('the card is not in the vault')
      const { key_id: id, number_ciphertext: ciphertext, ...wrapped } = card
      const { key } = dataKeys.unwrap(businessId, { id, ...wrapped })
      return new Secret(open(key, ciphertext, cardPurpose(businessId, cardId, id)).toString())
    },
  }
}

const cardPurpose = (businessId: string, cardId: string, keyId: string) => `number|${businessId}|${cardId}|${keyId}`
